/**
 * A course of values as a row of bars: `▁▂▃▅▆▇█▇`.
 *
 * Of our own because the package for it (sparkly) asks for colours in a dozen environment variables, none of which the
 * sandbox grants, and ends the program when it is refused.
 */

const BARS = "▁▂▃▄▅▆▇█";

/**
 * Draws values as bars, oldest first.
 *
 * @param values At least 0; the lowest bar stands for 0
 * @param greatest What the highest bar stands for, above 0; values beyond it get the highest bar as well
 * @param width Bars at most; each stands for the peak of equally many values
 * @returns Empty with fewer than two values: one bar tells no course
 */
export function renderSparkline(values: readonly number[], greatest: number, width: number): string {
  if (values.length < 2) return "";
  const perBar = Math.ceil(values.length / width);
  let bars = "";
  for (let start = 0; start < values.length; start += perBar) {
    const peak = Math.max(...values.slice(start, start + perBar));
    bars += BARS[Math.min(BARS.length - 1, Math.floor(peak / greatest * BARS.length))];
  }
  return bars;
}
