/**
 * Which units go down with a unit of the web, so that they are started again with it.
 *
 * systemd stops a unit with `BindsTo=` whenever what it is bound to is down, also where that was stopped alone, and what
 * requires that unit or is part of it with it. It starts none of them when the other is up again.
 */

import type { OwnService } from "../../mod/hold/own_services.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { RunCommand } from "../command.ts";
import { showUnits } from "./service_files.ts";

/** What finding them takes. */
export interface BoundPorts {
  readonly run: RunCommand;
  readonly host: HostFiles;
}

/**
 * What can be started by itself. To start a target would start all that it wants, also what somebody has stopped.
 */
const STARTED = /\.(?:path|service|socket|timer)$/;

/** Active states of what somebody wants to run. */
const UP: ReadonlySet<string> = new Set(["active", "activating", "reloading"]);

/** Steps from the web to the last of a chain. */
const STEPS = 5;

/** A service that runs, with the units that will go down with it and run now. Never rejects. */
export async function withBoundUnits({ ref, file }: OwnService, ports: BoundPorts): Promise<ServiceRef> {
  const boundUnits: string[] = [];
  const asked = new Set([ref.name]);
  let next = file?.state?.boundBy ?? [];
  for (let step = 0; step < STEPS && next.length > 0; step++) {
    const names = next.filter((name) => STARTED.test(name) && !asked.has(name));
    if (names.length === 0) break;
    for (const name of names) asked.add(name);
    const { states } = await showUnits(names, ports.run, ports.host);
    const running = states.filter(({ activeState }) => UP.has(activeState));
    boundUnits.push(...running.map(({ id }) => id));
    next = running.flatMap(({ boundBy, stoppedWith }) => [...boundBy, ...stoppedWith]);
  }
  return boundUnits.length === 0 ? ref : { ...ref, boundUnits: [...new Set(boundUnits)] };
}
