/** How many CPUs the processes of a group may use, by their cgroups and by what they are bound to. */

import { parseAllowedCpus } from "../../mod/proc/pid_allowed_cpus.ts";
import type { ProcessGroup } from "../../mod/pressure/sample.ts";
import type { HostFiles } from "../check/host_files.ts";
import { maybeCpuLimitOf } from "../check/cpu_limit.ts";
import { maybeText } from "../quiet_file.ts";
import type { Clock } from "../clock.ts";

/** Tells it. */
export interface AllowedCpus {
  /**
   * CPUs, often a fraction; undefined where that cannot be told. Never throws.
   *
   * @param name What the group is remembered by
   * @param hostCount CPUs of the host: a process that nothing binds may also use those that it has not
   */
  readonly of: (name: string, group: ProcessGroup, hostCount: number) => number | undefined;
}

/** What the look takes. */
export interface AllowedCpusPorts {
  readonly root: string;
  readonly host: HostFiles;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Limits change when somebody works on the host. */
const AGAIN_MS = 30_000;

/** Workers of one program are bound alike, or one to each CPU. */
const LOOKED_AT = 64;

/** Makes the look, which remembers. */
export function createAllowedCpus({ root, host, clock }: AllowedCpusPorts): AllowedCpus {
  const known = new Map<string, { readonly cpus: number | undefined; readonly untilMs: number }>();

  function lookAt(group: ProcessGroup, hostCount: number): number | undefined {
    const processes = group.slice(0, LOOKED_AT);
    const limit = maybeLimit(processes, root, host);
    const bound = maybeBoundCount(processes, root);
    if (limit === undefined && bound === undefined) return undefined;
    return Math.min(limit ?? Infinity, bound ?? Infinity, hostCount);
  }

  return {
    of(name: string, group: ProcessGroup, hostCount: number): number | undefined {
      const nowMs = clock.monotonicMs();
      const before = known.get(name);
      if (group.length === 0 || (before !== undefined && nowMs < before.untilMs)) return before?.cpus;
      const cpus = lookAt(group, hostCount);
      // One that could not be told is asked for again at once: its process has ended.
      known.set(name, { cpus, untilMs: cpus === undefined ? nowMs : nowMs + AGAIN_MS });
      return cpus;
    },
  };
}

/** What the cgroups let the processes have together; undefined where one of them has no limit. */
function maybeLimit(processes: ProcessGroup, root: string, host: HostFiles): number | undefined {
  const limits = new Map<string, number>();
  const seen = new Set<string>();
  for (const { pid } of processes) {
    const cgroups = maybeText(`${root}/${pid}/cgroup`);
    if (cgroups === undefined || seen.has(cgroups)) continue;
    seen.add(cgroups);
    const limit = maybeCpuLimitOf(pid, root, host);
    if (limit === undefined) return undefined;
    limits.set(limit.cgroup, limit.cpus);
  }
  if (limits.size === 0) return undefined;
  return [...limits.values()].reduce((sum, cpus) => sum + cpus, 0);
}

/** How many CPUs the processes are bound to together; undefined where none tells. */
function maybeBoundCount(processes: ProcessGroup, root: string): number | undefined {
  const cpus = new Set<number>();
  for (const { pid } of processes) {
    for (const cpu of parseAllowedCpus(maybeText(`${root}/${pid}/status`) ?? "") ?? []) cpus.add(cpu);
  }
  return cpus.size === 0 ? undefined : cpus.size;
}
