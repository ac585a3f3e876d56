import { assert, assertEquals } from "@std/assert";
import type { Config } from "./config.ts";
import { renderProblem } from "./report.ts";
import { resolveConfig } from "./resolve.ts";
import { defaultConfig } from "./schema.ts";
import type { ConfigSources } from "./sources.ts";
import { thresholdsOf } from "./thresholds.ts";

const INI = "/etc/loadweir/loadweir.ini";
const CNF = "/root/.barracuda.cnf";

function ini(text: string): ConfigSources {
  return { ini: { source: INI, text } };
}

function barracuda(text: string): ConfigSources {
  return { barracuda: { source: CNF, text } };
}

/** What differs from the defaults. */
function changes(sources: ConfigSources): Partial<Config> {
  const { config } = resolveConfig(sources);
  const defaults = new Map(Object.entries(defaultConfig()));
  return Object.fromEntries(
    Object.entries(config).filter(([field, value]) =>
      JSON.stringify(value) !== JSON.stringify(defaults.get(field))
    ),
  );
}

function sentences(sources: ConfigSources): readonly string[] {
  return resolveConfig(sources).problems.map(renderProblem);
}

function caseText(name: string): string {
  return Deno.readTextFileSync(`fixtures/cases/${name}/config.cnf`);
}

Deno.test("resolveConfig() gives all defaults, from nowhere, without sources", () => {
  const { config, problems, origins, unusable } = resolveConfig({});
  assertEquals(config, defaultConfig());
  assertEquals(problems, []);
  assertEquals(unusable, false);
  assertEquals(origins.length, Object.keys(config).length);
  assert(origins.every(({ source, line }) => source === "default" && line === undefined));
});

Deno.test("resolveConfig() reads a whole loadweir.ini", () => {
  const sources = ini(Deno.readTextFileSync("fixtures/config/good.ini"));
  assertEquals(sentences(sources), []);
  assertEquals(changes(sources), {
    profile: "generic",
    niceness: -5,
    spiderRatio: 3,
    maxRatio: 7.5,
    critRatio: 10,
    intervalMs: 2000,
    witness: "require",
    maxHoldMs: 3_600_000,
    backupEngines: ["mydumper", "duplicity", "restic"],
    backupOrchestrators: ["/usr/local/sbin/nightly.sh"],
    runawayNames: ["php"],
    incidentReport: "ALL",
    incidentEmail: "ops@example.org",
    probeTickMs: 10_000,
    probePeers: ["192.0.2.11", "192.0.2.12"],
    probeDrainLimit: 1,
    icmpMode: "nft",
    agentCheckAddresses: ["192.0.2.10"],
    checkSwap: "warn",
    conntrackLevels: { warn: 60, drain: 80 },
    pressureMode: "active",
    pressureWindowMs: 10_000,
    pressureSamplesCount: 8,
    latencyTargetMs: 250,
    cpuBudget: 1.5,
    tierTemplate: "web@.service",
    tierMaxCount: 3,
    tierMetrics: "http://127.0.0.1:%p/metrics",
    tierBasePort: 9_100,
    tierDrain: "unit",
  });
  const { sites, instances, apps } = resolveConfig(sources);
  assertEquals(instances.map(({ name, unit, pidFile }) => [name, unit, pidFile]), [
    ["web.local", "web.service", ""],
    ["balancer", "", "/run/balancer.pid"],
  ]);
  assertEquals(apps.map(({ name, process, argument }) => [name, process, argument]), [
    ["shop.example.org", "", ""],
    ["reports", "php", "/srv/reports ; nightly.php"],
  ]);
  assertEquals(sites.map(({ name, text, action }) => [name, text, action]), [
    ["www.example.org", "all is well; really", "drain"],
    ["shop.example.org", "Add to basket", "warn"],
  ]);
});

Deno.test("resolveConfig() reads a whole file of BOA, and nothing but our settings", () => {
  const sources = barracuda(Deno.readTextFileSync("fixtures/config/barracuda.cnf"));
  assertEquals(sentences(sources), []);
  assertEquals(changes(sources), {
    niceness: 10,
    spiderRatio: 3,
    maxRatio: 6.5,
    critRatio: 9,
    taskRatio: 4,
    resumeFraction: 0.75,
    iowaitMinPercent: 20,
    incidentEmail: "admin@example.org",
  });
});

