/**
 * Whether a tier is scaled: every gate in its order, and the first one that is closed says why not.
 *
 * Only a saturated web tier is scaled out, only an idle one in. A gate that cannot be judged is closed in the direction
 * that takes something away, and where a start could hurt the host.
 */

import type { Aggregates } from "./aggregates.ts";
import type { Classification } from "./classes.ts";
import type { Components } from "./components.ts";
import { besideText, fixedText } from "./figure.ts";
import type { Because } from "./reasons.ts";
import { IDLE_RESERVE_CPUS, type PressureThresholds, RSS_RESERVE } from "./rules.ts";

/** What is done about the number of instances. */
export type ScaleAction = "None" | "ScaleOut" | "ScaleIn";

/** What is done, and why or why not. */
export interface Scaling {
  readonly action: ScaleAction;
  /** Instances afterwards. */
  readonly to: number;
  /** What the tier would come to with one instance less; undefined where that does not matter. */
  readonly projected: number | undefined;
  readonly because: Because;
  /** What would be done, were the tier not only watched. */
  readonly wouldBe: ScaleAction;
}

/** Decides. Never throws. */
export function scalingOf(
  input: Aggregates,
  parts: Components,
  found: Classification,
  thresholds: PressureThresholds,
): Scaling {
  if (found.class === "WebTierSaturated") return outward(input, found, thresholds);
  return found.isIdle ? inward(input, parts, thresholds) : none(input, found.because);
}

function outward(input: Aggregates, found: Classification, thresholds: PressureThresholds): Scaling {
  const closed = whyNotOut(input, found, thresholds);
  if (closed !== undefined) return none(input, closed);
  return acting(input, "ScaleOut", { because: found.because, projected: undefined });
}

function whyNotOut(input: Aggregates, found: Classification, t: PressureThresholds): Because | undefined {
  const { confirmations, instances, maxInstances, sinceScaleOutS, failureBackoffLeftS } = input;
  if (confirmations < t.confirm) {
    return { code: "confirming", text: `confirming ${confirmations}/${t.confirm}` };
  }
  if (!t.actWhenAppSaturated) {
    if (found.also.length > 0) {
      const text = `${found.also.join(", ")} too: more instances would not help`;
      return { code: "app-also-saturated", text };
    }
    if (hasUnknownApp(input)) return UNKNOWN_APP;
  }
  if (instances >= maxInstances) {
    return { code: "max-instances", text: `max_instances ${maxInstances} reached` };
  }
  if (input.starting > 0) return STARTING;
  if (sinceScaleOutS !== undefined && sinceScaleOutS < t.cooldownOutS) {
    return {
      code: "cooldown-out",
      text: `scale-out cooldown ${secondsLeft(t.cooldownOutS - sinceScaleOutS)}`,
    };
  }
  if (failureBackoffLeftS !== undefined) {
    return { code: "start-failed", text: `a start failed, next try in ${Math.ceil(failureBackoffLeftS)} s` };
  }
  if (input.totalCpus + input.cpusPerInstance > input.cpuBudget) {
    return { code: "host-cpu-budget", text: "host CPU budget exhausted" };
  }
  const idleCpus = input.hostIdleCpus;
  if (idleCpus !== undefined && !(idleCpus >= IDLE_RESERVE_CPUS)) {
    const text = `host has ${besideText(idleCpus, IDLE_RESERVE_CPUS)} CPU idle, ${IDLE_RESERVE_CPUS} needed`;
    return { code: "host-cpu-budget", text };
  }
  if (!hasMemory(input)) return { code: "host-ram-budget", text: "host RAM budget exhausted" };
  return input.isFlapping ? FLAPPING : undefined;
}

/** An application that could not be seen may be saturated: then its web tier looks idle. */
function hasUnknownApp({ apps }: Aggregates): boolean {
  return Object.values(apps).some(({ cpu, queueRising }) => cpu === undefined || queueRising === undefined);
}

/** Whether it is known that memory is not short. */
function isMemoryKnown({ memAvailableMiB, rssMiB, rssBudgetMiB }: Aggregates): boolean {
  return memAvailableMiB !== undefined && (rssBudgetMiB === undefined || rssMiB !== undefined);
}

/** A host whose memory is not known has none to give. */
function hasMemory({ memAvailableMiB, rssMiB, minFreeMiB }: Aggregates): boolean {
  if (memAvailableMiB === undefined || rssMiB === undefined) return false;
  return memAvailableMiB - RSS_RESERVE * rssMiB >= minFreeMiB;
}

