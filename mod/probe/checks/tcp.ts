/** TCP itself: the memory it holds, and connections that no process has any more. */

import type { Sockstat } from "../../proc/net_sockstat.ts";
import type { TcpMem } from "../../proc/sys_tcp_mem.ts";
import type { Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, unknown } from "../check.ts";
import type { Levels } from "../thresholds.ts";
import { compareShare, judged } from "./judge.ts";

/** Share of the highest level of `tcp_mem` from which on the host should go, before TCP drops. As netdata. */
const DRAIN_RATIO_OF_HIGH = 0.9;

/** TCP's memory against the kernel's own levels: over pressure is a warning. Never throws. */
export function judgeTcpMemory(sockstat: Reading<Sockstat>, tcpMem: Reading<TcpMem>): CheckResult {
  return judged(sockstat, ({ tcpMemPages: pages }) =>
    judged(tcpMem, ({ pressurePages, highPages }) => {
      if (pages === undefined) return unknown("the kernel does not say how much memory TCP holds");
      const evidence = `TCP holds ${pages} pages`;
      const numbers = { pages, pressurePages, highPages };
      if (pages > DRAIN_RATIO_OF_HIGH * highPages) {
        return bad("drain", `${evidence}, over ${100 * DRAIN_RATIO_OF_HIGH} % of ${highPages}`, numbers);
      }
      if (pages > pressurePages) {
        return bad("warn", `${evidence}, over the ${pressurePages} at which it shrinks its buffers`, numbers);
      }
      return fine(`${evidence} of ${highPages}`, numbers);
    }));
}

/** Connections without a process against `tcp_max_orphans`. Never throws. */
export function judgeTcpOrphans(
  sockstat: Reading<Sockstat>,
  maxCount: Reading<number>,
  levels: Levels,
): CheckResult {
  return judged(sockstat, ({ tcpOrphans }) =>
    judged(maxCount, (max) => {
      if (tcpOrphans === undefined) {
        return unknown("the kernel does not say how many connections have no process");
      }
      if (max === 0) return unknown("tcp_max_orphans is 0, and a share of nothing says nothing");
      return compareShare(tcpOrphans, max, "connections without a process", levels);
    }));
}
