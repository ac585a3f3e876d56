/**
 * What an evaluation means and what a person can do about it, in plain words with the figures:
 *
 *     php-fpm pool www: 5 of 5 workers busy in 14 of 15 looks, 37 waiting
 *     raise pm.max_children only if RAM allows: 5 x 61 MiB used, 1.9 GiB available
 */

import { countText } from "../report/count.ts";
import { type AppFigures, isQueueing, type PoolFigures } from "./app_window.ts";
import { fixedText } from "./figure.ts";
import { isKnown } from "./interval.ts";
import type { PressureEvaluation } from "./pressure.ts";
import { LOOP_BLOCKED_LAG } from "./rules.ts";

/** What is the matter, and what to do. */
export interface Diagnosis {
  /** One line each. */
  readonly found: readonly string[];
  /** One line; undefined where nothing needs doing. */
  readonly advice: string | undefined;
}

/** The diagnosis of an evaluation. Never throws. */
export function diagnose(evaluation: PressureEvaluation): Diagnosis {
  switch (evaluation.class) {
    case "MemoryPressure":
      return memory(evaluation);
    case "PhpSaturated":
      return php(evaluation);
    case "NodeSaturated":
      return app(evaluation, "node", "run more Node processes (cluster), or find what keeps the loop busy");
    case "PythonSaturated":
      return app(evaluation, "python", "run more workers, or find what keeps them busy");
    case "WebTierSaturated":
      return webTier(evaluation);
    case "ConnectionPressure":
      return connections(evaluation);
    case "Unknown":
      return unclear(evaluation);
  }
}

function memory({ input, apps, instances, classBecause }: PressureEvaluation): Diagnosis {
  const users = [
    ...apps.map(({ name, rssMiB, processCount }) => ({
      name: `${name} (${processCount ?? "?"} processes)`,
      rssMiB,
    })),
    ...instances.map(({ name, rssMiB }) => ({ name, rssMiB })),
  ].flatMap(({ name, rssMiB }) => rssMiB === undefined ? [] : [{ name, rssMiB }])
    .sort((a, b) => b.rssMiB - a.rssMiB).slice(0, 3);
  const largest = users.map(({ name, rssMiB }) => `${name} ${memoryText(rssMiB)}`).join(", ");
  const isBudget = input.memAvailableMiB === undefined || input.memAvailableMiB >= input.minFreeMiB;
  return {
    found: [classBecause.text, ...largest === "" ? [] : [`largest: ${largest}`]],
    advice: isBudget
      ? "look for a leak, or raise rss_budget; restart the instance in a quiet hour"
      : "lower pm.max_children or the number of processes, or add RAM; one more instance would make it worse",
  };
}

function php(evaluation: PressureEvaluation): Diagnosis {
  const { apps, host, thresholds, classBecause } = evaluation;
  const groups = apps.filter((one) => one.class === "php");
  const full = groups.flatMap(({ pools }) => pools).filter(isFull);
  const busiest = busiestOf(groups);
  const found = [...full.map(poolText), ...busiest === undefined ? [] : [appText(busiest)]];
  const isCpu = (busiest?.cpuRatio ?? 0) >= thresholds.appSaturated;
  const worker = busiest?.rssMiB !== undefined && busiest.processCount
    ? `${busiest.processCount} x ${memoryText(busiest.rssMiB / busiest.processCount)} used, `
    : "";
  const free = host.memAvailableMiB === undefined
    ? "free memory unknown"
    : `${memoryText(host.memAvailableMiB)} available`;
  return {
    found: found.length === 0 ? [classBecause.text] : found,
    advice: isCpu
      ? "find the slow scripts (slowlog), cache pages, or add CPUs; more workers or web instances would not help"
      : `raise pm.max_children only if RAM allows: ${worker}${free}`,
  };
}

function app(evaluation: PressureEvaluation, name: "node" | "python", advice: string): Diagnosis {
  const busiest = busiestOf(evaluation.apps.filter((one) => one.class === name));
  const found = busiest === undefined ? evaluation.classBecause.text : appText(busiest);
  return {
    found: [`${found}, web tier at ${webText(evaluation)}`],
    advice: `${advice}; more web instances would not help`,
  };
}

function webTier(evaluation: PressureEvaluation): Diagnosis {
  const { input, action, to, because } = evaluation;
  const lag = input.lagP99Ms === undefined ? "" : `, loops ${lateText(input.lagP99Ms)}`;
  const found = `web tier: ${countText(input.instances, "instance")} at CPU ${
    fixedText(input.cpu ?? 0, 2)
  }${lag}`;
  if (action === "ScaleOut") return { found: [found], advice: `scaling out to ${to}` };
  const cure: Partial<Record<typeof because.code, string>> = {
    "max-instances": "raise [tier] max if the host has CPUs to spare, else add a host",
    "host-cpu-budget": "the host has no CPU left for one more: add CPUs or a host",
    "host-ram-budget": "the host has no memory left for one more: add RAM or a host",
    "observe-only": "one more instance would help; set [pressure] mode = active to let it be started",
    "start-failed": "look at the unit that did not start: systemctl status, journalctl -u",
    "flap-guard": "it went to and fro: raise scale_out_above or lower scale_in_below",
  };
  return { found: [found], advice: cure[because.code] ?? because.text };
}

