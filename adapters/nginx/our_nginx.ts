/** Finds the nginx of this host among all that run: the one that loads the crawler block. */

import { NGINX_FOLDER } from "../../mod/nginx/crawler_block.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import { findWebTier, type NginxInstance } from "../../mod/processes/web_tier.ts";
import { whyMissing } from "../../mod/reading.ts";
import type { ServiceManager, WebMaster } from "../../mod/services/ownership.ts";
import { findWebServices, type WebService } from "../../mod/services/web_services.ts";
import { createHostFiles, type HostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import type { ScanPatterns } from "../process_scan.ts";
import type { ProcessReader } from "../process_reader.ts";
import type { Source } from "../source.ts";
import { readWebSigns } from "../web/web_signs.ts";

/** Where packages put nginx. */
export const NGINX_PROGRAM = "/usr/sbin/nginx";

/** What nginx reads when its command names no configuration. */
export const NGINX_CONF = `${NGINX_FOLDER}/nginx.conf`;

/** What looking for nginx, reloading it and watching it takes. */
export interface NginxPorts {
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  readonly clock: Clock;
  readonly source: Source;
  /** Default: this host's. */
  readonly host?: HostFiles;
}

/** The nginx of this host, which runs. */
export interface RunningNginx {
  readonly manager: ServiceManager;
  /** The unit or init script that it belongs to; undefined when there is none. */
  readonly serviceName: string | undefined;
  readonly program: string;
  /** Its main configuration; undefined is {@linkcode NGINX_CONF}. */
  readonly confPath: string | undefined;
  readonly instance: NginxInstance;
}

/** Whether it runs; unknown when that cannot be told for certain. */
export type OurNginx =
  | { readonly kind: "running"; readonly nginx: RunningNginx }
  | { readonly kind: "stopped" }
  | { readonly kind: "unknown"; readonly why: string };

/** A command line that could not be read now can be a moment later, as can that of a process that starts. */
const LOOKS = 3;
const LOOK_AGAIN_MS = 200;

const WEB_TIER: ScanPatterns = {
  backups: { engines: [], orchestrators: [] },
  runaways: [],
  webTier: true,
};

/** Looks for the nginx of this host. Containers' and other users' are none of it. Never rejects. */
export async function findOurNginx(ports: NginxPorts): Promise<OurNginx> {
  for (let look = 1; look < LOOKS; look++) {
    const found = await lookForNginx(ports);
    if (found.kind !== "unknown") return found;
    await ports.clock.sleep(LOOK_AGAIN_MS);
  }
  return await lookForNginx(ports);
}

/** One nginx as it is now; gone when its master has ended. */
export type InstanceReading =
  | { readonly kind: "there"; readonly instance: NginxInstance }
  | { readonly kind: "gone" }
  | { readonly kind: "unknown"; readonly why: string };

/** Reads it, and again when not all of it could be read. Never rejects. */
export async function readInstance(instance: NginxInstance, ports: NginxPorts): Promise<InstanceReading> {
  for (let look = 1; look < LOOKS; look++) {
    const reading = await readInstanceOnce(instance, ports);
    if (reading.kind !== "unknown") return reading;
    await ports.clock.sleep(LOOK_AGAIN_MS);
  }
  return await readInstanceOnce(instance, ports);
}

/** Reads it once. Never rejects. */
export async function readInstanceOnce(
  { master }: NginxInstance,
  { processes }: NginxPorts,
): Promise<InstanceReading> {
  const table = await processes.read(WEB_TIER, "candidates");
  if (table.kind !== "ok") return { kind: "unknown", why: whyMissing(table) ?? "" };
  const tier = findWebTier(table.value.processes);
  // A worker that is taken for none of them now would pass for a new one later.
  const unread = tier.unclear.find(({ comm, argv }) => comm.startsWith("nginx") && argv === undefined);
  if (unread !== undefined) return { kind: "unknown", why: describeUnclear(unread) };
  const instance = tier.nginx.find((candidate) =>
    candidate.master.pid === master.pid && candidate.master.startTicks === master.startTicks
  );
  return instance === undefined ? { kind: "gone" } : { kind: "there", instance };
}

function describeUnclear({ pid }: ProcessInfo): string {
  return `what process ${pid} of nginx does could not be read`;
}

async function lookForNginx(ports: NginxPorts): Promise<OurNginx> {
  const table = await ports.processes.read(WEB_TIER, "candidates");
  if (table.kind !== "ok") return { kind: "unknown", why: whyMissing(table) ?? "" };
  const tier = findWebTier(table.value.processes);
  const { run, source, host = createHostFiles() } = ports;
  const { signs } = await readWebSigns({ ...tier, fpm: [] }, { host, run, source });
  const { services, foreign } = findWebServices(signs);
  const running = hostsOwn(services);
  const unsure = foreign.filter(({ reason }) => reason === "ambiguous").map(({ master }) => master);
  if (running.length > 1 || (running.length === 0 && unsure.length > 0)) {
    const pids = [...running.flatMap(({ masters }) => masters), ...unsure].map(({ pid }) => pid);
    return { kind: "unknown", why: `several nginx could be the host's, with masters ${pids.join(", ")}` };
  }
  const [service] = running;
  const master = newestOf(service?.masters ?? []);
  const instance = tier.nginx.find((candidate) => candidate.master.pid === master?.pid);
  if (service === undefined || master === undefined || instance === undefined) {
    const unclear = tier.unclear.find(({ comm }) => comm.startsWith("nginx"));
    return unclear === undefined ? { kind: "stopped" } : { kind: "unknown", why: describeUnclear(unclear) };
  }
  const { file } = service;
  return {
    kind: "running",
    nginx: {
      manager: signs.manager,
      serviceName: file === undefined ? undefined : serviceName(file.name, signs.manager),
      program: master.program ?? service.program ?? NGINX_PROGRAM,
      confPath: master.confPath,
      instance,
    },
  };
}

/** Services of nginx that run; of several, the one with the default configuration. */
function hostsOwn(services: readonly WebService[]): readonly WebService[] {
  const running = services.filter(({ kind, masters }) => kind === "nginx" && masters.length > 0);
  const usual = running.filter(({ masters }) =>
    masters.every(({ confPath }) => (confPath ?? NGINX_CONF) === NGINX_CONF)
  );
  return usual.length === 1 ? usual : running;
}

/** While the binary is replaced, the new master is a child of the old one. */
function newestOf(masters: readonly WebMaster[]): WebMaster | undefined {
  return masters.find(({ pid }) => !masters.some(({ ppid }) => ppid === pid));
}

function serviceName(name: string, manager: ServiceManager): string {
  return manager === "systemd" && !name.endsWith(".service") ? `${name}.service` : name;
}
