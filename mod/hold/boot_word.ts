/** The word for a boot where the kernel's id cannot be read. */

/** How a word begins that was worked out from two clocks. */
export const GUESSED_BOOT = "booted-";

/** The word for the boot at a time, to ten seconds: a clock that is set makes it another one. Never throws. */
export function guessedBoot(bootedWallMs: number): string {
  return `${GUESSED_BOOT}${Math.round(bootedWallMs / 10_000)}`;
}
