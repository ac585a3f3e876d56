/** When something ends that an earlier process has left in the ledger. */

/**
 * Its end in milliseconds since boot by the clock of now, never further away than when it was written: the clock of this
 * process may be behind that of the one before. Undefined is without end.
 */
export function maybeLeftEndMs(
  untilBootMs: number | undefined,
  writtenBootMs: number,
  nowBootMs: number,
): number | undefined {
  if (untilBootMs === undefined) return undefined;
  return Math.min(untilBootMs, nowBootMs + Math.max(0, untilBootMs - writtenBootMs));
}