Deno.test("resolveConfig() reports every mistake of a file at once, each with its line", () => {
  const { problems, config, unusable } = resolveConfig(
    ini(Deno.readTextFileSync("fixtures/config/broken.ini")),
  );
  assertEquals(problems.map(({ line, message, using }) => [line, message, using]), [
    [2, "spider stands before any [section]", undefined],
    [3, '[ladder] is followed by "of doom", expected nothing or a comment', "[ladder]"],
    [4, '[ladder] max is "7,5", expected a number above 0 such as 6.1', "6.1"],
    [5, "[ladder] crit is set again in line 6, the last one counts", "line 6"],
    [7, "[ladder] resume_fracton: unknown key, did you mean resume_fraction?", undefined],
    [8, "[ladder] max_hold: unknown key, it belongs to [web]", undefined],
    [9, 'line is "this is no setting", expected key = value, [section] or a comment', undefined],
    [10, "[laddr]: unknown section, did you mean [ladder]?", undefined],
    [12, 'section is "[web", expected [name]; the keys below it are ignored too', undefined],
    [15, '[agent] nice is "20", expected a whole number from -20 to 19', "0"],
    [16, '[agent] profile is "drupal", expected auto, generic or boa', "auto"],
  ]);
  assertEquals(config, { ...defaultConfig(), critRatio: 10 });
  assertEquals(unusable, false);
});

Deno.test("resolveConfig() takes Windows line ends and the older word MINI (c52)", () => {
  assertEquals(changes(barracuda(caseText("c52-cnf-crlf"))), { niceness: 10 });
  assertEquals(sentences(barracuda(caseText("c52-cnf-crlf"))), []);
});

Deno.test("resolveConfig() takes a byte order mark, export and quotes (c53)", () => {
  const sources = barracuda(caseText("c53-cnf-bom-export-quotes"));
  assertEquals(changes(sources), { maxRatio: 5.5, critRatio: 7.5, niceness: 12 });
  assertEquals(sentences(sources), []);
});

Deno.test("resolveConfig() refuses comma decimals instead of dropping the comma (c55)", () => {
  const sources = barracuda(caseText("c55-cnf-comma-decimals"));
  assertEquals(changes(sources), {});
  assertEquals(sentences(sources), [
    'Cannot use "/root/.barracuda.cnf" line 1: _CPU_MAX_RATIO is "5,5", expected a number above 0 ' +
    "such as 6.1; " +
    "using 6.1",
    'Cannot use "/root/.barracuda.cnf" line 2: _RESUME_FRACTION is "0,7", expected a number between ' +
    "0 and 1 " +
    "such as 0.8, not 0 or 1 itself; using 0.8",
  ]);
});

Deno.test("resolveConfig() refuses empty and negative values, and keeps a negative nice value (c56)", () => {
  const sources = barracuda(caseText("c56-cnf-negative-and-empty"));
  assertEquals(changes(sources), { niceness: -5 });
  assertEquals(
    resolveConfig(sources).problems.map(({ key, value, using, level }) => [key, value, using, level]),
    [
      ["_CPU_MAX_RATIO", "", "6.1", "warning"],
      ["_CPU_SPIDER_RATIO", "-1.0", "2.1", "warning"],
      ["_RESUME_FRACTION", "1.5", "0.8", "warning"],
    ],
  );
});

Deno.test("resolveConfig() replaces thresholds out of order by the defaults: 250 % is SPIDER (c58)", () => {
  const sources = barracuda(caseText("c58-cnf-thresholds-out-of-order"));
  assertEquals(changes(sources), {});
  assertEquals(sentences(sources), [
    'Cannot use "/root/.barracuda.cnf" line 3: _CPU_CRIT_RATIO = 1.9 is below _CPU_MAX_RATIO = 7.2, ' +
    "expected spider < max < crit; using spider 2.1, max 6.1, crit 8.1",
  ]);
  const { spiderPercent, maxPercent } = thresholdsOf(resolveConfig(sources).config);
  assert(spiderPercent < 250 && 250 < maxPercent);
});

