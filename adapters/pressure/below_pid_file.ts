/** The processes of a service without a unit: what its pid file names, with all that it started. */

import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { HostFiles } from "../check/host_files.ts";
import { isInContainer } from "./group_place.ts";
import type { KnownProcess } from "./known_processes.ts";

const PID = /^\s*([1-9]\d{0,9})\s*$/;

/**
 * The process that a pid file names, and all that descend from it; none where there is no such file or process. Failed where
 * the file cannot be read or holds something else. Never throws.
 */
export function belowPidFile(
  path: string,
  processes: ReadonlyMap<string, KnownProcess>,
  host: HostFiles,
): Reading<readonly KnownProcess[]> {
  const text = host.readText(path);
  if (text.kind === "absent") return ok([]);
  if (text.kind === "failed") return text;
  const pid = PID.exec(text.value)?.[1];
  if (pid === undefined) return failed(`Cannot use "${path}": it holds no pid, expected one number`);
  const head = processes.get(pid);
  if (head === undefined || head.stat.isKernelThread || !head.refresh()) return ok([]);
  const children = Map.groupBy(processes.values(), ({ stat }) => stat.ppid);
  const found = [head];
  for (const parent of found) {
    for (const child of children.get(parent.pid) ?? []) {
      // What is known of a parent may be old, and its pid another's by now: nobody is older than his parent.
      if (child.stat.startTicks < parent.stat.startTicks || found.includes(child)) continue;
      if (child.refresh() && child.stat.ppid === parent.pid && !isInContainer(child)) found.push(child);
    }
  }
  return ok(found);
}
