import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { absent, failed, ok } from "../reading.ts";
import { NO_METRICS } from "./metrics.ts";
import { FLAP_LIMIT } from "./actions.ts";
import {
  initialPressure,
  nextDueMs,
  type PressureEvaluation,
  type PressureState,
  pressureStep,
} from "./pressure.ts";
import { DEFAULT_THRESHOLDS, type PressureRules } from "./rules.ts";
import type { GroupProcess, InstanceSample, PressureSample, ScaleOutcome } from "./sample.ts";

const RULES: PressureRules = {
  thresholds: DEFAULT_THRESHOLDS,
  mode: "active",
  windowMs: 15_000,
  neededSamples: 12,
  evaluateMs: 5_000,
  warmupMs: 10_000,
  startTimeoutMs: 30_000,
  failureBackoffMs: 180_000,
  latencyTargetMs: undefined,
  minFreeMiB: 512,
  rssBudgetMiB: undefined,
  cpuBudget: 8,
  minInstances: 1,
  maxInstances: 4,
  instances: [],
  template: { cpus: 1, loops: 1, connectionLimit: undefined },
  runsByAnswer: false,
  drains: true,
  apps: [],
};

/** What one instance does in a second. */
interface Doing {
  readonly cpu: number;
  readonly lagMs?: number | undefined;
  readonly inflight?: number;
  readonly connections?: number;
  /** The page does not come. */
  readonly silent?: boolean;
  /** Started so many seconds after boot. */
  readonly startedS?: number;
}

/** A host that is played second by second. */
class Host {
  state: PressureState;
  readonly evaluations: PressureEvaluation[] = [];
  nowMs = 1_000_000;
  wallMs = 1_796_000_000_000;
  readonly #cpuS = new Map<string, number>();
  readonly #rules: PressureRules;
  #outcome: ScaleOutcome | undefined;

  constructor(rules: Partial<PressureRules> = {}) {
    this.#rules = { ...RULES, ...rules };
    this.state = initialPressure();
  }

