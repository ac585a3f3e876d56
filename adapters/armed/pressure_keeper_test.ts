import { assertEquals } from "@std/assert";
import { NO_ACTIONS, type PastActions } from "../../mod/pressure/actions.ts";
import { pressureRulesOf } from "../../mod/pressure/config_rules.ts";
import { NO_METRICS } from "../../mod/pressure/metrics.ts";
import type { PressureEvaluation } from "../../mod/pressure/pressure.ts";
import type { PressureRules } from "../../mod/pressure/rules.ts";
import type { ScaleOutcome } from "../../mod/pressure/sample.ts";
import { resolveConfig } from "../../mod/config/resolve.ts";
import { absent, ok } from "../../mod/reading.ts";
import { keepPressure, type PressureLook } from "./pressure_keeper.ts";

const { config } = resolveConfig({});
const RULES: PressureRules = {
  ...pressureRulesOf({ config, instances: [], apps: [] }),
  mode: "active",
  maxInstances: 2,
};

/** What the loop did, in its order. */
interface Kept {
  readonly lookedMs: readonly number[];
  readonly events: readonly string[];
  readonly evaluations: readonly PressureEvaluation[];
}

/** Runs the loop until a time; each look takes so long. */
async function keep(
  untilMs: number,
  { lookMs = 0, rules = () => RULES, outcome }: {
    readonly lookMs?: number;
    readonly rules?: (atMs: number) => PressureRules | undefined;
    /** What each scaling comes to. */
    readonly outcome?: Omit<ScaleOutcome, "action">;
  } = {},
): Promise<Kept> {
  let nowMs = 0;
  const stop = new AbortController();
  const lookedMs: number[] = [];
  const events: string[] = [];
  const evaluations: PressureEvaluation[] = [];
  let pending: ScaleOutcome | undefined;
  const pass = (ms: number): void => {
    nowMs += ms;
    if (nowMs >= untilMs) stop.abort();
  };
  const look = (): Promise<PressureLook> => {
    lookedMs.push(nowMs);
    const sample = hotLook(nowMs);
    pass(lookMs);
    return Promise.resolve(sample);
  };
  await keepPressure({
    clock: {
      monotonicMs: () => nowMs,
      wallMs: () => nowMs,
      sleep(ms: number): Promise<void> {
        pass(ms);
        return Promise.resolve();
      },
    },
    rules: () => rules(nowMs),
    look,
    scaler: {
      scale(action): void {
        events.push(`scale ${action}`);
        if (outcome !== undefined) pending = { action, ...outcome };
      },
      isScaling: () => false,
      takeOutcome(): ScaleOutcome | undefined {
        const taken = pending;
        pending = undefined;
        return taken;
      },
    },
    isHeld: () => false,
    past: NO_ACTIONS,
    remember: ({ actions, failedMs }: PastActions) =>
      events.push(`remember ${actions.length} ${failedMs !== undefined}`),
    report(evaluation): void {
      evaluations.push(evaluation);
      if (evaluation.action !== "None") events.push(`report ${evaluation.action}`);
    },
    tellOutcome: ({ text }) => events.push(`tell ${text}`),
  }, stop.signal);
  return { lookedMs, events, evaluations };
}

/** An instance that is saturated, on a host with room. */
function hotLook(atMs: number): PressureLook {
  const process = {
    pid: 7,
    ppid: 1,
    startTicks: 0,
    cpuTicks: Math.round(atMs * 0.097),
    reapedTicks: 0,
    rssKib: 1,
  };
  return {
    monotonicMs: atMs,
    uptimeMs: 600_000 + atMs,
    wallMs: atMs,
    instances: [{
      name: "web",
      group: ok([process]),
      metrics: ok({ ...NO_METRICS, lag: { kind: "p99", ms: 4 }, inflightCount: 20 }),
    }],
    apps: [],
    host: {
      cpuCount: 8,
      idleS: ok(atMs / 250),
      memTotalKib: ok(8 << 20),
      memAvailableKib: ok(4 << 20),
      psiCpuPercent: absent("none"),
      psiMemoryPercent: absent("none"),
      socketsCount: absent("none"),
    },
  };
}

Deno.test("keepPressure() looks each second and evaluates every five", async () => {
  const { lookedMs, evaluations } = await keep(11_000);
  assertEquals(lookedMs, Array.from({ length: 11 }, (_, second) => second * 1_000));
  assertEquals(evaluations.map(({ atMs }) => atMs), [5_000, 10_000]);
});

Deno.test("keepPressure() drops the seconds that a slow look took, and stays on whole ones", async () => {
  const { lookedMs } = await keep(9_000, { lookMs: 1_300 });
  assertEquals(lookedMs, [0, 2_000, 4_000, 6_000, 8_000]);
});

Deno.test("keepPressure() tells of an action before it begins, and remembers what it came to", async () => {
  const outcome = { isDone: true, instance: "web@2", text: "started web@2" };
  const { events } = await keep(26_000, { outcome });
  assertEquals(events, ["report ScaleOut", "scale ScaleOut", "tell started web@2", "remember 1 false"]);
});

Deno.test("keepPressure() remembers a start that failed, and does not try again at once", async () => {
  const outcome = { isDone: false, instance: "web@2", text: "no answer" };
  const { events } = await keep(60_000, { outcome });
  assertEquals(events, ["report ScaleOut", "scale ScaleOut", "tell no answer", "remember 0 true"]);
});

Deno.test("keepPressure() does not look while nothing is watched, and begins anew after that", async () => {
  const { lookedMs, evaluations } = await keep(20_000, {
    rules: (atMs) => atMs >= 6_000 && atMs < 9_000 ? undefined : RULES,
  });
  assertEquals(lookedMs.includes(7_000), false);
  assertEquals(evaluations.map(({ atMs, input }) => [atMs, input.validSamples]), [[5_000, 6], [14_000, 6], [
    19_000,
    11,
  ]]);
});
