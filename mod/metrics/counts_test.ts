import { assertEquals } from "@std/assert";
import { plainEvent } from "../incident/event.ts";
import { REASONS } from "../ladder/decision.ts";
import { absent, failed } from "../reading.ts";
import { BUSY_GATE, climb, sampleAt } from "../testing/climb.ts";
import { incidentEvent } from "../testing/incident.ts";
import { type AgentCounts, countEvent, countPass, NO_COUNTS } from "./counts.ts";

/** Counts samples that the ladder gets one after the other; the web is held wherever it is to be paused. */
function countsOf(samples: Parameters<typeof climb>[0], lateMs = 0): AgentCounts {
  const steps = climb(samples);
  return steps.reduce(
    (counts, { decision }, index) => {
      const sample = samples[index] ?? sampleAt(0, undefined);
      return countPass(counts, { sample, decision, lateMs }, decision.paused);
    },
    NO_COUNTS,
  );
}

/** What is not 0. */
function counted(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

Deno.test("countPass() counts each reason and each action of an incident", () => {
  const samples = [[0, 100], [5_000, 700], [14_000, 700], [19_000, 700], [28_000, 700], [
    33_000,
    100,
  ]] as const;
  const counts = countsOf(samples.map(([atMs, percent]) => sampleAt(atMs, percent)), 20);
  assertEquals(counts.passes, 6);
  assertEquals(counts.lateMs, 120);
  assertEquals(counted(counts.decisions), {
    "below-spider": 1,
    "recheck-asked": 2,
    "confirmed": 1,
    "already-done": 1,
    "below-resume": 1,
  });
  assertEquals(counted(counts.actions), { "recheck": 2, "pause-web": 1, "resume-web": 1 });
  assertEquals(counts.latest?.decision.reason, "below-resume");
});

Deno.test("countPass() counts the time from one evaluation to the next while the web is held", () => {
  // Held from the re-check on, until a pass finds the load low.
  const samples = [[0, 700], [9_000, 700], [14_000, 700], [23_000, 100], [28_000, 100], [
    33_000,
    100,
  ]] as const;
  assertEquals(countsOf(samples.map(([atMs, percent]) => sampleAt(atMs, percent))).heldMs, 19_000);
});

Deno.test("countPass() knows what each sensor gave last, and how often it failed", () => {
  const gate = { ...BUSY_GATE, iowaitPercent: failed("gone"), psiCpuPercent: absent("no PSI") };
  // The last one looks at the load alone: of the others it is still known what they gave at the re-check.
  const samples = [sampleAt(0, 700), sampleAt(9_000, 700, gate), {
    ...sampleAt(14_000, undefined),
    gate: undefined,
  }];
  const counts = countsOf(samples);
  assertEquals(counts.sensors, {
    "load": "failed",
    "backups": "ok",
    "iowait": "failed",
    "runnable": "ok",
    "psi-cpu": "absent",
    "psi-io": "ok",
  });
  assertEquals(counted(counts.sensorFailures), { "load": 1, "iowait": 1 });
});

Deno.test("countPass() takes a load that stands still for a failed sensor", () => {
  const sample = sampleAt(0, 100);
  const decision = { ...climb([sample])[0]?.decision, reason: "load-frozen" } as never;
  const counts = countPass(NO_COUNTS, { sample, decision, lateMs: 0 }, false);
  assertEquals([counts.sensors.load, counts.sensorFailures.load], ["frozen", 1]);
});

Deno.test("countEvent() counts events, and failures by their action", () => {
  const events = [
    incidentEvent("pause-web"),
    incidentEvent("pause-failed"),
    plainEvent("pause-failed", ["the ledger cannot be written"]),
    incidentEvent("resume-failing", "normal"),
    incidentEvent("kill-failed", "crit"),
    incidentEvent("crawler-block-failed", "spider"),
    incidentEvent("crawler-block-failed", "normal"),
    incidentEvent("crawler-block-failed", "normal"),
  ];
  const counts = events.reduce(countEvent, NO_COUNTS);
  assertEquals(counted(counts.events), {
    "pause-web": 1,
    "pause-failed": 2,
    "resume-failing": 1,
    "kill-failed": 1,
    "crawler-block-failed": 3,
  });
  assertEquals(counts.actionFailures, {
    "crawler-block-on": 1,
    "crawler-block-off": 2,
    "kill-runaways": 1,
    "pause-web": 2,
    "resume-web": 1,
  });
});

Deno.test("NO_COUNTS has every reason, so that its first time is an increase", () => {
  assertEquals(Object.keys(NO_COUNTS.decisions), Object.keys(REASONS));
  assertEquals(counted(NO_COUNTS.decisions), {});
});
