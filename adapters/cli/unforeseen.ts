/**
 * Errors in the background that nobody foresaw. By default they end the program at once; an agent that holds the web must
 * give it back first.
 */

/**
 * Takes such errors until it is disposed of.
 *
 * @param take Told of each; must not throw
 */
export function takeUnforeseen(take: (error: unknown) => void): Disposable {
  function onRejection(event: PromiseRejectionEvent): void {
    event.preventDefault();
    take(event.reason);
  }
  function onError(event: ErrorEvent): void {
    event.preventDefault();
    take(event.error);
  }
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return {
    [Symbol.dispose](): void {
      globalThis.removeEventListener("unhandledrejection", onRejection);
      globalThis.removeEventListener("error", onError);
    },
  };
}
