import { assertEquals, assertMatch } from "@std/assert";
import { failed, ok } from "../reading.ts";
import { BUSY_GATE, climb, loadOf, sampleAt } from "../testing/climb.ts";
import { recordOfEvidence, renderEvidence } from "./evidence.ts";

const CONTEXT = { wallMs: Date.UTC(2026, 10, 29, 19, 31, 5), mode: "audit", source: "bind-mount" } as const;

function lastDecision(...samples: Parameters<typeof climb>[0]): ReturnType<typeof climb>[number]["decision"] {
  const step = climb(samples).at(-1);
  if (step === undefined) throw new Error("no sample was due");
  return step.decision;
}

Deno.test("renderEvidence() says in one line why a quiet pass did nothing", () => {
  const sample = { ...sampleAt(0, 0), load: ok(loadOf(180.5, 201)) };
  assertEquals(
    renderEvidence(lastDecision(sample), CONTEXT),
    "ts=2026-11-29T19:31:05Z tier=normal phase=pass load1=180.5 load5=201.0 cpus=2 " +
      "action=none reason=below-spider mode=audit source=bind-mount",
  );
});

Deno.test("renderEvidence() gives the numbers that a drastic decision rests on", () => {
  const gate = { ...BUSY_GATE, iowaitPercent: ok(9.9), psiCpuPercent: ok(64) };
  const recheck = { ...sampleAt(9_000, 0, gate), load: ok(loadOf(671, 455, { cpuBusyRatio: 0.97 })) };
  assertEquals(
    renderEvidence(lastDecision(sampleAt(0, 671), recheck), CONTEXT),
    "ts=2026-11-29T19:31:05Z tier=max phase=recheck load1=671.0 load5=455.0 over=610.0 cpus=2 " +
      "runnable_per_cpu=5.00 cpu_busy=0.97 iowait=0.099 psi_cpu=64.00 psi_io=0.00 cpu_demand=wanted backup=no " +
      "action=pause-web reason=confirmed mode=audit source=bind-mount",
  );
});

Deno.test("renderEvidence() quotes what holds blanks, and leaves out what is not known", () => {
  const gate = { ...BUSY_GATE, backups: ok(["duplicity (pid 4427)"]), iowaitPercent: failed("cut") };
  const line = renderEvidence(lastDecision(sampleAt(0, 671), sampleAt(9_000, 671, gate)), CONTEXT);
  assertEquals(/ backup="duplicity \(pid 4427\)" /.test(line), true, line);
  assertEquals(/iowait=/.test(line), false, line);
  const unknown = renderEvidence(lastDecision(sampleAt(0, undefined)), CONTEXT);
  assertEquals(
    /^ts=\S+ tier=unknown phase=pass action=none reason=load-unknown /.test(unknown),
    true,
    unknown,
  );
});

Deno.test("renderEvidence() ends with what an audit would do", () => {
  const decision = lastDecision(sampleAt(0, 671), sampleAt(9_000, 671));
  const line = renderEvidence(decision, {
    ...CONTEXT,
    would: ["pause nginx.service (master 7)", "spare php"],
  });
  assertMatch(line, / would="pause nginx\.service \(master 7\); spare php"$/);
  assertEquals(recordOfEvidence(decision, { ...CONTEXT, would: ["spare php"] }).would, ["spare php"]);
});

Deno.test("renderEvidence() counts from the start of a trace that has no wall clock", () => {
  const line = renderEvidence(lastDecision(sampleAt(9_100, 20)), { ...CONTEXT, wallMs: undefined });
  assertEquals(line.split(" ")[0], "t=9.1");
});

Deno.test("recordOfEvidence() holds the decision's record, and null for what is not known", () => {
  const record = recordOfEvidence(lastDecision(sampleAt(0, 100)), CONTEXT);
  assertEquals(JSON.parse(JSON.stringify(record)), {
    ts: "2026-11-29T19:31:05Z",
    t: 0,
    phase: "pass",
    tier: "normal",
    confirmed: false,
    load1Pct: 100,
    load5Pct: 100,
    actions: [],
    markers: ["normal_load"],
    crawlerBlock: false,
    paused: false,
    overPct: null,
    cpus: 2,
    reason: "below-spider",
    alerts: [],
    runnablePerCpu: null,
    cpuBusyRatio: null,
    psiCpuPct: null,
    psiIoPct: null,
    cpuDemand: null,
    iowaitPct: null,
    backups: null,
    mode: "audit",
    source: "bind-mount",
    would: null,
  });
});