function connections({ input, instances, classBecause, thresholds }: PressureEvaluation): Diagnosis {
  const rows = instances.filter(({ standing }) => standing === "counts").map((one) =>
    `${one.name}: ${maybeText(one.inflightCount, 0)} in flight, ${
      maybeText(one.openConnectionsCount, 0)
    } of ${maybeText(one.connectionLimitCount, 0)} connections, CPU ${maybeText(one.cpuRatio, 2)}`
  );
  const isLimit = input.connectionsRatio >= thresholds.nearLimit;
  return {
    found: [...rows.length === 0 ? [classBecause.text] : rows],
    advice: `slow clients or long streams: ${
      isLimit ? "raise the limit of connections" : "let a proxy buffer requests"
    }, or shorten timeouts; more CPU would not help`,
  };
}

function unclear(evaluation: PressureEvaluation): Diagnosis {
  const { classBecause, instances, isIdle, input } = evaluation;
  switch (classBecause.code) {
    case "stale-endpoint":
      return stale(evaluation);
    case "skew": {
      const hottest = instances.toSorted((a, b) => b.score.low - a.score.low)[0];
      return {
        found: [
          `${hottest?.name ?? "one instance"} is at ${fixedText(input.hottestScore, 2)}, the tier is not`,
        ],
        advice: "rebalance: look at the weights and the stickiness of the balancer",
      };
    }
    case "loop-blocked":
      return {
        found: [classBecause.text],
        advice: "look for blocking calls, garbage collection, or a CPU limit that throttles",
      };
    case "inflight-dominant":
      return {
        found: [classBecause.text],
        advice: "requests pile up while the CPU has room: look at what they wait for",
      };
    case "latency-dominant":
      return { found: [classBecause.text], advice: "the web tier waits: look at what is behind it" };
    default:
      return { found: [isIdle ? idleText(evaluation) : classBecause.text], advice: undefined };
  }
}

/** A loop that is late on an idle host has no work to be late with: blocking calls, or timers of a virtual machine. */
function idleText({ lag, input }: PressureEvaluation): string {
  return lag.low < LOOP_BLOCKED_LAG || input.lagP99Ms === undefined
    ? "idle"
    : `idle, though loops ${lateText(input.lagP99Ms)}`;
}

function lateText(lagMs: number): string {
  return Number.isNaN(lagMs) ? "do not run" : `are ${fixedText(lagMs, 1)} ms late`;
}

/** A figure is missing: of an instance that runs hot and does not answer, of one that does not run, or of all by nature. */
function stale({ instances, score, classBecause }: PressureEvaluation): Diagnosis {
  const silent = instances.filter(({ standing }) => standing === "stale");
  if (silent.length > 0) {
    const found = silent.map(({ name, cpuRatio }) =>
      `${name} runs at CPU ${maybeText(cpuRatio, 2)} and does not answer`
    );
    const isHot = silent.some(({ cpuRatio }) => (cpuRatio ?? 0) >= 0.9);
    return {
      found,
      advice: isHot
        ? "its loop is too busy to answer for its own figures"
        : "look at the address of its figures, and whether it accepts connections",
    };
  }
  const bounds = isKnown(score)
    ? fixedText(score.low, 2)
    : `${fixedText(score.low, 2)} to ${fixedText(score.high, 2)}`;
  const without = instances.filter(({ lagP99Ms, standing }) =>
    lagP99Ms === undefined && standing === "counts"
  );
  if (without.length === 0) return { found: [classBecause.text], advice: undefined };
  return {
    found: [`pressure ${bounds}: ${without.map(({ name }) => name).join(", ")} has no figure of loop lag`],
    advice:
      "it is diagnosed and never scaled; saturation of the applications behind it is found all the same",
  };
}

function isFull(pool: PoolFigures): boolean {
  return isQueueing(pool) || (pool.looksCount > 0 && pool.fullCount * 2 >= pool.looksCount);
}

function poolText(
  { name, maxCount, fullCount, looksCount, waitingCount, limitReachedCount }: PoolFigures,
): string {
  const waiting = (waitingCount === undefined ? "" : `, ${waitingCount} waiting`) +
    (limitReachedCount === 0 ? "" : `, its limit reached ${countText(limitReachedCount, "time")}`);
  return `php-fpm pool ${name}: ${maxCount} of ${maxCount} workers busy in ${fullCount} of ${looksCount} looks${waiting}`;
}

function appText({ name, cpuRatio, allottedCpus, processCount }: AppFigures): string {
  const processes = processCount === undefined ? "" : ` (${countText(processCount, "process", "processes")})`;
  return `${name}: CPU ${maybeText(cpuRatio, 2)} of ${Math.round(allottedCpus * 100) / 100}${processes}`;
}

function busiestOf(apps: readonly AppFigures[]): AppFigures | undefined {
  return apps.toSorted((a, b) => (b.cpuRatio ?? 0) - (a.cpuRatio ?? 0))[0];
}

function webText({ cpuLag }: PressureEvaluation): string {
  return fixedText(cpuLag.high, 2);
}

function maybeText(value: number | undefined, digits: number): string {
  return value === undefined ? "?" : fixedText(value, digits);
}

function memoryText(mib: number): string {
  return mib >= 1_024 ? `${(mib / 1_024).toFixed(1)} GiB` : `${Math.round(mib)} MiB`;
}