Deno.test("resolveConfig() names the threshold that somebody set", () => {
  const rows: readonly [string, string][] = [
    ["crit = 2.5", "[ladder] crit = 2.5 is below max = 6.1 (default), expected spider < max < crit"],
    ["max = 6.1\ncrit = 2.5", "[ladder] crit = 2.5 is below max = 6.1, expected spider < max < crit"],
    ["max = 9", "[ladder] max = 9 is above crit = 8.1 (default), expected spider < max < crit"],
    ["spider = 7", "[ladder] spider = 7 is above max = 6.1 (default), expected spider < max < crit"],
    ["spider = 7\nmax = 7", "[ladder] max = 7 equals spider = 7, expected spider < max < crit"],
    ["spider = 9\nmax = 5\ncrit = 3", "[ladder] crit = 3 is below max = 5, expected spider < max < crit"],
  ];
  for (const [lines, expected] of rows) {
    const sources = ini(`[ladder]\n${lines}`);
    assertEquals(resolveConfig(sources).problems.map(({ message }) => message), [expected]);
    assertEquals(changes(sources), {}, lines);
  }
});

Deno.test("resolveConfig() looks at the order of what applies in the end, from all sources", () => {
  assertEquals(changes({ ...ini("[ladder]\nmax = 9\n"), ...barracuda("_CPU_CRIT_RATIO=12\n") }), {
    maxRatio: 9,
    critRatio: 12,
  });
  const { problems } = resolveConfig({ ...ini("[ladder]\nmax = 5\n"), ...barracuda("_CPU_CRIT_RATIO=4\n") });
  assertEquals(problems.map(({ source, line, message }) => [source, line, message]), [
    [CNF, 1, "_CPU_CRIT_RATIO = 4 is below max = 5, expected spider < max < crit"],
  ]);
});

Deno.test("resolveConfig() lays BOA's settings over loadweir.ini and --set over both", () => {
  const sources = {
    ...ini("[ladder]\nspider = 3\nmax = 6\ncrit = 9\n"),
    ...barracuda("_CPU_MAX_RATIO=7\n_CPU_CRIT_RATIO=10\n"),
    overrides: ["ladder.crit=11"],
  };
  assertEquals(changes(sources), { spiderRatio: 3, maxRatio: 7, critRatio: 11 });
  const origins = resolveConfig(sources).origins.filter(({ source }) => source !== "default");
  assertEquals(origins, [
    { field: "spiderRatio", section: "ladder", key: "spider", value: "3", source: INI, line: 2 },
    { field: "maxRatio", section: "ladder", key: "max", value: "7", source: CNF, line: 1 },
    { field: "critRatio", section: "ladder", key: "crit", value: "11", source: "--set", line: undefined },
  ]);
});

Deno.test("resolveConfig() takes what lies below a bad value, and says so", () => {
  const sources = { ...ini("[ladder]\nmax = 7\n"), ...barracuda("_CPU_MAX_RATIO=seven\n") };
  assertEquals(changes(sources), { maxRatio: 7 });
  assertEquals(sentences(sources), [
    'Cannot use "/root/.barracuda.cnf" line 1: _CPU_MAX_RATIO is "seven", expected a number above 0 ' +
    "such as " +
    "6.1; using 7",
  ]);
});

Deno.test("resolveConfig() counts the last of repeated settings, also when it is the bad one", () => {
  assertEquals(changes(barracuda("_CPU_MAX_RATIO=5\n_CPU_MAX_RATIO=7\n")), { maxRatio: 7 });
  assertEquals(changes(ini("[ladder]\nmax = 5\nmax = x")), {});
  assertEquals(sentences(barracuda("_CPU_MAX_RATIO=5\n_CPU_MAX_RATIO=7\n")), [
    'Cannot use "/root/.barracuda.cnf" line 1: _CPU_MAX_RATIO is set again in line 2, the last one counts; ' +
    "using line 2",
  ]);
});

Deno.test("resolveConfig() says why a value of BOA cannot be read without running it", () => {
  assertEquals(sentences(barracuda("_B_NICE=$(cat /x)\n_X=$(reboot)\n")), [
    'Cannot use "/root/.barracuda.cnf" line 1: _B_NICE holds a shell expansion, which is never run here; ' +
    "using 0",
  ]);
});

