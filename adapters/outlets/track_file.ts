/**
 * Keeps the file that keepalived tracks: one number, which it adds to the priority of this host.
 *
 * Where nothing is known, what is written stays: a file has no age, and an agent that starts or is late must
 * move no address. Only a file that is not there is begun with the number of a healthy host.
 */

import { TRACK_HEALTHY, trackValue } from "../../mod/probe/outlets/track_value.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { writeAtomically } from "../atomic_file.ts";
import { maybeText } from "../quiet_file.ts";
import type { ListenerPorts } from "./kept_listener.ts";
import type { Outlet } from "./outlet.ts";

/** Where the file is. */
export const TRACK_PATH = "/run/loadweir/state/keepalived";

/** What is written, and where. */
export interface TrackFilePlan {
  readonly path: string;
  /** Number of a host that is out, below 0, as it is now. */
  readonly drainedValue: () => number;
  readonly published: () => Published;
}

/** Begins to keep the file; the first number is written at once. */
export function openTrackFile(
  { path, drainedValue, published }: TrackFilePlan,
  { tellChange }: Pick<ListenerPorts, "tellChange">,
): Outlet {
  // keepalived looks at each change, so that a number which is there is not written again.
  function write(value: number | undefined): void {
    const there = maybeText(path)?.trim();
    if (there !== undefined && (value === undefined || there === String(value))) return;
    const outcome = writeAtomically(path, `${value ?? TRACK_HEALTHY}\n`, { durable: false, mode: 0o644 });
    tellChange("track file of keepalived", outcome.kind === "ok" ? undefined : outcome.error);
  }

  function publish(): void {
    write(trackValue(published(), drainedValue()));
  }

  publish();
  return {
    addresses: () => [],
    publish,
    close(): Promise<void> {
      write(TRACK_HEALTHY);
      return Promise.resolve();
    },
  };
}
