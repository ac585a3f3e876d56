/** Connections lost in full queues, from the counters of the last minute. */

import type { TcpExt } from "../../proc/net_netstat.ts";
import { type Reading, whyMissing } from "../../reading.ts";
import { type CheckResult, unknown } from "../check.ts";
import type { Levels } from "../thresholds.ts";
import { compare } from "./judge.ts";

/** What the average is over. */
const WINDOW_MS = 60_000;

/** A gap longer than this between two looks is no minute any more; counting begins anew. */
const GAP_LIMIT_MS = 2 * WINDOW_MS;

/** Looks closer together than this add nothing, and keep the window small. */
const LOOK_MIN_MS = 1_000;

/** The counter at some moments of the last minute, oldest first; at most one a second. */
export type OverflowWatch = readonly { readonly atMs: number; readonly count: number }[];

/**
 * Adds a look and judges the minute before it. A minute that is not over yet counts as one in which nothing
 * more was lost: an average of a few seconds would make a moment's burst a flood. Never throws.
 *
 * @param watch What the look before left; empty at first
 * @param nowMs Monotonic
 */
export function watchOverflows(
  watch: OverflowWatch,
  tcpExt: Reading<TcpExt>,
  nowMs: number,
  levels: Levels,
): { readonly watch: OverflowWatch; readonly result: CheckResult } {
  if (tcpExt.kind !== "ok") return { watch, result: unknown(whyMissing(tcpExt) ?? "") };
  const count = tcpExt.value.listenOverflowCount;
  if (count === undefined) return { watch, result: unknown("the kernel does not count lost connections") };
  const kept = keep(watch, nowMs, count);
  const [oldest] = kept;
  if (oldest === undefined) {
    return { watch: [{ atMs: nowMs, count }], result: unknown("counted for the first time") };
  }
  const lostCount = count - oldest.count;
  const perS = 1000 * lostCount / Math.max(WINDOW_MS, nowMs - oldest.atMs);
  const isNew = nowMs - (kept.at(-1)?.atMs ?? -Infinity) >= LOOK_MIN_MS;
  return {
    watch: isNew ? [...kept, { atMs: nowMs, count }] : kept,
    result: compare({
      value: perS,
      levels,
      evidence: `${lostCount} connections lost in full queues in the last minute, ${perS.toFixed(2)}/s`,
      unit: "/s",
      numbers: { lostCount, perS },
    }),
  };
}

/** The looks that still count: of those older than a minute the youngest. None after a gap or a reset. */
function keep(watch: OverflowWatch, nowMs: number, count: number): OverflowWatch {
  const last = watch.at(-1);
  if (last === undefined || nowMs - last.atMs > GAP_LIMIT_MS || count < last.count) return [];
  const from = watch.findLastIndex(({ atMs }) => nowMs - atMs >= WINDOW_MS);
  return from <= 0 ? watch : watch.slice(from);
}