function inward(input: Aggregates, parts: Components, thresholds: PressureThresholds): Scaling {
  const { instances, minInstances } = input;
  if (instances <= minInstances) {
    return none(input, { code: "min-instances", text: `min_instances ${minInstances} reached` });
  }
  const projected = projectedOf(input, parts);
  const closed = whyNotIn(input, projected, thresholds);
  if (closed !== undefined) return { ...none(input, closed), projected };
  const text = `projected ${besideText(projected, thresholds.scaleOutAbove)} < ${
    fixedText(thresholds.scaleOutAbove, 2)
  } on ${instances - 1} instances`;
  return acting(input, "ScaleIn", { because: { code: "scale-in", text }, projected });
}

function whyNotIn(input: Aggregates, projected: number, t: PressureThresholds): Because | undefined {
  const { belowScaleInS, sinceScaleOutS, sinceScaleInS, instances } = input;
  if (input.starting > 0) return STARTING;
  if (belowScaleInS < t.scaleInWindowS) {
    const text = `below scale_in_below for ${Math.floor(belowScaleInS)}/${t.scaleInWindowS} s`;
    return { code: "below-window", text };
  }
  if (sinceScaleOutS !== undefined && sinceScaleOutS < t.cooldownInAfterOutS) {
    const left = Math.ceil(t.cooldownInAfterOutS - sinceScaleOutS);
    return { code: "cooldown-in", text: `scale-in blocked ${left} s after scale-out` };
  }
  if (sinceScaleInS !== undefined && sinceScaleInS < t.cooldownInS) {
    return { code: "cooldown-in", text: `scale-in cooldown ${secondsLeft(t.cooldownInS - sinceScaleInS)}` };
  }
  if (!(projected < t.scaleOutAbove)) {
    const text = `projected ${besideText(projected, t.scaleOutAbove)} >= ${
      fixedText(t.scaleOutAbove, 2)
    } on ${instances - 1} instances`;
    return { code: "projection", text };
  }
  if (Number.isNaN(input.connectionsRatio)) {
    return { code: "stale-endpoint", text: "open connections are not known" };
  }
  const connections = input.connectionsAfterScaleIn;
  if (connections !== undefined && connections >= t.nearLimit) {
    const text = `projected connections ${besideText(connections, t.nearLimit)} of their limit on ${
      instances - 1
    } instances`;
    return { code: "projection", text };
  }
  if (!isMemoryKnown(input)) return { code: "stale-endpoint", text: "memory in use is not known" };
  if (hasUnknownApp(input)) return UNKNOWN_APP;
  if (input.isLatencyTruncated) {
    return { code: "latency-truncated", text: "latency above the highest bucket of its histogram" };
  }
  if (input.drains === false) return { code: "no-drain", text: "no drain method is declared" };
  return input.isFlapping ? FLAPPING : undefined;
}

/**
 * What one instance less would come to. CPU alone bounds cpu_lag from above: what the lag will be nobody knows.
 */
function projectedOf(input: Aggregates, { cpu, inflight, latency }: Components): number {
  const { totalCpus, victimCpus, instances } = input;
  return Math.max(
    cpu.high * totalCpus / (totalCpus - victimCpus),
    inflight.high * instances / (instances - 1),
    latency.high,
  );
}

function acting(
  input: Aggregates,
  action: "ScaleOut" | "ScaleIn",
  about: Pick<Scaling, "because" | "projected">,
): Scaling {
  const to = input.instances + (action === "ScaleOut" ? 1 : -1);
  switch (input.mode) {
    case "active":
      return { action, to, wouldBe: action, ...about };
    case "observe": {
      const text = `observe-only: would ${action} ${input.instances}->${to}`;
      const because: Because = { code: "observe-only", text };
      return { ...none(input, because), projected: about.projected, wouldBe: action };
    }
    case "paused":
      return { ...none(input, { code: "paused", text: "paused" }), projected: about.projected };
  }
}

function none({ instances }: Aggregates, because: Because): Scaling {
  return { action: "None", to: instances, projected: undefined, because, wouldBe: "None" };
}

const STARTING: Because = { code: "starting", text: "instance start in progress" };
const UNKNOWN_APP: Because = { code: "stale-endpoint", text: "an application could not be seen" };
const FLAPPING: Because = { code: "flap-guard", text: "flap guard" };

function secondsLeft(seconds: number): string {
  return `${Math.ceil(seconds)} s left`;
}
