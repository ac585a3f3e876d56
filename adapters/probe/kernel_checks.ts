/** The checks that the kernel's own figures decide: memory, open files of the system, TCP. */

import type { CheckResult } from "../../mod/probe/check.ts";
import { judgeConntrack } from "../../mod/probe/checks/conntrack.ts";
import { judgeSystemFiles } from "../../mod/probe/checks/files.ts";
import { type OverflowWatch, watchOverflows } from "../../mod/probe/checks/listen_overflows.ts";
import { judgeSwap } from "../../mod/probe/checks/swap.ts";
import { judgeTcpMemory, judgeTcpOrphans } from "../../mod/probe/checks/tcp.ts";
import type { ProbeThresholds } from "../../mod/probe/thresholds.ts";
import { parseTcpExt } from "../../mod/proc/net_netstat.ts";
import { parseSockstat } from "../../mod/proc/net_sockstat.ts";
import { parseSysCount } from "../../mod/proc/sys_count.ts";
import { parseFileNr } from "../../mod/proc/sys_fs_file_nr.ts";
import { parseTcpMem } from "../../mod/proc/sys_tcp_mem.ts";
import { failed, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { readMemory } from "../memory.ts";
import { readPressure } from "../psi.ts";
import type { Source } from "../source.ts";
import { readFigure } from "./figures.ts";

/** Memory and swap; without a proc root from the kernel calls. Never throws. */
export function lookAtSwap(source: Source): CheckResult {
  const root = source.kind === "proc-root" ? source.root : "/proc";
  return judgeSwap(readMemory(source), readPressure(`${root}/pressure`, "memory"));
}

/** Open files of the system. Never throws. */
export function lookAtSystemFiles(source: Source, { systemFilesPercent }: ProbeThresholds): CheckResult {
  return judgeSystemFiles(readFigure(source, "sys/fs/file-nr", parseFileNr), systemFilesPercent);
}

/** Memory of TCP. Never throws. */
export function lookAtTcpMemory(source: Source): CheckResult {
  return judgeTcpMemory(
    readFigure(source, "net/sockstat", parseSockstat),
    readFigure(source, "sys/net/ipv4/tcp_mem", parseTcpMem),
  );
}

/** Connections without a process. Never throws. */
export function lookAtTcpOrphans(source: Source, { tcpOrphansPercent }: ProbeThresholds): CheckResult {
  return judgeTcpOrphans(
    readFigure(source, "net/sockstat", parseSockstat),
    readFigure(source, "sys/net/ipv4/tcp_max_orphans", parseSysCount),
    tcpOrphansPercent,
  );
}

/** The table of connections. Never throws. */
export function lookAtConntrack(source: Source, { conntrackPercent }: ProbeThresholds): CheckResult {
  return judgeConntrack(
    readConntrackCount(source),
    readFigure(source, "sys/net/netfilter/nf_conntrack_max", parseSysCount),
    conntrackPercent,
  );
}

/** Its file is missing where nothing is tracked; where no setting of the network can be seen, that says nothing. */
function readConntrackCount(source: Source): Reading<number> {
  const count = readFigure(source, "sys/net/netfilter/nf_conntrack_count", parseSysCount);
  if (count.kind !== "absent") return count;
  const other = readFigure(source, "sys/net/core/somaxconn", parseSysCount);
  return other.kind === "ok" ? count : failed(`Cannot see settings of the network: ${count.reason}`);
}

/** Makes the look at connections lost in full queues, which remembers the last minute. It never throws. */
export function createOverflowLook(
  source: Source,
  clock: Clock,
  { listenOverflowsPerS }: ProbeThresholds,
): () => CheckResult {
  let watch: OverflowWatch = [];
  return () => {
    const tcpExt = readFigure(source, "net/netstat", parseTcpExt);
    const looked = watchOverflows(watch, tcpExt, clock.monotonicMs(), listenOverflowsPerS);
    watch = looked.watch;
    return looked.result;
  };
}
