/**
 * Reads what tells whose a master of nginx or php-fpm is: its program, configuration, unit, namespace and
 * user.
 */

import { messageOf } from "../../mod/errors.ts";
import { commandOfTitle } from "../../mod/nginx/title.ts";
import { parsePidCgroup } from "../../mod/proc/pid_cgroup.ts";
import { parsePidStatus, type PidStatus } from "../../mod/proc/pid_status.ts";
import type { ProcessInfo } from "../../mod/processes/process.ts";
import type { WebTier } from "../../mod/processes/web_tier.ts";
import { absent, failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import { maybeUnitOf } from "../../mod/services/cgroup_unit.ts";
import type { WebMaster } from "../../mod/services/ownership.ts";
import { maybeConfPath, type WebKind } from "../../mod/services/web_program.ts";
import type { Source } from "../source.ts";
import type { HostFiles } from "../check/host_files.ts";

/** What reading them takes. */
export interface MasterPorts {
  readonly host: HostFiles;
  readonly source: Source;
}

/**
 * The masters of a web tier with what else is told of them. What cannot be read is not known. Never throws.
 */
export function readMasters({ nginx, fpm }: WebTier, ports: MasterPorts): readonly WebMaster[] {
  return [
    ...nginx.map(({ master }) => masterOf("nginx", master, undefined, ports)),
    ...fpm.map(({ master, confPath }) => masterOf("php-fpm", master, confPath, ports)),
  ];
}

function masterOf(
  kind: WebKind,
  { pid, ppid, argv, namespaceDepth }: ProcessInfo,
  confPath: string | undefined,
  { source, host }: MasterPorts,
): WebMaster {
  const [started = "", ...args] = kind === "nginx" ? commandOfTitle(argv ?? []) : [];
  const folder = source.kind === "proc-root" ? `${source.root}/${pid}` : undefined;
  return {
    kind,
    pid,
    ppid,
    program: maybeProgram(folder, host) ?? (started.startsWith("/") ? started : undefined),
    confPath: confPath ?? maybeConfPath(kind, args),
    unit: folder === undefined ? failed("no proc root") : readUnit(`${folder}/cgroup`, host),
    inContainer: namespaceDepth === undefined ? undefined : namespaceDepth > 1,
    uid: folder === undefined ? undefined : maybeStatus(folder, host)?.uid,
  };
}

/** The program that a process runs; a package that was upgraded since has put another file in its place. */
function maybeProgram(folder: string | undefined, host: HostFiles): string | undefined {
  return folder === undefined
    ? undefined
    : host.maybeLinkTarget(`${folder}/exe`)?.replace(/ \(deleted\)$/, "");
}

/**
 * What the kernel says of a process; undefined where that cannot be read. The owner of the folder would be root for
 * whoever hides it. Never throws.
 */
export function maybeStatus(folder: string, host: HostFiles): PidStatus | undefined {
  const path = `${folder}/status`;
  try {
    return parsePidStatus(maybeValue(host.readText(path)) ?? "", path);
  } catch {
    return undefined;
  }
}

/** The unit that a process is in, by its `cgroup` file. Never throws. */
export function readUnit(path: string, host: HostFiles): Reading<string> {
  const text = host.readText(path);
  if (text.kind !== "ok") return failed(`Cannot read ${path}`);
  try {
    const unit = maybeUnitOf(parsePidCgroup(text.value, path));
    return unit === undefined ? absent("in no unit") : ok(unit);
  } catch (error) {
    return failed(messageOf(error));
  }
}
