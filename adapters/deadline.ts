/** Waiting for something that may never come, such as a disk that does not answer. */

/**
 * The value of a promise, or undefined when it takes longer. Rejects as the promise does within that time.
 */
export async function deadlineOf<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
