/** Keeps the marker files as the ladder says. */

import { GUARD_FILE, markerFile } from "../mod/hold/marker_files.ts";
import { type Marker, MARKERS } from "../mod/ladder/state.ts";
import { describeFileError } from "./atomic_file.ts";

/** What was changed, and what could not be. */
export interface MarkersOutcome {
  readonly written: readonly Marker[];
  readonly removed: readonly Marker[];
  /** One line for each file that is not as it should be. */
  readonly problems: readonly string[];
}

/** What became of the guard. */
export type GuardOutcome =
  | { readonly kind: "ok"; readonly changed: boolean }
  | { readonly kind: "failed"; readonly error: string };

/**
 * Makes the markers of all tiers as they are to be: writes what is missing, removes what is stale, and leaves
 * alone what is right. Doing it again changes nothing. Never throws.
 *
 * No file is read, listed or looked at: the binary has leave for these names in `/run` and no others.
 *
 * @param present The markers that are to be there; all others are not to be
 * @param folder One of `MARKER_FOLDERS`
 */
export function applyMarkers(present: readonly Marker[], folder: string): MarkersOutcome {
  const written: Marker[] = [];
  const removed: Marker[] = [];
  const problems: string[] = [];
  // First what is missing: while a tier changes, others see both rather than none.
  for (const isPresent of [true, false]) {
    for (const marker of MARKERS.filter((marker) => present.includes(marker) === isPresent)) {
      const outcome = applyFile(`${folder}/${markerFile(marker)}`, isPresent);
      if (outcome.kind === "failed") problems.push(outcome.error);
      else if (outcome.changed) (isPresent ? written : removed).push(marker);
    }
  }
  return { written, removed, problems };
}

/** Sets up or takes away the guard that is there while the web is being stopped. Never throws. */
export function applyGuard(on: boolean, folder: string): GuardOutcome {
  return applyFile(`${folder}/${GUARD_FILE}`, on);
}

/** Empty, as `touch` leaves it: that takes no space, so a full disk mostly has room for it. */
function applyFile(path: string, isPresent: boolean): GuardOutcome {
  try {
    if (isPresent) Deno.openSync(path, { write: true, createNew: true, mode: 0o644 }).close();
    else Deno.removeSync(path);
    return { kind: "ok", changed: true };
  } catch (error) {
    if (error instanceof (isPresent ? Deno.errors.AlreadyExists : Deno.errors.NotFound)) {
      return { kind: "ok", changed: false };
    }
    const verb = isPresent ? "write" : "remove";
    return { kind: "failed", error: `Cannot ${verb} marker ${path}: ${describeFileError(error, path)}` };
  }
}
