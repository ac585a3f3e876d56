/** What of the watched web tier and its applications is there now: one look, and nothing is scaled. */

import type { WatchedFinding } from "../../mod/check/findings.ts";
import { isPressureWatched, type Watched } from "../../mod/pressure/config_rules.ts";
import type { ProcessGroup } from "../../mod/pressure/sample.ts";
import type { Reading } from "../../mod/reading.ts";
import { createSampler, type LookPorts } from "../pressure/look.ts";

/** Looks once. Empty where nothing is watched. Never rejects. */
export async function lookAtWatched(watched: Watched, ports: LookPorts): Promise<readonly WatchedFinding[]> {
  if (!isPressureWatched(watched)) return [];
  const sampler = createSampler(ports, watched);
  try {
    const { instances, apps } = await sampler.take();
    return [
      ...instances.map(({ name, group, metrics }): WatchedFinding => ({
        kind: "instance",
        name,
        processes: countOf(group),
        metrics,
      })),
      ...apps.map(({ name, group, pools }): WatchedFinding => ({
        kind: "app",
        name,
        processes: countOf(group),
        pools: pools.map((pool) => pool.name),
      })),
    ];
  } finally {
    sampler.close();
  }
}

function countOf(group: Reading<ProcessGroup>): Reading<number> {
  return group.kind === "ok" ? { kind: "ok", value: group.value.length } : group;
}
