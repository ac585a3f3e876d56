import { assert, assertEquals } from "@std/assert";
import type { Ledger } from "../hold/ledger.ts";
import { parseExposition } from "../prom/exposition.ts";
import { PROBE_REASONS } from "../probe/verdict.ts";
import { absent, failed, ok } from "../reading.ts";
import { BUSY_GATE, climb, DEFAULT_RULES, loadOf, sampleAt } from "../testing/climb.ts";
import { FULL_LEDGER } from "../testing/ledger.ts";
import { anEvaluation, BUSY_INSTANCE } from "../testing/pressure.ts";
import { ONE_SITE_RULES, probe, siteLooks } from "../testing/probe.ts";
import { countPass, NO_COUNTS } from "./counts.ts";
import { type MetricFacts, metricsText } from "./metrics.ts";
import { METRIC_NAMES } from "./registry.ts";

const SAMPLE = sampleAt(60_000, 671, BUSY_GATE);
const [STEP] = climb([SAMPLE]);
assert(STEP !== undefined);
const PASS = { sample: SAMPLE, decision: STEP.decision, lateMs: 12 };

const QUIET_LEDGER: Ledger = { ...FULL_LEDGER, hold: undefined, ladder: undefined, crawlerBlock: undefined };

/** Facts of an agent that knows everything. */
const FULL: MetricFacts = {
  version: "1.2.3",
  startedWallMs: 1_796_000_000_000,
  own: { cpuS: 1.5, residentBytes: 60_000_000 },
  isConfigUsable: true,
  counts: countPass(NO_COUNTS, PASS, true),
  nowMs: 900_000,
  nowWallMs: 1_796_000_900_000,
  rules: DEFAULT_RULES,
  ledger: FULL_LEDGER,
  verdict: probe(siteLooks("ooob"), ONE_SITE_RULES).at(-1)?.verdict,
  pressure: {
    evaluation: anEvaluation(),
    counts: [{ class: "WebTierSaturated", action: "None", reason: "observe-only", count: 3 }],
  },
};

/** Facts of one that has just begun. */
const NEW: MetricFacts = {
  ...FULL,
  own: undefined,
  counts: NO_COUNTS,
  ledger: QUIET_LEDGER,
  verdict: undefined,
  pressure: { evaluation: undefined, counts: [] },
};

