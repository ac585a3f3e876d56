/**
 * The web tier of this host: which services run, stopping them and starting them again.
 *
 * Whatever is done is looked at afterwards: a service is stopped when no process of it is left, and started
 * when it has a master, workers and a socket that waits for connections.
 */

import { isRunning, type OwnService } from "../../mod/hold/own_services.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { mapReading, ok, type Reading } from "../../mod/reading.ts";
import type { ForeignMaster, ServiceManager } from "../../mod/services/ownership.ts";
import { createHostFiles, type HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import type { ProcessReader } from "../process_reader.ts";
import type { Source } from "../source.ts";
import type { ServiceOutcome } from "./service_outcome.ts";
import * as starting from "./start_services.ts";
import * as stopping from "./stop_services.ts";
import { withBoundUnits } from "./bound_units.ts";
import { maybeTested } from "./tested.ts";
import { leftRunning, lookAtServices, type OutOfReach, servicesInReach } from "./web_look.ts";

export type { ServiceOutcome } from "./service_outcome.ts";
export type { StartOptions } from "./start_services.ts";
export type { OutOfReach } from "./web_look.ts";
export type { StopOptions } from "./stop_services.ts";

/** What all of it takes. */
export interface WebTierPorts {
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  readonly source: Source;
  readonly clock: Clock;
  /** Default: the files of this host. */
  readonly host?: HostFiles;
}

/** A pause waits for it: what takes longer, as on a host that is overloaded, is stopped by what was said before, or untested. */
const TEST_DEADLINE_MS = 3_000;

/** What runs. */
export interface RunningServices {
  readonly manager: ServiceManager;
  /** What is ours to stop: everything of which any process runs, workers without a master included. */
  readonly services: readonly ServiceRef[];
  /** Masters that are not ours to stop, and why. */
  readonly foreign: readonly ForeignMaster[];
  /** Ours and running, but left alone, because it could not be stopped or would not come back. */
  readonly outOfReach: readonly OutOfReach[];
  /** Workers without a master that may be anybody's: they are left alone. */
  readonly unsurePids: readonly number[];
  /** Why it is not known how the units stand; undefined when it is known, or there are no units. */
  readonly problem: string | undefined;
}

/**
 * What runs now and is ours to stop. The configuration of each is tested: what serves with an old one while the new one
 * is broken would not start again. Failed when the processes cannot be read. Never rejects.
 */
export async function findRunningServices(ports: WebTierPorts): Promise<Reading<RunningServices>> {
  const seen = await lookAtServices(withHost(ports));
  if (seen.kind !== "ok") return seen;
  const look = seen.value;
  const running = servicesInReach(look).filter(isRunning);
  const broken = await findBroken(running.map(({ ref }) => ref), ports.run);
  const stoppable = running.filter(({ ref }) => !broken.some(({ service }) => service === ref));
  return ok({
    manager: look.manager,
    services: await Promise.all(stoppable.map((service) => withBoundUnits(service, withHost(ports)))),
    foreign: look.foreign,
    outOfReach: [...leftRunning(look), ...broken],
    unsurePids: look.unsure.map(({ pid }) => pid),
    problem: look.problem,
  });
}

/** Those of some services whose configuration is broken on the disk. */
async function findBroken(services: readonly ServiceRef[], run: RunCommand): Promise<readonly OutOfReach[]> {
  const tests = await Promise.all(services.map(async (service) => {
    const tested = await maybeTested(service, run, TEST_DEADLINE_MS);
    if (tested?.verdict !== "broken") return [];
    const cause = tested.cause ?? tested.text;
    return [{ service, why: `its configuration is broken, and it would not start again: ${cause}` }];
  }));
  return tests.flat();
}

/**
 * The services of this host that have a master, so that somebody or something has started them. Failed when the
 * processes cannot be read. Never rejects.
 */
export async function findStartedServices(ports: WebTierPorts): Promise<Reading<readonly ServiceRef[]>> {
  return mapReading(
    await lookAtServices(withHost(ports)),
    ({ services }) => services.filter(({ masters }) => masters.length > 0).map(({ ref }) => ref),
  );
}

/**
 * The services of this host that do not run although they are to run since boot: units that are enabled,
 * scripts that have a start link. Without a service manager all that is installed. Failed when the processes
 * cannot be read. Never rejects.
 */
export async function findStoppedServices(ports: WebTierPorts): Promise<Reading<readonly ServiceRef[]>> {
  const { host, ...rest } = withHost(ports);
  return mapReading(await lookAtServices({ ...rest, host }), (look) => {
    const started = startedAtBoot(host);
    return servicesInReach(look).filter((service) =>
      service.masters.length === 0 && isWanted(service, started)
    )
      .map(({ ref }) => ref);
  });
}

function isWanted({ ref, file }: OwnService, startedScripts: ReadonlySet<string> | undefined): boolean {
  switch (ref.manager) {
    case "systemd":
      return file?.state === undefined || ENABLED.has(file.state.fileState);
    case "sysv":
      return startedScripts?.has(ref.name) ?? true;
    case "none":
      return true;
  }
}

/** Of units that systemd starts at boot; those made from init scripts are `generated`. */
const ENABLED: ReadonlySet<string> = new Set(["enabled", "enabled-runtime", "generated"]);

/** Where init looks for the scripts to start in each runlevel with several users. */
const RUNLEVELS = ["/etc/rc2.d", "/etc/rc3.d", "/etc/rc4.d", "/etc/rc5.d"] as const;

/** Names of the scripts that init starts; undefined where no runlevel can be looked at. */
function startedAtBoot(host: HostFiles): ReadonlySet<string> | undefined {
  const entries = RUNLEVELS.flatMap(host.list);
  if (entries.length === 0) return undefined;
  return new Set(entries.flatMap(({ name }) => /^S\d\d(.+)$/.exec(name)?.[1] ?? []));
}

/** Stops exactly these services. See `stop_services.ts`. Never rejects. */
export async function stopServices(
  services: readonly ServiceRef[],
  ports: WebTierPorts,
  options: stopping.StopOptions = {},
): Promise<readonly ServiceOutcome[]> {
  return await stopping.stopServices(services, withHost(ports), options);
}

/** Starts exactly these services. See `start_services.ts`. Never rejects. */
export async function startServices(
  services: readonly ServiceRef[],
  ports: WebTierPorts,
  options: starting.StartOptions = {},
): Promise<readonly ServiceOutcome[]> {
  return await starting.startServices(services, withHost(ports), options);
}

function withHost(ports: WebTierPorts): Required<WebTierPorts> {
  return { host: createHostFiles(), ...ports };
}
