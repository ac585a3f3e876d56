/** Waiting for something that may never come, such as a disk that does not answer. */

import type { Clock } from "./clock.ts";

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

/** Waits for a promise, or until so many milliseconds of this clock are over. Rejects as the promise does within that time. */
export async function waitAtMost(
  ms: number,
  promise: Promise<unknown> | undefined,
  clock: Pick<Clock, "sleep">,
): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([promise, clock.sleep(ms, over.signal)]);
  } finally {
    over.abort();
  }
}
