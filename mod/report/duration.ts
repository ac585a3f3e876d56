/** Lengths of time as people write them. */

const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], ["s", 1_000]] as const;

/** The two largest units of a length of time: `4 m 12 s`, `1 d 2 h`, `0 s`. */
export function durationText(ms: number): string {
  let rest = Math.round(ms / 1000) * 1000;
  const parts: string[] = [];
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`);
    else if (parts.length === 1) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}