Deno.test("resolveConfig() never takes a value that bash would not keep", () => {
  for (const text of ["_B_NICE=5 nproc", "_B_NICE+=5", "_B_NICE = 5"]) {
    const { config, problems } = resolveConfig(barracuda(text));
    assertEquals([config.niceness, problems.length], [0, 1], text);
  }
});

Deno.test("resolveConfig() reads the incident report as BOA does", () => {
  const rows: readonly [string, Config["incidentReport"], number][] = [
    ["_INCIDENT_REPORT=OFF", "OFF", 0],
    ["_INCIDENT_REPORT=all", "ALL", 0],
    ["_INCIDENT_REPORT=NO", "OFF", 0],
    ["_INCIDENT_REPORT=YES", "CRIT", 0],
    ["_INCIDENT_REPORT=MINI", "CRIT", 0],
    ["_INCIDENT_REPORT=SOME", "CRIT", 1],
    ["_INCIDENT_EMAIL_REPORT=NO", "OFF", 0],
    ["_INCIDENT_REPORT=ALL\n_INCIDENT_EMAIL_REPORT=NO", "ALL", 0],
  ];
  for (const [text, expected, problemCount] of rows) {
    const { config, problems } = resolveConfig(barracuda(text));
    assertEquals([config.incidentReport, problems.length], [expected, problemCount], text);
  }
});

Deno.test("resolveConfig() keeps thresholds near 1.0 and advises against them", () => {
  const sources = ini("[ladder]\nspider = 0.5\nmax = 1.0\ncrit = 1.3\ntask = 0.9\n");
  assertEquals(changes(sources), { spiderRatio: 0.5, maxRatio: 1, critRatio: 1.3, taskRatio: 0.9 });
  assertEquals(resolveConfig(sources).problems.map(({ line, level }) => [line, level]), [
    [2, "advice"],
    [3, "advice"],
    [5, "advice"],
  ]);
  assertEquals(
    sentences(sources)[1],
    'Check "/etc/loadweir/loadweir.ini" line 3: [ladder] max = 1.0 is near or below 1.0 load per ' +
      "CPU, so that " +
      "the web would be paused under ordinary traffic; kept",
  );
});

Deno.test("resolveConfig() advises against an unreachable resume level and a blind re-check", () => {
  const { problems } = resolveConfig(ini("[ladder]\nresume_fraction = 0.1\nrecheck = 2s\ninterval = 10s"));
  assertEquals(problems.map(({ line, level, message }) => [line, level, message]), [
    [
      2,
      "advice",
      "[ladder] resume_fraction = 0.1 gives the web back only below 0.61 load per CPU, rare on a busy host",
    ],
    [
      3,
      "advice",
      "[ladder] recheck = 2s may see the same figure again, because the kernel computes the load every 5 s",
    ],
  ]);
});

Deno.test("resolveConfig() gives one piece of advice for one cause, and none on what nobody set", () => {
  const rows: readonly [string, (number | undefined)[]][] = [
    ["spider = 0.5\nmax = 1.1\nresume_fraction = 0.5", [2, 3]],
    ["max = 1.25\nspider = 1.22", []],
  ];
  for (const [lines, expected] of rows) {
    const { problems } = resolveConfig(ini(`[ladder]\n${lines}`));
    assertEquals(problems.map(({ line }) => line), expected, lines);
  }
  assertEquals(resolveConfig(ini("[ladder]\nmax = 1.23\nspider = 1.21")).problems, []);
});

Deno.test("resolveConfig() calls a source unusable as a whole, and still takes the other one", () => {
  const { config, problems, unusable } = resolveConfig({
    ...ini("\u007fELF\0\0"),
    ...barracuda("_CPU_CRIT_RATIO=9"),
  });
  assertEquals(unusable, true);
  assertEquals(config, { ...defaultConfig(), critRatio: 9 });
  assertEquals(problems.map(({ source, level }) => [source, level]), [[INI, "error"]]);
});

Deno.test("resolveConfig() refuses values with control or replacement characters", () => {
  for (const text of ["/a\u001b(B", "/a\ufffd", "/a\u007f"]) {
    const { config, problems } = resolveConfig(ini(`[agent]\nprocfs = ${text}`));
    assertEquals([config.procfsPath, problems.length], [undefined, 1], JSON.stringify(text));
  }
});
