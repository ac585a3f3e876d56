import { assertEquals } from "@std/assert";
import { type InstanceConfig, NO_METRIC_NAMES } from "./pressure_config.ts";
import { resolveConfig } from "./resolve.ts";

/** What a file says of its instances, and what is wrong with it. */
function read(text: string): { instances: readonly InstanceConfig[]; told: readonly unknown[] } {
  const { instances, problems } = resolveConfig({ ini: { source: "x.ini", text } });
  return { instances, told: problems.map(({ line, message, using }) => [line, message, using ?? "ignored"]) };
}

Deno.test("INSTANCES have defaults for what their section does not say", () => {
  assertEquals(read("[instance:web]\nunit = web@1.service\n"), {
    instances: [{
      name: "web",
      metrics: undefined,
      preset: "auto",
      unit: "web@1.service",
      pidFile: "",
      cpus: 0,
      loopsCount: 1,
      connectionLimitCount: 0,
      lagBaselineMs: undefined,
      names: NO_METRIC_NAMES,
    }],
    told: [],
  });
});

Deno.test("INSTANCES are read from a section each, with every setting", () => {
  const text =
    "[instance:www.example.org]\nmetrics = http://[::1]:9101/m\npreset = generic\nunit = a.service\n" +
    "pid_file = /run/a/b.pid\ncpus = 1.5\nloops = 2\nconnection_limit = 4096\nlag_baseline = 10ms\n" +
    "metric_cpu = a:cpu\nmetric_lag_p99 = b\nmetric_lag_histogram = c\nmetric_inflight = d\n" +
    "metric_connections = e\nmetric_connection_limit = f\nmetric_latency = g\nmetric_requests = h\n" +
    "metric_errors = i\nmetric_timeouts = j\nmetric_queue_wait = k\nmetric_rss = _l9\n";
  assertEquals(read(text), {
    instances: [{
      name: "www.example.org",
      metrics: { at: { kind: "tcp", host: "::1", port: 9_101 }, path: "/m" },
      preset: "generic",
      unit: "a.service",
      pidFile: "/run/a/b.pid",
      cpus: 1.5,
      loopsCount: 2,
      connectionLimitCount: 4_096,
      lagBaselineMs: 10,
      names: {
        cpu: "a:cpu",
        lagP99: "b",
        lagHistogram: "c",
        inflight: "d",
        connections: "e",
        connectionLimit: "f",
        latency: "g",
        requests: "h",
        serverErrors: "i",
        timeouts: "j",
        queueWait: "k",
        rss: "_l9",
      },
    }],
    told: [],
  });
});

Deno.test("INSTANCES may have blanks around their name, and a baseline of 0 is not that of the preset", () => {
  const { instances, told } = read("[ instance : a b ]\nunit = a.service\nlag_baseline = 0\n");
  assertEquals(instances.map(({ name, lagBaselineMs }) => [name, lagBaselineMs]), [["a b", 0]]);
  assertEquals(told, []);
});

const ADDRESSES =
  "http://127.0.0.1:PORT/PATH, http://[::1]:PORT/PATH or unix:/run/loadweir/metrics/NAME.sock:/PATH, " +
  "with no other addresses or names such as localhost, or nothing";

const BROKEN: readonly (readonly [string, string, readonly unknown[]])[] = [
  ["nothing to look at", "[instance:a]\nloops = 2\n", [
    [1, "[instance:a] has no good metrics, unit or pid_file, so that the instance is not watched", "ignored"],
  ]],
  ["a name instead of an address", "[instance:a]\nmetrics = http://localhost:9101/metrics\n", [
    [1, "[instance:a] has no good metrics, unit or pid_file, so that the instance is not watched", "ignored"],
    [2, `[instance:a] metrics is "http://localhost:9101/metrics", expected ${ADDRESSES}`, ""],
  ]],
  ["a key that it does not have", "[instance:a]\nunit = a.service\nmetrics_rss = x\n", [
    [3, "[instance:a] metrics_rss: unknown key, did you mean metric_rss?", "ignored"],
  ]],
  ["two of one name", "[instance:a]\nunit = a.service\n[instance: a]\nunit = b.service\n", [
    [
      3,
      '[instance: a] has the name of an earlier instance, "a", so that it is not watched; give it another one',
      "ignored",
    ],
  ]],
  ["a setting twice", "[instance:a]\nunit = b.service\n[instance:a]\nunit = a.service\n", [
    [2, "[instance:a] unit is set again in line 4, the last one counts", "line 4"],
  ]],
  ["a value that is empty", "[instance:a]\nunit = a.service\nloops =\n", [
    [3, "[instance:a] loops is empty, expected a whole number from 1 to 1024", "1"],
  ]],
  ["a section that it is not", "[instnace:a]\nunit = a.service\n", [
    [1, "[instnace:a]: unknown section, did you mean [instance:a]?", "ignored"],
  ]],
  ["a blank for the colon", "[instance a]\nunit = a.service\n", [
    [1, "[instance a]: unknown section, did you mean [instance:a]?", "ignored"],
  ]],
  ["no name", "[instance:]\nunit = a.service\n", [
    [1, "[instance:]: unknown section, did you mean [instance:NAME]?", "ignored"],
  ]],
  ["no name and no colon", "[instance]\nunit = a.service\n", [
    [1, "[instance]: unknown section, did you mean [instance:NAME]?", "ignored"],
  ]],
];

for (const [name, text, expected] of BROKEN) {
  Deno.test(`INSTANCES are told of ${name}`, () => assertEquals(read(text).told, expected));
}

Deno.test("INSTANCES leave out one that has a name twice, and keep the first", () => {
  const { instances } = read("[instance:a]\nunit = a.service\n[instance: a]\nunit = b.service\n");
  assertEquals(instances.map(({ unit }) => unit), ["a.service"]);
});

Deno.test("INSTANCES take the last of a setting that is there twice", () => {
  const { instances } = read("[instance:a]\nunit = b.service\n[instance:a]\nunit = a.service\n");
  assertEquals(instances.map(({ unit }) => unit), ["a.service"]);
});

Deno.test("INSTANCES with dots in their names stay apart", () => {
  const { instances } = read(
    "[instance:a]\nunit = a.service\n[instance:a.b]\nunit = b.service\n[instance:__proto__]\nunit = c.service\n",
  );
  assertEquals(instances.map(({ name, unit }) => [name, unit]), [
    ["a", "a.service"],
    ["a.b", "b.service"],
    ["__proto__", "c.service"],
  ]);
});
