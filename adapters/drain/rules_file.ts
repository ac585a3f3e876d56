/**
 * Files of somebody else's that are edited: replaced whole, with the owner and mode that they had, and the original kept
 * beside them as the very file that it was.
 */

import { newNameOf } from "../../mod/drain/ufw_rules.ts";

/**
 * Keeps a file under a second name. One that is there from an edit before is replaced: the file has been written anew since.
 *
 * @throws What `Deno.linkSync` throws
 */
export function keepOriginal(path: string, original: string): void {
  removeIfThere(original);
  Deno.linkSync(path, original);
}

/**
 * Replaces a file whole, so that the kept one is not written to, and whoever reads sees the one or the other.
 *
 * @throws What writing and renaming throw; then the file is as it was
 */
export function replaceKeepingOwner(path: string, text: string): void {
  const { mode, uid, gid } = Deno.statSync(path);
  const temporary = newNameOf(path);
  removeIfThere(temporary);
  try {
    {
      using file = Deno.openSync(temporary, { write: true, createNew: true, mode: 0o600 });
      const bytes = new TextEncoder().encode(text);
      for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
      file.syncSync();
    }
    // To give a file away takes a right that a unit need not have.
    const own = Deno.statSync(temporary);
    if (own.uid !== uid || own.gid !== gid) Deno.chownSync(temporary, uid, gid);
    Deno.chmodSync(temporary, (mode ?? 0o640) & 0o777);
    Deno.renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** @throws What `Deno.removeSync` throws, but for a file that is not there */
export function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
