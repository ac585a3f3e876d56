/** Looks at the readings: what they come from, which of them are there, and whose load it is. */

import type { ContainerView, SensorsFinding } from "../../mod/check/findings.ts";
import { whyHostLoad } from "../../mod/check/host_load.ts";
import { type ContainerSigns, containerSigns } from "../../mod/container.ts";
import { parseLoadavg } from "../../mod/proc/loadavg.ts";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { mapReading, maybeValue, type Reading } from "../../mod/reading.ts";
import type { Sample } from "../../mod/ladder/sample.ts";
import { describeSource, type Source, type SourceChoice } from "../source.ts";
import { maybeCpuLimit } from "./cpu_limit.ts";
import type { HostFiles } from "./host_files.ts";

/** Written by systemd where it runs in a container: the name of what made it. */
const SYSTEMD_CONTAINER = "/run/systemd/container";

/** Made by Podman and by Docker. */
const CONTAINER_MARKS = [["/run/.containerenv", "podman"], ["/.dockerenv", "docker"]] as const;

/** Says what the readings of this host are worth. Never throws. */
export function lookAtSensors(
  { source, notes }: SourceChoice,
  sample: Sample,
  table: Reading<ProcessTable>,
  host: HostFiles,
): SensorsFinding {
  const procRoot = source.kind === "proc-root" ? source.root : undefined;
  return {
    source: describeSource(source),
    sourceName: source.name,
    procRoot,
    notes,
    sample,
    processes: mapReading(table, ({ foundCount }) => foundCount),
    cpuLimit: procRoot === undefined ? undefined : maybeCpuLimit(procRoot, host),
    container: viewContainer(source, maybeValue(table), host),
  };
}

/** Whether this is a container, and whose load it sees. Never throws. */
export function viewContainer(
  source: Source,
  table: ProcessTable | undefined,
  host: HostFiles,
): ContainerView {
  const procRoot = source.kind === "proc-root" ? source.root : undefined;
  // A recording is of another machine than the one whose files have the marks.
  const isRecording = procRoot !== undefined && table !== undefined && table.selfPid === undefined;
  if (isRecording) return { kind: undefined, hostLoad: undefined };
  const signs = table && maybeSigns(procRoot, table, host);
  // Many virtual machines start from the image of a container, with its marks.
  const kind = signs?.kthreaddVisible ? undefined : maybeContainerKind(host);
  return { kind, hostLoad: whyHostLoad({ hasProcRoot: procRoot !== undefined, signs, containerKind: kind }) };
}

function maybeContainerKind(host: HostFiles): string | undefined {
  const named = maybeValue(host.readText(SYSTEMD_CONTAINER))?.trim();
  if (named !== undefined && named !== "") return named;
  return CONTAINER_MARKS.find(([path]) => host.exists(path))?.[1];
}

/** The signs of a process table, with the number of tasks where a proc root tells it. */
function maybeSigns(
  procRoot: string | undefined,
  table: ProcessTable,
  host: HostFiles,
): ContainerSigns | undefined {
  if (procRoot === undefined) return containerSigns(table, 0);
  const path = `${procRoot}/loadavg`;
  try {
    const { totalTasks } = parseLoadavg(maybeValue(host.readText(path)) ?? "", path);
    return containerSigns(table, totalTasks);
  } catch {
    return undefined;
  }
}
