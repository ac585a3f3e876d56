/** The known word that a mistyped one was most likely meant to be. */

import { levenshteinDistance } from "@std/text/levenshtein-distance";

/** Longer words than any key or verb are not compared: the distance costs the product of both lengths. */
const LENGTH_LIMIT = 64;

/**
 * The candidate that differs from a word by the fewest typed letters, ignoring case.
 *
 * A third of the letters may be wrong, and at least two, as when two are swapped: `resume_fracton` finds
 * `resume_fraction`, `max` does not find `crit`. Of candidates equally near, the first one is taken.
 *
 * @returns Undefined when nothing is near enough to be worth suggesting
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LENGTH_LIMIT) return undefined;
  const lowerCased = word.toLowerCase();
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  let found: string | undefined;
  for (const candidate of candidates) {
    const distance = levenshteinDistance(lowerCased, candidate.toLowerCase());
    if (distance < fewest) {
      fewest = distance;
      found = candidate;
    }
  }
  return found;
}