/** The series of a page as lines without help; all of it is read on the way. */
function linesOf(facts: MetricFacts): readonly string[] {
  const page = metricsText(facts);
  parseExposition(page, "text", "page");
  return page.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

function namesOf(lines: readonly string[]): readonly string[] {
  return [...new Set(lines.map((line) => line.replace(/[{ ].*/, "")))];
}

function startingWith(lines: readonly string[], ...starts: readonly string[]): readonly string[] {
  return lines.filter((line) => starts.some((start) => line.startsWith(start)));
}

Deno.test("metricsText() has every metric of the table where all is known", () => {
  assertEquals(namesOf(linesOf(FULL)), METRIC_NAMES);
});

Deno.test("metricsText() of an agent that has not looked has its counters, and nothing that it does not know", () => {
  assertEquals(namesOf(linesOf(NEW)), [
    "loadweir_build_info",
    "loadweir_start_time_seconds",
    "loadweir_config_usable",
    "loadweir_pass_interval_seconds",
    "loadweir_passes_total",
    "loadweir_pass_lateness_seconds_total",
    "loadweir_sensor_failures_total",
    "loadweir_load_threshold_ratio",
    "loadweir_decisions_total",
    "loadweir_actions_total",
    "loadweir_action_failures_total",
    "loadweir_events_total",
    "loadweir_web_held",
    "loadweir_hold_seconds",
    "loadweir_held_seconds_total",
    "loadweir_hold_futile",
  ]);
});

Deno.test("metricsText() tells loads as ratios, and none of a load that is not known", () => {
  assertEquals(
    startingWith(linesOf(FULL), "loadweir_load_ratio", "loadweir_load_threshold", "loadweir_cpus"),
    [
      "loadweir_cpus 2",
      'loadweir_load_ratio{window="1m"} 6.71',
      'loadweir_load_ratio{window="5m"} 6.71',
      'loadweir_load_threshold_ratio{threshold="spider"} 2.1',
      'loadweir_load_threshold_ratio{threshold="max"} 6.1',
      'loadweir_load_threshold_ratio{threshold="crit"} 8.1',
      'loadweir_load_threshold_ratio{threshold="resume"} 4.88',
    ],
  );
  for (const load of [failed("gone"), absent("no file")]) {
    const sample = { ...SAMPLE, load };
    const decision = climb([sample])[0]?.decision ?? PASS.decision;
    const lines = linesOf({ ...FULL, counts: countPass(NO_COUNTS, { sample, decision, lateMs: 0 }, false) });
    assertEquals(startingWith(lines, "loadweir_load_ratio", "loadweir_cpus"), []);
    assertEquals(startingWith(lines, 'loadweir_tier{tier="unknown"}'), ['loadweir_tier{tier="unknown"} 1']);
    assertEquals(startingWith(lines, `loadweir_sensor_state{sensor="load",state="${load.kind}"}`).length, 1);
  }
});

Deno.test("metricsText() has one tier that is 1", () => {
  const sample = { ...SAMPLE, load: ok(loadOf(900, 100)) };
  const decision = climb([sample])[0]?.decision ?? PASS.decision;
  const lines = linesOf({ ...FULL, counts: countPass(NO_COUNTS, { sample, decision, lateMs: 0 }, false) });
  assertEquals(startingWith(lines, "loadweir_tier"), [
    'loadweir_tier{tier="normal"} 0',
    'loadweir_tier{tier="spider"} 0',
    'loadweir_tier{tier="max"} 0',
    'loadweir_tier{tier="crit"} 1',
    'loadweir_tier{tier="unknown"} 0',
  ]);
});

Deno.test("metricsText() tells a hold from the ledger: why, for how long, how much longer at most", () => {
  const HOLD = ["loadweir_web_held", "loadweir_hold_"];
  assertEquals(startingWith(linesOf(FULL), ...HOLD), [
    'loadweir_web_held{reason="max"} 0',
    'loadweir_web_held{reason="crit"} 0',
    'loadweir_web_held{reason="by-hand"} 1',
    "loadweir_hold_seconds 88.5",
    "loadweir_hold_remaining_seconds 1100",
    "loadweir_hold_futile 1",
  ]);
  const endless = { ...FULL, rules: { ...DEFAULT_RULES, maxHoldMs: 0 } };
  assert(FULL_LEDGER.hold !== undefined);
  const ofMax: Ledger = { ...FULL_LEDGER, hold: { ...FULL_LEDGER.hold, reason: "max" } };
  assertEquals(startingWith(linesOf({ ...endless, ledger: ofMax }), "loadweir_hold_remaining"), []);
});

Deno.test("metricsText() tells what the probe has come to, and what it could not see", () => {
  const lines = linesOf({ ...FULL, verdict: probe(siteLooks("ooobbbu"), ONE_SITE_RULES).at(-1)?.verdict });
  assertEquals(
    startingWith(
      lines,
      "loadweir_probe_phase{",
      'loadweir_probe_check{check="site:',
      "loadweir_probe_last_look",
    ),
    [
      'loadweir_probe_phase{phase="starting"} 0',
      'loadweir_probe_phase{phase="in"} 0',
      'loadweir_probe_phase{phase="drained"} 1',
      // 870 s ago.
      "loadweir_probe_last_look_timestamp_seconds 1796000030",
      'loadweir_probe_check{check="site:www.example.org",state="untried"} 0',
      'loadweir_probe_check{check="site:www.example.org",state="ok"} 0',
      'loadweir_probe_check{check="site:www.example.org",state="warn"} 0',
      'loadweir_probe_check{check="site:www.example.org",state="drain"} 1',
    ],
  );
  assertEquals(
    lines.filter((line) => line.endsWith(" 1") && line.startsWith("loadweir_probe_check_unseen")),
    [
      'loadweir_probe_check_unseen{check="site:www.example.org"} 1',
    ],
  );
  assertEquals(startingWith(lines, "loadweir_probe_reason").length, Object.keys(PROBE_REASONS).length);
});

Deno.test("metricsText() tells components of pressure raw and clamped, of the tier, instances and applications", () => {
  const lines = linesOf(FULL);
  assertEquals(
    startingWith(
      lines,
      "loadweir_pressure_component_ratio",
      "loadweir_pressure_cpu",
      "loadweir_pressure_lag",
    ),
    [
      'loadweir_pressure_component_ratio{component="cpu"} 1',
      'loadweir_pressure_component_ratio{component="lag"} 0.62',
      'loadweir_pressure_component_ratio{component="inflight"} 0.25',
      'loadweir_pressure_component_ratio{component="latency"} 0.5',
      'loadweir_pressure_component_ratio{component="cpu_lag"} 1',
      'loadweir_pressure_component_ratio{component="score"} 1',
      "loadweir_pressure_cpu_used_ratio 1.02",
      "loadweir_pressure_lag_p99_seconds 0.0031",
    ],
  );
  assertEquals(startingWith(lines, "loadweir_pressure_instance_c", "loadweir_pressure_instance_lat"), [
    'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="cpu"} 1',
    'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="lag"} 0.62',
    'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="inflight"} 0.25',
    'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="cpu_lag"} 1',
    'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="score"} 1',
    'loadweir_pressure_instance_cpu_used_ratio{web_instance="web@1"} 1.02',
    'loadweir_pressure_instance_connection_limit{web_instance="web@1"} 512',
    'loadweir_pressure_instance_latency_seconds{web_instance="web@1",quantile="0.5"} 0.02',
    'loadweir_pressure_instance_latency_seconds{web_instance="web@1",quantile="0.95"} 0.12',
    'loadweir_pressure_instance_latency_seconds{web_instance="web@1",quantile="0.99"} 0.25',
  ]);
  assertEquals(startingWith(lines, "loadweir_pressure_app_c"), [
    'loadweir_pressure_app_component_ratio{app="shop",class="php",component="cpu"} 1',
    'loadweir_pressure_app_cpu_used_ratio{app="shop",class="php"} 1.1',
  ]);
  assertEquals(startingWith(lines, "loadweir_pressure_evaluations"), [
    'loadweir_pressure_evaluations_total{class="WebTierSaturated",action="None",reason="observe-only"} 3',
  ]);
});

Deno.test("metricsText() has no connections where they could not be seen", () => {
  const evaluation = anEvaluation({ connectionsRatio: NaN });
  const lines = linesOf({ ...FULL, pressure: { evaluation, counts: [] } });
  assertEquals(startingWith(lines, "loadweir_pressure_connections_ratio"), []);
});

Deno.test("metricsText() has no component that is not known, and the score only between its bounds", () => {
  const evaluation = anEvaluation({ lagP99Ms: undefined });
  const blind = { ...BUSY_INSTANCE, lagP99Ms: undefined, cpuRatio: undefined, standing: "stale" as const };
  const lines = linesOf({
    ...FULL,
    pressure: { evaluation: { ...evaluation, instances: [blind] }, counts: [] },
  });
  assertEquals(startingWith(lines, "loadweir_pressure_component", "loadweir_pressure_score"), [
    'loadweir_pressure_component_ratio{component="cpu"} 1',
    'loadweir_pressure_component_ratio{component="inflight"} 0.25',
    'loadweir_pressure_component_ratio{component="latency"} 0.5',
    'loadweir_pressure_score_bound_ratio{bound="low"} 0.5',
    'loadweir_pressure_score_bound_ratio{bound="high"} 1',
  ]);
  assertEquals(
    startingWith(lines, 'loadweir_pressure_instance_component_ratio{web_instance="web@1",component="c'),
    [],
  );
  assertEquals(startingWith(lines, "loadweir_pressure_instance_lag", "loadweir_pressure_lag"), []);
});
