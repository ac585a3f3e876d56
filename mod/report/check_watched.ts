/** What is watched for pressure, as a check says it: what is there now, and what that allows. */

import type { WatchedFinding } from "../check/findings.ts";
import type { InstanceMetrics } from "../pressure/metrics.ts";
import { type Reading, whyMissing } from "../reading.ts";
import { printable } from "./printable.ts";
import { countText } from "./count.ts";

/** One line each; none where nothing is watched. Never throws. */
export function watchedLines(watched: readonly WatchedFinding[]): readonly string[] {
  return watched.map((one) => {
    const found = [
      processesText(one.processes),
      ...one.kind === "app" ? poolTexts(one.pools) : figureTexts(one.metrics),
    ];
    return `${one.kind} ${printable(one.name)}: ${found.filter((text) => text !== "").join(", ")}`;
  });
}

function processesText(processes: Reading<number>): string {
  switch (processes.kind) {
    case "ok":
      return `${countText(processes.value, "process", "processes")} now`;
    case "absent":
      return "";
    case "failed":
      return `processes unknown: ${printable(processes.error)}`;
  }
}

function poolTexts(pools: readonly string[]): readonly string[] {
  return pools.length === 0 ? [] : [`pools ${pools.map(printable).join(", ")}`];
}

/** What its page has, of what decides. */
function figureTexts(metrics: Reading<InstanceMetrics>): readonly string[] {
  if (metrics.kind !== "ok") return [printable(whyMissing(metrics) ?? "")];
  const { lag, inflightCount, latency, openConnectionsCount } = metrics.value;
  const has = [
    ...lag === undefined ? [] : ["loop lag"],
    ...inflightCount === undefined ? [] : ["requests in flight"],
    ...latency === undefined ? [] : ["latency"],
    ...openConnectionsCount === undefined ? [] : ["connections"],
  ];
  const told = `tells ${has.length === 0 ? "nothing that decides" : has.join(", ")}`;
  return [told, ...lag === undefined ? ["no loop lag, so that it is diagnosed and never scaled"] : []];
}
