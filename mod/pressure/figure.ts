/**
 * Figures of pressure as text: two decimals, and four where two would hide on which side of a threshold a figure lies.
 *
 * Rounded half to even on the exact binary value, as Python does: 0.595 is stored a little below, so it is 0.59.
 */

/** Digits that hold any double between 0.0001 and 1 000 in full: at most 53 of its bits lie behind the point. */
const EXACT_DIGITS = 70;

/** A figure with so many decimals. Never throws; what is no finite number is written as the language writes it. */
export function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return `${value}`;
  const rounded = value.toFixed(digits);
  const exact = Math.abs(value).toFixed(EXACT_DIGITS);
  const cut = exact.length - EXACT_DIGITS + digits;
  if (!/^50*$/.test(exact.slice(cut))) return rounded;
  // A tie, which the language takes away from zero: to even instead, which is the digit before when that is even.
  const kept = exact.slice(0, cut).replace(/\.$/, "");
  const isEven = Number(kept.at(-1)) % 2 === 0;
  return isEven ? `${value < 0 ? "-" : ""}${kept}` : rounded;
}

/** A figure rounded so, as a number. Never throws. */
export function rounded(value: number, digits: number): number {
  return Number(fixedText(value, digits));
}

/** A figure beside the thresholds that it is held against. Never throws. */
export function besideText(value: number, ...thresholds: readonly number[]): string {
  const short = fixedText(value, 2);
  const isHidden = thresholds.some((one) => value !== one && short === fixedText(one, 2));
  return isHidden ? fixedText(value, 4) : short;
}
