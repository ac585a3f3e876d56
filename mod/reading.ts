/**
 * What one look at the system gave: a value, nothing to see, or a failure. Never a guess.
 *
 * Absent is not zero: a kernel without PSI has no memory pressure figure, and no rule may read that as "no pressure".
 */

/** A value that was looked for: there, not offered by this system, or not readable this time. */
export type Reading<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly error: string };

/** A reading that holds a value. */
export function ok<T>(value: T): Reading<T> {
  return { kind: "ok", value };
}

/** A reading of something that this system does not offer, or that was not asked for. */
export function absent(reason: string): Reading<never> {
  return { kind: "absent", reason };
}

/** A reading that should have worked and did not. */
export function failed(error: string): Reading<never> {
  return { kind: "failed", error };
}

/** The value of a reading, or undefined where there is none. */
export function maybeValue<T>(reading: Reading<T> | undefined): T | undefined {
  return reading?.kind === "ok" ? reading.value : undefined;
}

/** The reading of a value computed from another one; absent and failed pass through unchanged. */
export function mapReading<T, U>(reading: Reading<T>, change: (value: T) => U): Reading<U> {
  return reading.kind === "ok" ? ok(change(reading.value)) : reading;
}

/** Why there is no value, in words, or undefined where there is one. */
export function whyMissing(reading: Reading<unknown>): string | undefined {
  switch (reading.kind) {
    case "ok":
      return undefined;
    case "absent":
      return reading.reason;
    case "failed":
      return reading.error;
  }
}
