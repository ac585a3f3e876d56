/** Time, as the agent sees it; tests bring their own. */

/** Two clocks and a way to wait. */
export interface Clock {
  /** Milliseconds that never go back, whole. Only differences mean anything. */
  readonly monotonicMs: () => number;
  /** Milliseconds since 1970, for people. */
  readonly wallMs: () => number;
  /** Waits; ends early when the signal aborts. Never throws. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * The clocks of this machine. Their monotonic time counts from boot, so that it means the same to the next process.
 *
 * @param uptimeMs Milliseconds since boot, now
 */
export function createClock(uptimeMs: number): Clock {
  const bootMs = uptimeMs - performance.now();
  return { ...systemClock, monotonicMs: () => Math.round(performance.now() + bootMs) };
}

/** The clocks of this machine, with a monotonic time that counts from the start of this process. */
export const systemClock: Clock = {
  monotonicMs: () => Math.round(performance.now()),
  wallMs: () => Date.now(),
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.resolve();
    const timer = setTimeout(done, Math.max(0, ms));
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    return promise;
  },
};
