/**
 * How much CPU this host may use, where a cgroup around all of it says so.
 *
 * `/sys` itself is closed to the sandbox; through a proc root it can be read as `self/root/sys`.
 *
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html
 */

import type { CpuLimit } from "../../mod/check/findings.ts";
import { parseCfsQuota, parseCpuMax } from "../../mod/proc/cpu_max.ts";
import { parsePidCgroup } from "../../mod/proc/pid_cgroup.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { HostFiles } from "./host_files.ts";

const CGROUPS = "self/root/sys/fs/cgroup";

/** Where hierarchies of cgroup v1 with the CPU controller are mounted. */
const V1_MOUNTS = ["cpu", "cpu,cpuacct"] as const;

/**
 * The lowest limit of the cgroups that process 1 is in: those bind everything here, while the one of this
 * program's own cgroup may come from the shell it was started in. Never throws.
 *
 * @returns Undefined when there is no limit, or none can be seen
 */
export function maybeCpuLimit(procRoot: string, host: HostFiles): CpuLimit | undefined {
  return maybeCpuLimitOf(1, procRoot, host);
}

/**
 * The lowest limit of the cgroups that a process is in. Never throws.
 *
 * @returns Undefined when there is no limit, or none can be seen
 */
export function maybeCpuLimitOf(pid: number, procRoot: string, host: HostFiles): CpuLimit | undefined {
  const folder = `${procRoot}/${CGROUPS}`;
  const limits = cgroupsOf(pid, procRoot, host).flatMap((cgroup): readonly CpuLimit[] => {
    const candidates = [
      maybeV2Limit(`${folder}${cgroup}`, host),
      ...V1_MOUNTS.map((mount) => maybeV1Limit(`${folder}/${mount}${cgroup}`, host)),
    ];
    const cpus = candidates.find((limit) => limit !== undefined);
    return cpus === undefined ? [] : [{ cpus, cgroup: cgroup === "" ? "/" : cgroup }];
  });
  return limits.sort((a, b) => a.cpus - b.cpus)[0];
}

/** The cgroups of a process from the innermost to the root, which is empty; each without a closing slash. */
function cgroupsOf(pid: number, procRoot: string, host: HostFiles): readonly string[] {
  const path = `${procRoot}/${pid}/cgroup`;
  try {
    const { v2Path, v1Paths } = parsePidCgroup(maybeValue(host.readText(path)) ?? "", path);
    const paths = [v2Path, v1Paths["cpu"]].filter((own) =>
      own !== undefined && !own.includes("/..")
    ) as string[];
    return [...new Set([...paths.flatMap(withParents), ""])];
  } catch {
    return [""];
  }
}

function withParents(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join("/")}`);
}

function maybeV2Limit(folder: string, host: HostFiles): number | undefined {
  const path = `${folder}/cpu.max`;
  return maybeParsed(host.readText(path), (text) => parseCpuMax(text, path));
}

function maybeV1Limit(folder: string, host: HostFiles): number | undefined {
  const path = `${folder}/cpu.cfs_quota_us`;
  const period = maybeValue(host.readText(`${folder}/cpu.cfs_period_us`));
  if (period === undefined) return undefined;
  return maybeParsed(host.readText(path), (quota) => parseCfsQuota(quota, period, path));
}

/** A limit that is not understood is none: it is shown, and decides nothing. */
function maybeParsed(
  text: ReturnType<HostFiles["readText"]>,
  parse: (text: string) => number | undefined,
): number | undefined {
  if (text.kind !== "ok") return undefined;
  try {
    return parse(text.value);
  } catch {
    return undefined;
  }
}
