/** Looks which services of the web run on this host, with all their processes. */

import {
  findOwnServices,
  isRunning,
  isSameService,
  type LooseProcess,
  type OwnService,
  type OwnServices,
  type PidFile,
  withEnding,
} from "../../mod/hold/own_services.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { permittedValues } from "../../mod/permissions.ts";
import { parseSessionId } from "../../mod/proc/pid_session.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { baseName } from "../../mod/processes/program.ts";
import { findWebTier, type WebTier } from "../../mod/processes/web_tier.ts";
import { failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import type { ForeignMaster, ServiceManager } from "../../mod/services/ownership.ts";
import { isStartable } from "../../mod/services/systemctl.ts";
import { ENDING_SIGNALS } from "../../mod/services/web_program.ts";
import { findWebServices, type WebService, type WebSigns } from "../../mod/services/web_services.ts";
import type { HostFiles } from "../check/host_files.ts";
import type { RunCommand } from "../command.ts";
import type { ProcessReader } from "../process_reader.ts";
import type { ScanPatterns } from "../process_scan.ts";
import type { Source } from "../source.ts";
import { maybeStatus, readUnit } from "./web_masters.ts";
import { readWebSigns } from "./web_signs.ts";

/** What a look takes. */
export interface LookPorts {
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  readonly source: Source;
  readonly host: HostFiles;
}

/** What serves the web here, what is out of reach included. */
export interface WebLook extends OwnServices {
  readonly manager: ServiceManager;
  /** All that serves the web, whosever it is. */
  readonly tier: WebTier;
  /** Our own pid in the table; undefined when it is not the one that we are in. */
  readonly selfPid: number | undefined;
  readonly foreign: readonly ForeignMaster[];
  /** Why it is not known how the units stand; undefined when it is known, or there are no units. */
  readonly problem: string | undefined;
  /** Those of the services that would not come back if they were stopped, or cannot be stopped, and why. */
  readonly outOfReach: readonly OutOfReach[];
}

/** A service that is left alone. */
export interface OutOfReach {
  readonly service: ServiceRef;
  /** For people. */
  readonly why: string;
}

/** What a scan looks for: nginx and php-fpm, and nothing else. */
export const WEB_TIER_ALONE: ScanPatterns = {
  backups: { engines: [], orchestrators: [] },
  runaways: [],
  webTier: true,
};

/** Folders of pid files of php-fpm: Debian's, and that of the RHEL family. Others lie in `/run` itself. */
const PID_FOLDERS = ["/run/php", "/run/php-fpm"] as const;

/** A service as a look found it; undefined where the look failed or did not find it. */
export function maybeServiceIn(look: Reading<WebLook>, service: ServiceRef): OwnService | undefined {
  return maybeValue(look)?.services.find(({ ref }) => isSameService(ref, service));
}

/** Looks now. Failed when the processes cannot be read. Never rejects. */
export async function lookAtServices(ports: LookPorts): Promise<Reading<WebLook>> {
  const table = await ports.processes.read(WEB_TIER_ALONE, "candidates");
  if (table.kind !== "ok") return table;
  const tier = findWebTier(table.value.processes);
  const { signs, problem } = await readWebSigns(tier, ports);
  const { own, foreign } = sortServices(tier, signs, ports);
  const services = own.services.map((service) => withEnding(service, (master) => isEnding(master, ports)));
  const outOfReach = services.flatMap((service): readonly OutOfReach[] => {
    const why = whyOutOfReach(service, ports.source);
    return why === undefined ? [] : [{ service: service.ref, why }];
  });
  return ok({
    ...own,
    services,
    manager: signs.manager,
    tier,
    selfPid: table.value.selfPid,
    foreign,
    problem,
    outOfReach,
  });
}

/** The services of a look that may be stopped, because they can be started again; those that do not run, too. */
export function servicesInReach({ services, outOfReach }: WebLook): readonly OwnService[] {
  return services.filter(({ ref }) => !outOfReach.some(({ service }) => service === ref));
}

/** The services of a look that run, and are left alone. */
export function leftRunning({ services, outOfReach }: WebLook): readonly OutOfReach[] {
  return outOfReach.filter(({ service }) => services.some((one) => one.ref === service && isRunning(one)));
}

/** Whose the processes of a web tier are, by the signs of the host. Never throws. */
export function sortServices(
  tier: WebTier,
  signs: WebSigns,
  ports: Pick<LookPorts, "source" | "host">,
): { readonly own: OwnServices; readonly foreign: readonly ForeignMaster[] } {
  const { services, foreign } = findWebServices(signs);
  const loose = [...tier.orphans, ...tier.unclear].map((process) => looseOf(process, ports));
  const pidFiles = loose.length === 0 ? [] : readPidFiles(services, ports.host);
  return { own: findOwnServices({ manager: signs.manager, services, tier, loose, pidFiles }), foreign };
}

/** Why a service could not be stopped, or not be started again; undefined when there is no reason. */
function whyOutOfReach({ ref, file, masters }: OwnService, source: Source): string | undefined {
  if (masters.some(({ pid }) => pid === 1)) return "it is the first process of this host, which ends with it";
  const loadState = file?.state?.loadState ?? "";
  if (ref.manager === "systemd" && !isStartable(loadState)) {
    return `its unit is ${loadState}, and it would not start again`;
  }
  if (ref.manager !== "none") return undefined;
  if (source.kind !== "proc-root") {
    return "no unit or script stops it, and without a proc root nothing is signalled";
  }
  return ref.program !== undefined && permittedValues("run").includes(ref.program)
    ? undefined
    : `no unit or script starts it, and this binary may not run ${ref.program ?? "its program"}`;
}

/** Whether a process got a signal that ends it, and is in an uninterruptible wait or stopped, so that it is there still. */
function isEnding({ pid }: ProcessInfo, { source, host }: Pick<LookPorts, "source" | "host">): boolean {
  if (source.kind !== "proc-root") return false;
  const status = maybeStatus(`${source.root}/${pid}`, host);
  return status?.pendingSignals.some((signal) => ENDING_SIGNALS.includes(signal)) ?? false;
}

function looseOf(process: ProcessInfo, { source, host }: Pick<LookPorts, "source" | "host">): LooseProcess {
  if (source.kind !== "proc-root") return { process, unit: failed("no proc root"), sessionId: undefined };
  const folder = `${source.root}/${process.pid}`;
  return {
    process,
    unit: readUnit(`${folder}/cgroup`, host),
    sessionId: parseSessionId(maybeValue(host.readText(`${folder}/stat`)) ?? ""),
  };
}

/** The pid files that bear the name of a service or are in a folder of their own. */
function readPidFiles(services: readonly WebService[], host: HostFiles): readonly PidFile[] {
  const named = services.flatMap(({ file, program }) => [file?.name, program]).filter((name) =>
    name !== undefined
  ).map((name) => ({ folder: "/run", name: `${baseName(name).replace(/\.service$/, "")}.pid` }));
  const listed = PID_FOLDERS.flatMap((folder) =>
    host.list(folder).filter(({ name, isFile, linkTarget }) =>
      name.endsWith(".pid") && isFile && linkTarget === undefined
    ).map(({ name }) => ({ folder, name }))
  );
  return [...named, ...listed]
    .map(({ folder, name }) => ({ name, pid: Number(maybeValue(host.readText(`${folder}/${name}`)) ?? "") }))
    .filter(({ pid }) => Number.isSafeInteger(pid) && pid > 1);
}
