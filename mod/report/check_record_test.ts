import { assertEquals } from "@std/assert";
import { failed } from "../reading.ts";
import { BARE_HOST, GOOD_HOST } from "../testing/check.ts";
import { recordOfCheck } from "./check_record.ts";

/** Keys of a value, however deep, in order; of a list those of its first member. */
function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [keysOf(value[0])];
  if (typeof value !== "object" || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, keysOf(member)]));
}

/** The record as a program reads it. */
// deno-lint-ignore no-explicit-any
function recordOf(findings: typeof GOOD_HOST): any {
  return JSON.parse(JSON.stringify(recordOfCheck(findings)));
}

Deno.test("recordOfCheck() has the keys that are documented", () => {
  const step = { pct: null, load: null };
  const setting = { section: null, key: null, value: null, source: null, line: null };
  assertEquals(keysOf(recordOf(GOOD_HOST)), {
    version: null,
    verdict: {
      exitCode: null,
      guardable: null,
      reasons: [],
      limits: [],
      problems: null,
      advice: null,
      text: null,
    },
    host: {
      name: null,
      kernel: null,
      root: null,
      cpus: null,
      cpuLimit: null,
      cpuLimitCgroup: null,
      container: null,
    },
    config: {
      path: null,
      read: [null],
      profile: null,
      unusable: null,
      lastGood: null,
      problems: [],
      settings: [setting],
    },
    ladder: { spider: step, max: step, crit: step, resume: step, task: step },
    sensors: {
      source: null,
      procRoot: null,
      notes: [],
      load1: null,
      load5: null,
      load1Pct: null,
      load5Pct: null,
      tier: null,
      iowaitPct: null,
      psiCpuPct: null,
      psiIoPct: null,
      processes: null,
      missing: [],
    },
    webTier: {
      manager: null,
      services: [{
        kind: null,
        version: null,
        program: null,
        service: null,
        servicePath: null,
        loadState: null,
        activeState: null,
        running: null,
        masters: [{ pid: null, conf: null }],
        workers: null,
        pools: [],
      }],
      foreign: [],
      orphanPids: [],
      unclearPids: [],
      problem: null,
    },
    crawlerBlock: {
      state: null,
      on: null,
      off: null,
      include: null,
      places: [{ path: null, line: null, pattern: null }],
      flaw: null,
    },
    tools: [{ name: null, path: null }],
    patterns: {
      backups: [{ pattern: null, matches: [] }],
      runaways: [{ pattern: null, matches: [{ pid: null, program: null, spared: null }] }],
      undecidedPids: [],
      marker: { path: null, running: null },
    },
    sandbox: {
      compiled: null,
      listed: { read: null, write: null, run: null, net: null, env: null, sys: null },
      whole: [],
      missing: [],
    },
    pressure: [],
    files: [{ name: null, path: null, state: null, cure: null }],
    mount: [],
  });
});

Deno.test("recordOfCheck() has the same keys for a host of which little is known", () => {
  const { sensors } = BARE_HOST;
  const findings = {
    ...BARE_HOST,
    sensors: { ...sensors, sample: { ...sensors.sample, load: failed("x") } },
  };
  const record = recordOf(findings);
  assertEquals(Object.keys(record), Object.keys(recordOf(GOOD_HOST)));
  assertEquals(record.verdict.reasons.map(({ code }: { code: string }) => code), ["no-load", "no-web"]);
  assertEquals([record.sensors.tier, record.sensors.load1, record.host.cpus], ["unknown", null, null]);
  assertEquals(record.sensors.missing.map(({ reading }: { reading: string }) => reading), [
    "load",
    "iowait",
    "processes",
    "psiCpu",
    "psiIo",
  ]);
  assertEquals(record.ladder.max, { pct: 610, load: null });
  assertEquals(record.patterns, null);
  assertEquals(record.mount.length, 2);
});

Deno.test("recordOfCheck() has values that programs can count on", () => {
  const record = recordOf(GOOD_HOST);
  assertEquals(record.ladder.max, { pct: 700, load: 14 });
  assertEquals(record.sensors.load1Pct, 671);
  assertEquals(record.webTier.services[1].pools, [{ name: "www", workers: 2 }, { name: "idle", workers: 0 }]);
  assertEquals(record.patterns.runaways[0].matches[1], {
    pid: 4430,
    program: "php drush",
    spared: "descendant-of-backup",
  });
});

Deno.test("recordOfCheck() says what is watched, and why it does not answer", () => {
  const { pressure } = recordOf({
    ...GOOD_HOST,
    watched: [
      {
        kind: "instance",
        name: "nginx",
        processes: { kind: "ok", value: 3 },
        metrics: { kind: "failed", error: "refused" },
      },
      { kind: "app", name: "php", processes: failed("hangs"), pools: ["www"] },
    ],
  });
  assertEquals(pressure, [
    { kind: "instance", name: "nginx", processes: 3, answers: false, problem: "refused" },
    { kind: "app", name: "php", processes: null, pools: ["www"] },
  ]);
});
