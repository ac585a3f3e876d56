/** Whether this program runs as root: the one place that decides it. */

/**
 * Whether this is root. That is also assumed where the runtime does not tell, as in a sandbox without that
 * grant: then files are trusted as root has to trust them, and what only root may do fails by itself. Never
 * throws.
 *
 * @param uid User id of the process; null on a system that has none
 */
export function isRoot(uid: () => number | null = Deno.uid): boolean {
  try {
    return uid() === 0;
  } catch {
    return true;
  }
}
