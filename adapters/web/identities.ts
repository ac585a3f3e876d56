/** What names processes for signals: those whose start is not known cannot get one. */

import type { ProcessInfo } from "../../mod/processes/process.ts";
import type { ProcessIdentity } from "../signal.ts";

/** The identities of processes, in their order, without those that were listed by `ps`. */
export function identitiesOf(processes: readonly ProcessInfo[]): readonly ProcessIdentity[] {
  return processes.flatMap(({ pid, startTicks }) => startTicks === undefined ? [] : [{ pid, startTicks }]);
}
