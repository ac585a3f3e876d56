/**
 * Ends init scripts that are still stopping a service for somebody who is gone, as an agent that was killed:
 * they would take down again what is started now. A script whose starter still waits for it is left alone.
 */

import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { endProcesses } from "../signal.ts";
import { identitiesOf } from "./identities.ts";
import { type LookPorts, WEB_TIER_ALONE } from "./web_look.ts";

/** What ending them takes. */
export interface AbandonedPorts extends LookPorts {
  readonly clock: Clock;
}

const STOPPING: ReadonlySet<string> = new Set(["stop", "force-quit"]);

/** Ends the abandoned stops of a service, with all that they started. Gives their pids. Never rejects. */
export async function endAbandonedStops(
  { manager, name }: ServiceRef,
  ports: AbandonedPorts,
): Promise<readonly number[]> {
  const { source, processes } = ports;
  if (manager !== "sysv" || source.kind !== "proc-root") return [];
  // The kernel names a script after its file, so a script of nginx is read with the web tier.
  const table = maybeValue(await processes.read(WEB_TIER_ALONE, "everything"))?.processes ?? [];
  const stops = table.filter(({ ppid, argv = [] }) =>
    ppid === 1 && argv.some((word, index) => word.endsWith(`/${name}`) && STOPPING.has(argv[index + 1] ?? ""))
  );
  if (stops.length === 0) return [];
  const all = [...stops];
  for (const parent of all) all.push(...childrenOf(parent, table));
  await endProcesses(identitiesOf(all), { ...ports, root: source.root });
  return stops.map(({ pid }) => pid);
}

function childrenOf({ pid }: ProcessInfo, table: readonly ProcessInfo[]): readonly ProcessInfo[] {
  return table.filter(({ ppid }) => ppid === pid);
}
