/** Files where why something failed does not matter. */

/** The text of a file; undefined where it cannot be had. Never throws. */
export function maybeText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

/** What a file says; undefined where it cannot be had, or is none of these. Never throws. */
export function maybeParsed<T>(path: string, parse: (text: string, source: string) => T): T | undefined {
  try {
    return parse(Deno.readTextFileSync(path), path);
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