  /** One second. */
  second(
    doing: Readonly<Record<string, Doing>>,
    more: Partial<PressureSample> = {},
  ): PressureEvaluation | undefined {
    this.nowMs += 1_000;
    this.wallMs += 1_000;
    const instances = Object.entries(doing).map(([name, one]) => this.#instance(name, one));
    const { state, evaluation } = pressureStep(this.state, {
      monotonicMs: this.nowMs,
      uptimeMs: this.nowMs,
      wallMs: this.wallMs,
      instances,
      apps: [],
      host: HOST,
      isScaling: false,
      outcome: this.#outcome,
      isHeld: false,
      ...more,
    }, this.#rules);
    this.#outcome = undefined;
    this.state = state;
    if (evaluation !== undefined) this.evaluations.push(evaluation);
    return evaluation;
  }

  /** What a scaling has come to, with the next second. */
  comesOut(outcome: ScaleOutcome): void {
    this.#outcome = outcome;
  }

  #instance(
    name: string,
    { cpu, lagMs, inflight = 20, connections, silent, startedS = 0 }: Doing,
  ): InstanceSample {
    const key = `${name} ${startedS}`;
    const cpuS = (this.#cpuS.get(key) ?? 0) + cpu;
    this.#cpuS.set(key, cpuS);
    const process = {
      pid: 100,
      ppid: 1,
      startTicks: startedS * 100,
      cpuTicks: Math.round(cpuS * 100),
      reapedTicks: 0,
      rssKib: 120 * 1_024,
    };
    const metrics = {
      ...NO_METRICS,
      lag: lagMs === undefined ? undefined : { kind: "p99" as const, ms: lagMs },
      inflightCount: inflight,
      openConnectionsCount: connections,
    };
    return { name, group: ok([process]), metrics: silent ? failed("no answer") : ok(metrics) };
  }
}

const HOST = {
  cpuCount: 9,
  idleS: ok(0),
  memTotalKib: ok(8 << 20),
  memAvailableKib: ok(4 << 20),
  psiCpuPercent: absent("none"),
  psiMemoryPercent: absent("none"),
  socketsCount: absent("none"),
};

/** A host whose idle time grows. */
function idle(atS: number): Partial<PressureSample> {
  return { host: { ...HOST, idleS: ok(atS * 4) } };
}

const HOT: Doing = { cpu: 0.97, lagMs: 4 };
const CALM: Doing = { cpu: 0.1, lagMs: 0 };

/** So many seconds on a host with room, and on to the next evaluation. */
function run(host: Host, count: number, doing: Readonly<Record<string, Doing>>): PressureEvaluation {
  for (let index = 0;; index++) {
    const evaluation = host.second(doing, idle(host.nowMs / 1_000));
    if (evaluation !== undefined && index + 1 >= count) return evaluation;
  }
}

Deno.test("pressureStep() scales a saturated tier out after a full window and two evaluations, not before", () => {
  const host = new Host();
  for (let second = 1; second <= 30; second++) host.second({ "web@1": HOT }, idle(second));
  const acted = host.evaluations.map(({ action, because }) => `${action} ${because.code}`);
  // After 6, 11, 16 and 21 samples, of which 12 are needed.
  assertEquals(acted.slice(0, 5), [
    "None insufficient-samples",
    "None insufficient-samples",
    "None confirming",
    "ScaleOut web-tier-saturated",
    "ScaleOut web-tier-saturated",
  ]);
});

Deno.test("pressureStep() computes the components from what was seen in the window", () => {
  const { cpu, lag, inflight, input } = run(new Host(), 20, { "web@1": HOT });
  assertAlmostEquals(cpu.low, 0.97, 0.01);
  assertAlmostEquals(lag.low, 0.8);
  assertAlmostEquals(inflight.low, 20 / 256);
  assertEquals(input.validSamples, 15);
});

Deno.test("pressureStep() takes one pause of a collector for no lag, and two seconds of it for one", () => {
  const host = new Host();
  run(host, 20, { "web@1": { cpu: 0.9, lagMs: 0.2 } });
  host.second({ "web@1": { cpu: 0.9, lagMs: 80 } });
  const one = run(host, 4, { "web@1": { cpu: 0.9, lagMs: 0.2 } });
  assertAlmostEquals(one.lag.low, 0.04);
  host.second({ "web@1": { cpu: 0.9, lagMs: 80 } });
  host.second({ "web@1": { cpu: 0.9, lagMs: 80 } });
  const two = run(host, 3, { "web@1": { cpu: 0.9, lagMs: 0.2 } });
  assertEquals(two.lag.low, 1);
});

Deno.test("pressureStep() lacks the points of one miss, and forgets the page after three", () => {
  const host = new Host();
  run(host, 20, { "web@1": HOT });
  host.second({ "web@1": { ...HOT, silent: true } });
  const one = run(host, 4, { "web@1": HOT });
  assertEquals([one.input.validSamples, one.class], [14, "WebTierSaturated"]);
  const stale = run(host, 5, { "web@1": { ...HOT, silent: true } });
  assertEquals([stale.class, stale.because.code, stale.action], ["Unknown", "stale-endpoint", "None"]);
  assertAlmostEquals(stale.cpu.low, 0.97, 0.02);
  const back = run(host, 5, { "web@1": HOT });
  assertEquals(back.because.code, "insufficient-samples");
  assertEquals(run(host, 10, { "web@1": HOT }).class, "WebTierSaturated");
});

Deno.test("pressureStep() takes gauges for unknown that count more connections than there are sockets", () => {
  const host = new Host();
  const few = { host: { ...HOST, socketsCount: ok(200) } };
  for (let second = 1; second <= 21; second++) host.second({ "nginx": { ...CALM, connections: 201 } }, few);
  const last = host.evaluations.at(-1);
  assertEquals([last?.class, last?.inflight.low, last?.inflight.high], ["Unknown", 0, 1]);
  assertEquals(last?.instances.flatMap(({ anomalies }) => anomalies), ["gauges_leaked"]);
});

Deno.test("pressureStep() never acts without a figure of lag", () => {
  const host = new Host();
  run(host, 60, { "nginx": { cpu: 1, lagMs: undefined } });
  assertEquals(new Set(host.evaluations.map(({ action }) => action)), new Set(["None"]));
});

Deno.test("pressureStep() begins anew with another process of the same name", () => {
  const host = new Host();
  run(host, 20, { "web@1": HOT });
  const restarted = run(host, 5, { "web@1": { ...HOT, startedS: host.nowMs / 1_000 } });
  assertEquals([restarted.because.code, restarted.input.starting], ["insufficient-samples", 1]);
});

Deno.test("pressureStep() sets a new instance aside for its warm-up, and starts no other meanwhile", () => {
  const host = new Host();
  run(host, 20, { "web@1": HOT });
  const fresh: Doing = { cpu: 1, lagMs: 900, startedS: host.nowMs / 1_000 + 1 };
  const during = run(host, 10, { "web@1": HOT, "web@2": fresh });
  assertEquals(during.instances.map(({ standing }) => standing), ["counts", "new"]);
  assertEquals([during.action, during.because.code], ["None", "starting"]);
  const after = run(host, 5, { "web@1": HOT, "web@2": fresh });
  assertEquals(after.instances.map(({ standing }) => standing), ["counts", "counts"]);
});

Deno.test("pressureStep() counts what runs already when an agent starts at once", () => {
  const { instances } = run(new Host(), 5, { "web@1": HOT });
  assertEquals(instances.map(({ standing }) => standing), ["counts"]);
});

Deno.test("pressureStep() forgets all windows after a scaling, and waits for the cooldown", () => {
  const host = new Host();
  run(host, 25, { "web@1": HOT });
  host.comesOut({ action: "ScaleOut", isDone: true, instance: "web@2", text: "started" });
  host.second({ "web@1": HOT });
  const after = run(host, 5, { "web@1": HOT });
  assertEquals(after.because.code, "insufficient-samples");
  const later = run(host, 30, { "web@1": HOT });
  assertEquals(later.because.code, "cooldown-out");
  assertEquals(run(host, 40, { "web@1": HOT }).action, "ScaleOut");
});

Deno.test("pressureStep() starts nothing for a while after a start that failed", () => {
  const host = new Host();
  run(host, 25, { "web@1": HOT });
  host.comesOut({ action: "ScaleOut", isDone: false, instance: "web@2", text: "not answered" });
  host.second({ "web@1": HOT });
  assertEquals(run(host, 60, { "web@1": HOT }).because.code, "start-failed");
  assertEquals(run(host, 130, { "web@1": HOT }).action, "ScaleOut");
});

Deno.test("pressureStep() scales in after a minute of idling, and any other result begins that minute anew", () => {
  const host = new Host();
  const both = { "web@1": CALM, "web@2": CALM };
  assertEquals(run(host, 70, both).because.code, "below-window");
  run(host, 15, { "web@1": { cpu: 0.9, lagMs: 0 }, "web@2": CALM });
  assertEquals(run(host, 65, both).because.code, "below-window");
  const done = run(host, 20, both);
  assertEquals([done.action, done.from, done.to], ["ScaleIn", 2, 1]);
});

Deno.test("pressureStep() scales an idle tier in whose timers are late, as the score has it", () => {
  const late: Doing = { cpu: 0.1, lagMs: 8 };
  const done = run(new Host(), 90, { "web@1": late, "web@2": late });
  assertEquals([done.action, done.lag.low], ["ScaleIn", 1]);
  const busier = run(new Host(), 30, { "web@1": { cpu: 0.35, lagMs: 8 } });
  assertEquals([busier.because.code, busier.isIdle], ["loop-blocked", false]);
});

Deno.test("pressureStep() does not scale in while an instance is silent, whatever the cooldowns say", () => {
  const host = new Host();
  const evaluation = run(host, 300, { "web@1": CALM, "web@2": { ...CALM, silent: true } });
  assertEquals([evaluation.action, evaluation.because.code], ["None", "stale-endpoint"]);
});

Deno.test("pressureStep() goes by the monotonic clock alone", () => {
  const one = new Host();
  const other = new Host();
  for (let second = 0; second < 120; second++) {
    if (second % 20 === 0) other.wallMs += second % 40 === 0 ? 3_600_000 : -3_600_000;
    one.second({ "web@1": HOT }, idle(second));
    other.second({ "web@1": HOT }, idle(second));
  }
  const decided = (host: Host): unknown =>
    host.evaluations.map(({ action, because, class: name }) => [action, because, name]);
  assertEquals(decided(other), decided(one));
});

Deno.test("pressureStep() forgets all windows when the machine was suspended", () => {
  const host = new Host();
  run(host, 20, { "web@1": HOT });
  host.second({ "web@1": HOT }, { uptimeMs: host.nowMs + 60_000 });
  let evaluation: PressureEvaluation | undefined;
  for (let second = 0; second < 5; second++) {
    evaluation = host.second({ "web@1": HOT }, { uptimeMs: host.nowMs + 60_000 }) ?? evaluation;
  }
  assertEquals(evaluation?.because.code, "insufficient-samples");
});

Deno.test("pressureStep() does nothing while the web is held", () => {
  const host = new Host();
  for (let second = 0; second < 60; second++) {
    host.second({ "web@1": HOT }, { ...idle(second), isHeld: true });
  }
  assertEquals(host.evaluations.at(-1)?.because.code, "paused");
  assertEquals(new Set(host.evaluations.map(({ action }) => action)), new Set(["None"]));
});

Deno.test("pressureStep() tries as seldom to stop an instance that could not be stopped as to stop another one", () => {
  const host = new Host();
  const both = { "web@1": CALM, "web@2": CALM };
  run(host, 80, both);
  host.comesOut({ action: "ScaleIn", isDone: false, instance: "web@2", text: "still drains" });
  host.second(both);
  assertEquals(run(host, 120, both).because.code, "cooldown-in");
  assertEquals(run(host, 180, both).action, "ScaleIn");
});

Deno.test("pressureStep() expects nothing any more of an instance that was stopped on purpose", () => {
  const host = new Host({ runsByAnswer: true });
  const second = (isThere: boolean, outcome?: ScaleOutcome): PressureEvaluation | undefined =>
    host.second({ "web@1": CALM }, {
      instances: [{
        name: "bare",
        group: absent("neither a unit nor a pid file is set for it"),
        metrics: isThere ? ok(NO_METRICS) : failed("refused"),
      }],
      outcome,
    });
  const standings = (outcome?: ScaleOutcome): readonly unknown[] => {
    let last: PressureEvaluation | undefined;
    for (let index = 0; index < 12; index++) last = second(false, index === 0 ? outcome : undefined) ?? last;
    return last?.instances.map(({ standing }) => standing) ?? [];
  };
  second(true);
  assertEquals(standings(), ["stale"]);
  assertEquals(standings({ action: "ScaleIn", isDone: true, instance: "bare", text: "stopped" }), [
    "stopped",
  ]);
});

Deno.test("pressureStep() takes an idle tier that was held for none: its idling begins when the hold ends", () => {
  const host = new Host();
  const both = { "web@1": CALM, "web@2": CALM };
  for (let second = 0; second < 120; second++) host.second(both, { ...idle(second), isHeld: true });
  assertEquals(run(host, 5, both).because.code, "insufficient-samples");
  assertEquals(run(host, 20, both).because.code, "below-window");
  assertEquals(run(host, 60, both).action, "ScaleIn");
});

Deno.test("pressureStep() begins the minute of idling anew when an instance is gone", () => {
  const host = new Host();
  const evenly = { "web@1": CALM, "web@2": CALM };
  run(host, 70, { ...evenly, "web@3": CALM });
  assertEquals(run(host, 5, evenly).because.code, "below-window");
  assertEquals(run(host, 65, evenly).action, "ScaleIn");
});

Deno.test("pressureStep() confirms anew when an instance has come", () => {
  const host = new Host();
  run(host, 15, { "web@1": HOT });
  assertEquals(run(host, 1, { "web@1": HOT }).input.confirmations, 2);
  assertEquals(run(host, 1, { "web@1": HOT, "web@2": HOT }).input.confirmations <= 1, true);
});

Deno.test("pressureStep() sets an instance aside from its first answer on, though all windows began anew since", () => {
  const host = new Host();
  run(host, 20, { "web@1": HOT });
  // It took 20 s to its first answer, which ends the scaling.
  const slow: Doing = { cpu: 0.5, lagMs: 0, startedS: host.nowMs / 1_000 };
  for (let second = 0; second < 20; second++) {
    host.second({ "web@1": HOT, "web@2": { ...slow, silent: true } });
  }
  host.second({ "web@1": HOT, "web@2": slow });
  host.comesOut({ action: "ScaleOut", isDone: true, instance: "web@2", text: "started" });
  const during = run(host, 5, { "web@1": HOT, "web@2": slow });
  assertEquals(during.instances.map(({ standing }) => standing), ["counts", "new"]);
});

Deno.test("pressureStep() takes a process for new by the clock that goes on while the machine is suspended", () => {
  const host = new Host();
  const suspendedMs = 3_600_000;
  const twin = (withOther: boolean): Partial<PressureSample> => ({
    uptimeMs: host.nowMs + 1_000 + suspendedMs,
    apps: [{
      name: "shop",
      group: ok([appProcess(1, 0), ...withOther ? [appProcess(2, 900)] : []]),
      allowedCpus: undefined,
      pools: [],
      queueWait: absent("none"),
    }],
  });
  // The other one started before the last look, within the time that the monotonic clock lacks.
  const appProcess = (pid: number, cpuS: number): GroupProcess => ({
    pid,
    ppid: 1,
    startTicks: (host.nowMs + suspendedMs / 2) / 10,
    cpuTicks: cpuS * 100,
    reapedTicks: 0,
    rssKib: 1,
  });
  host.second({}, twin(false));
  host.second({}, twin(true));
  assertEquals(host.state.apps.map(({ processes }) => processes.cpuS), [0]);
});

Deno.test("nextDueMs() stays on its grid, and is never due twice for what was missed", () => {
  const rows = [[0, 0, 5_000], [0, 30, 5_000], [0, 4_999, 5_000], [0, 5_000, 10_000], [
    0,
    61_200,
    65_000,
  ]] as const;
  for (const [dueMs, nowMs, next] of rows) assertEquals(nextDueMs(dueMs, nowMs, 5_000), next);
});

Deno.test("pressureStep() makes at most six actions in an hour in which the load goes to and fro", () => {
  for (const periodS of [120, 240, 400, 700]) {
    const host = new Host({
      thresholds: { ...DEFAULT_THRESHOLDS, cooldownInS: 60, cooldownInAfterOutS: 60 },
    });
    let instances = 1;
    let actions = 0;
    let turns = 0;
    let last: string | undefined;
    for (let second = 0; second < 3_600; second++) {
      const load = second % periodS < periodS / 2 ? 0.97 : 0.02;
      const doing = Object.fromEntries(
        Array.from(
          { length: instances },
          (_, index) => [`web@${index + 1}`, { cpu: load, lagMs: load > 0.5 ? 4 : 0 }],
        ),
      );
      const action = host.second(doing, idle(second))?.action ?? "None";
      if (action === "None") continue;
      actions += 1;
      if (last !== undefined && last !== action) turns += 1;
      last = action;
      instances += action === "ScaleOut" ? 1 : -1;
      host.comesOut({ action, isDone: true, instance: `web@${instances}`, text: "done" });
    }
    assert(actions >= 3, `${periodS}: ${actions} actions`);
    assert(actions <= FLAP_LIMIT.actions, `${periodS}: ${actions} actions`);
    assert(turns <= FLAP_LIMIT.turns, `${periodS}: ${turns} turns`);
  }
});
