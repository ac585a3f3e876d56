/** The class of a window: the one tier that is the bottleneck, or that none is. The first that matches counts. */

import type { AppClass } from "../config/pressure_config.ts";
import type { Aggregates, AppAggregate } from "./aggregates.ts";
import { type Components, largerOther } from "./components.ts";
import { besideText, fixedText } from "./figure.ts";
import { isKnown } from "./interval.ts";
import type { Because } from "./reasons.ts";
import { LOOP_BLOCKED_LAG, type PressureThresholds } from "./rules.ts";

/** The classes, by the names that the logs have. */
export const PRESSURE_CLASSES = [
  "MemoryPressure",
  "PhpSaturated",
  "NodeSaturated",
  "PythonSaturated",
  "WebTierSaturated",
  "ConnectionPressure",
  "Unknown",
] as const;

/** One class. */
export type PressureClass = (typeof PRESSURE_CLASSES)[number];

/** Applications in the order in which they are looked at. */
const APPS: readonly {
  readonly app: AppClass;
  readonly name: string;
  readonly class: PressureClass;
  readonly code: Because["code"];
}[] = [
  { app: "php", name: "PHP", class: "PhpSaturated", code: "php-saturated" },
  { app: "node", name: "Node", class: "NodeSaturated", code: "node-saturated" },
  { app: "python", name: "Python", class: "PythonSaturated", code: "python-saturated" },
];

/** The class, and what else matches. */
export interface Classification {
  readonly class: PressureClass;
  /** Applications that are saturated besides. */
  readonly also: readonly PressureClass[];
  readonly because: Because;
  /** Whether the tier is idle: then alone it may be scaled in. */
  readonly isIdle: boolean;
}

/** Classifies. Never throws. */
export function classify(
  input: Aggregates,
  parts: Components,
  thresholds: PressureThresholds,
): Classification {
  const saturated = APPS.filter(({ app }) => isSaturated(input.apps[app], thresholds));
  const found = named();
  const also = saturated.map((app) => app.class).filter((one) => one !== found.class);
  return { isIdle: false, ...found, also };

  function named(): Omit<Classification, "also" | "isIdle"> & { readonly isIdle?: boolean } {
    const memory = maybeMemory(input);
    if (memory !== undefined) return { class: "MemoryPressure", because: { code: "memory", text: memory } };
    const [app] = saturated;
    // What the web tier may be at most must be below: one that could be saturated itself may well be the cause.
    if (app !== undefined && parts.cpuLag.high < thresholds.scaleOutAbove) {
      const text = appText(app.name, input.apps[app.app], parts.cpuLag.high, thresholds);
      return { class: app.class, because: { code: app.code, text } };
    }
    if (input.instances === 0) return unknown("paused", "paused: no running instance");
    const { validSamples, neededSamples } = input;
    if (validSamples < neededSamples) {
      return unknown("insufficient-samples", `insufficient samples ${validSamples}/${neededSamples}`);
    }
    const connections = maybeConnections(input, parts, thresholds);
    if (parts.dominant !== undefined) return known(parts, input, thresholds, connections);
    if (connections !== undefined) return connections;
    const { low, high } = parts.score;
    return unknown(
      "stale-endpoint",
      `metrics endpoint stale: score in [${fixedText(low, 2)}, ${fixedText(high, 2)}]`,
    );
  }
}

/** The class of a tier of which every component is known. */
function known(
  parts: Components,
  { hottestScore }: Aggregates,
  { scaleOutAbove, scaleInBelow, lowCpu }: PressureThresholds,
  connections: Pick<Classification, "class" | "because"> | undefined,
): Omit<Classification, "also" | "isIdle"> & { readonly isIdle?: boolean } {
  const [score, cpuLag, cpu, lag] = [parts.score.low, parts.cpuLag.low, parts.cpu.low, parts.lag.low];
  if (cpuLag > scaleOutAbove && parts.dominant === "cpu_lag") {
    const text = `cpu_lag ${besideText(cpuLag, scaleOutAbove)} > ${fixedText(scaleOutAbove, 2)}`;
    return { class: "WebTierSaturated", because: { code: "web-tier-saturated", text } };
  }
  if (connections !== undefined) return connections;
  if (score > scaleOutAbove) {
    const other = largerOther(parts);
    const text = `${other} dominant ${fixedText(parts[other].low, 2)} over cpu_lag ${fixedText(cpuLag, 2)}`;
    return unknown(`${other}-dominant`, text);
  }
  if (hottestScore > scaleOutAbove) {
    return unknown(
      "skew",
      `skew: hottest instance ${fixedText(hottestScore, 2)}, group ${fixedText(score, 2)}`,
    );
  }
  // The seed scales in by the score alone, in which lag counts for no more than the CPU does: timers of virtual machines are
  // late by milliseconds on an idle host too.
  if (score < scaleInBelow) return { ...unknown("nominal", "nominal"), isIdle: true };
  if (lag >= LOOP_BLOCKED_LAG && cpu < lowCpu) {
    return unknown("loop-blocked", `loop_blocked: lag ${fixedText(lag, 2)} at CPU ${fixedText(cpu, 2)}`);
  }
  return unknown("nominal", "nominal");
}

function isSaturated(app: AppAggregate | undefined, { appSaturated }: PressureThresholds): boolean {
  return app !== undefined && ((app.cpu ?? 0) >= appSaturated || app.queueRising === true);
}

function appText(
  name: string,
  app: AppAggregate | undefined,
  webTier: number,
  { appSaturated }: PressureThresholds,
): string {
  const cpu = app?.cpu === undefined ? "?" : fixedText(app.cpu, 2);
  const isBusy = (app?.cpu ?? 0) >= appSaturated;
  const seen = isBusy ? `${name} CPU ${cpu}` : `${name} queue wait rising, CPU ${cpu}`;
  return `${seen}, web tier ${fixedText(webTier, 2)}`;
}

function maybeMemory(
  { memAvailableMiB, minFreeMiB, rssMiB, rssBudgetMiB }: Aggregates,
): string | undefined {
  if (memAvailableMiB !== undefined && memAvailableMiB < minFreeMiB) {
    return `MemAvailable ${fixedText(memAvailableMiB, 0)} MiB < min_free_ram ${fixedText(minFreeMiB, 0)} MiB`;
  }
  if (rssMiB !== undefined && rssBudgetMiB !== undefined && rssMiB > rssBudgetMiB) {
    return `instance RSS ${fixedText(rssMiB, 0)} MiB > budget ${fixedText(rssBudgetMiB, 0)} MiB`;
  }
  return undefined;
}

/** Slow clients and long streams: the CPU must be known to be low, and the requests or the connections to be many. */
function maybeConnections(
  { connectionsRatio }: Aggregates,
  { inflight, cpu }: Components,
  { nearLimit, lowCpu }: PressureThresholds,
): Pick<Classification, "class" | "because"> | undefined {
  const isNear = inflight.low >= nearLimit || connectionsRatio >= nearLimit;
  if (cpu.high >= lowCpu || !isNear) return undefined;
  const figure = isKnown(inflight) ? fixedText(inflight.low, 2) : "?";
  const ratio = Number.isNaN(connectionsRatio) ? "?" : fixedText(connectionsRatio, 2);
  const text = `in-flight ${figure} connections ${ratio} at CPU ${fixedText(cpu.high, 2)}`;
  return { class: "ConnectionPressure", because: { code: "connections", text } };
}

function unknown(code: Because["code"], text: string): Pick<Classification, "class" | "because"> {
  return { class: "Unknown", because: { code, text } };
}
