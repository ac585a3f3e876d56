/** Files where why something failed does not matter. */

/** The text of a file; undefined where it cannot be had. Never throws. */
export function maybeText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

/** Removes a file. Whether this call removed it. Never throws. */
export function removeQuietly(path: string): boolean {
  try {
    Deno.removeSync(path);
    return true;
  } catch {
    return false;
  }
}
