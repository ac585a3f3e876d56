import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { type MetricNames, type MetricsPreset, NO_METRIC_NAMES } from "../config/pressure_config.ts";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { quantileOf } from "./histogram.ts";
import { type InstanceMetrics, NO_METRICS } from "./metrics.ts";
import { readMetrics } from "./read_metrics.ts";

const SOURCE = "127.0.0.1:9100/metrics";
const OPENMETRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

function fixture(file: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/metrics/${file}`, import.meta.url));
}

interface Options {
  readonly names?: Partial<MetricNames>;
  readonly lagBaselineMs?: number;
  readonly contentType?: string;
}

function read(preset: MetricsPreset, text: string, options: Options = {}): InstanceMetrics {
  const { names, lagBaselineMs, contentType } = options;
  const how = { preset, names: { ...NO_METRIC_NAMES, ...names }, lagBaselineMs };
  return readMetrics({ text, contentType }, how, SOURCE);
}

function generic(text: string, names: Partial<MetricNames>, lagBaselineMs?: number): InstanceMetrics {
  return read("generic", text, { names, ...lagBaselineMs === undefined ? {} : { lagBaselineMs } });
}

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity];

/** Counts of the three routes that the recorded program has served. */
const PROM_CLIENT: InstanceMetrics = {
  ...NO_METRICS,
  cpuS: 0.047297,
  startTimeS: 1796008239,
  lag: { kind: "p99", ms: 2.312575 },
  inflightCount: 0,
  latency: { bounds: BOUNDS, counts: [], sumS: 0 },
  requestsTotal: 14,
  serverErrorsTotal: 2,
  rssBytes: 55697408,
};

Deno.test("readMetrics() reads a page of prom-client in OpenMetrics", () => {
  const actual = read("prom-client", fixture("prom_client_openmetrics.txt"), { contentType: OPENMETRICS });
  assert(actual.latency !== undefined && actual.lag?.kind === "p99");
  assertAlmostEquals(actual.lag.ms, 2.312575, 1e-9);
  assertEquals(actual.latency.bounds, BOUNDS);
  assertEquals([actual.latency.counts[0], actual.latency.counts[3], actual.latency.counts[11]], [6, 7, 14]);
  assert((actual.latency.sumS ?? 0) > 0.45 && (actual.latency.sumS ?? 1) < 0.5);
  assertEquals(quantileOf(0.99, actual.latency).isTruncated, false);
  assertEquals(
    { ...actual, lag: undefined, latency: undefined },
    { ...PROM_CLIENT, lag: undefined, latency: undefined },
  );
});

Deno.test("readMetrics() reads a page of prom-client in the older format", () => {
  const { startTimeS, lag, inflightCount, requestsTotal, serverErrorsTotal, latency } = read(
    "auto",
    fixture("prom_client.txt"),
  );
  assertEquals([startTimeS, inflightCount, requestsTotal, serverErrorsTotal], [1796008239, 0, 14, 2]);
  assertEquals(lag?.kind, "p99");
  assertEquals(latency?.bounds, BOUNDS);
});

Deno.test("readMetrics() reads a page of HAProxy", () => {
  assertEquals(read("haproxy", fixture("haproxy.txt")), {
    ...NO_METRICS,
    startTimeS: 1796008239,
    inflightCount: 3,
    openConnectionsCount: 4,
    connectionLimitCount: 200,
    requestsTotal: 16,
    acceptsTotal: 16,
    serverErrorsTotal: 2,
  });
});

Deno.test("readMetrics() reads a page of nginx: waiting connections are not in flight", () => {
  const page = "Active connections: 291 \nserver accepts handled requests\n 30 20 70 \n" +
    "Reading: 6 Writing: 179 Waiting: 106 \n";
  assertEquals(read("nginx", page), {
    ...NO_METRICS,
    inflightCount: 185,
    openConnectionsCount: 291,
    requestsTotal: 70,
    acceptsTotal: 30,
    handledTotal: 20,
  });
});

const FPM: InstanceMetrics = { ...NO_METRICS, inflightCount: 1, requestsTotal: 1 };

Deno.test("readMetrics() reads a page of php-fpm in OpenMetrics", () => {
  const page = fixture("php_fpm_openmetrics.txt");
  assertEquals(read("php-fpm", page, { contentType: OPENMETRICS }), FPM);
  assertEquals(read("auto", page, { contentType: OPENMETRICS }), FPM);
});

Deno.test("readMetrics() reads a page of php-fpm as JSON", () => {
  const expected = { ...FPM, startTimeS: 1796008239, requestsTotal: 2 };
  assertEquals(read("php-fpm", fixture("php_fpm.json"), { contentType: "application/json" }), expected);
  assertEquals(read("auto", fixture("php_fpm.json")), expected);
});

const FILES: readonly { file: string; preset: MetricsPreset; contentType?: string }[] = [
  { file: "haproxy.txt", preset: "haproxy" },
  { file: "stub_status.txt", preset: "nginx" },
  { file: "php_fpm_openmetrics.txt", preset: "php-fpm", contentType: OPENMETRICS },
  { file: "prom_client.txt", preset: "prom-client" },
  { file: "prom_client_openmetrics.txt", preset: "prom-client", contentType: OPENMETRICS },
];

for (const { file, preset, ...type } of FILES) {
  Deno.test(`readMetrics() takes ${file} for ${preset} by itself`, () => {
    const actual = read("auto", fixture(file), type);
    assertEquals(actual, read(preset, fixture(file), type));
    assert(actual.requestsTotal !== undefined);
  });
}

Deno.test("readMetrics() takes an unknown page for generic", () => {
  const page =
    "process_start_time_seconds 5\nprocess_cpu_seconds_total 7\nmy_inflight 3\n# nodejs_eventloop_lag_ is no series here\n";
  const actual = read("auto", page, { names: { inflight: "my_inflight" } });
  assertEquals(actual, { ...NO_METRICS, startTimeS: 5, inflightCount: 3 });
});

Deno.test("readMetrics() reads every figure under names of its own", () => {
  const page = `# TYPE app_cpu_seconds_total counter
app_cpu_seconds_total{mode="user"} 1.5
app_cpu_seconds_total{mode="system"} 0.5
app_lag_milliseconds{loop="0"} 7
app_lag_milliseconds{loop="1"} 12
app_inflight{pool="a"} 3
app_inflight{pool="b"} 4
app_open 10
app_max +Inf
# TYPE app_wait_milliseconds summary
app_wait_milliseconds_sum 1500
app_wait_milliseconds_count 30
app_requests_total{code="200"} 90
app_requests_total{code="503"} 7
app_requests_total{code="5xx"} 2
app_requests_total{code="1501"} 1
app_timeouts_total 4
app_rss_bytes 4096
app_seconds_bucket{le="1"} 2
app_seconds_bucket{le="+Inf"} 5
app_seconds_sum 6
`;
  assertEquals(
    generic(page, {
      cpu: "app_cpu_seconds_total",
      lagP99: "app_lag_milliseconds",
      inflight: "app_inflight",
      connections: "app_open",
      connectionLimit: "app_max",
      latency: "app_seconds",
      requests: "app_requests_total",
      serverErrors: "app_requests_total",
      timeouts: "app_timeouts_total",
      queueWait: "app_wait_milliseconds",
      rss: "app_rss_bytes",
    }),
    {
      ...NO_METRICS,
      cpuS: 2,
      lag: { kind: "p99", ms: 12 },
      inflightCount: 7,
      openConnectionsCount: 10,
      connectionLimitCount: Infinity,
      latency: { bounds: [1, Infinity], counts: [2, 5], sumS: 6 },
      requestsTotal: 100,
      serverErrorsTotal: 9,
      timeoutsTotal: 4,
      rssBytes: 4096,
      queueWait: { sumS: 1.5, count: 30 },
    },
  );
});

Deno.test("readMetrics() leaves undefined what a page does not have, whatever its name", () => {
  const names = Object.fromEntries(Object.keys(NO_METRIC_NAMES).map((name) => [name, `no_${name}`]));
  assertEquals(generic("other 1\n", names), NO_METRICS);
  assertEquals(generic("other 1\n", {}), NO_METRICS);
});

Deno.test("readMetrics() counts all of what is named as errors and has no status", () => {
  assertEquals(generic("errors_total 3\n", { serverErrors: "errors_total" }).serverErrorsTotal, 3);
});

Deno.test("readMetrics() knows no errors of the server without a status, and none of them with one", () => {
  const buckets = 'http_request_duration_seconds_bucket{le="+Inf"';
  const count = "http_request_duration_seconds_count";
  assertEquals(read("prom-client", `${buckets}} 5\n${count} 5\n`).serverErrorsTotal, undefined);
  const told = `${buckets},status="200"} 5\n${count}{status="200"} 5\n`;
  assertEquals(read("prom-client", told).serverErrorsTotal, 0);
});

Deno.test("readMetrics() puts a configured name before that of the preset", () => {
  const page = "http_requests_in_flight 1\nmine 2\n";
  assertEquals(read("prom-client", page, { names: { inflight: "mine" } }).inflightCount, 2);
  assertEquals(read("prom-client", page).inflightCount, 1);
});

const LAG = "nodejs_eventloop_lag_p99_seconds";

for (
  const { seen, baselineMs, ms } of [
    { seen: "0.0135", baselineMs: undefined, ms: 3.5 },
    { seen: "0.0135", baselineMs: 0, ms: 13.5 },
    { seen: "0.009", baselineMs: undefined, ms: 0 },
    { seen: "NaN", baselineMs: undefined, ms: NaN },
    { seen: "+Inf", baselineMs: undefined, ms: Infinity },
  ]
) {
  Deno.test(`readMetrics() takes a lag of ${seen} s with a baseline of ${baselineMs} for ${ms} ms`, () => {
    const options = baselineMs === undefined ? {} : { lagBaselineMs: baselineMs };
    const { lag } = read("prom-client", `${LAG} ${seen}\n`, options);
    assert(lag?.kind === "p99");
    assertAlmostEquals(lag.ms, ms, 1e-9);
  });
}

const LOOPS = `lag_seconds_bucket{loop="0",le="0.001"} 5
lag_seconds_bucket{loop="0",le="0.01"} 6
lag_seconds_bucket{loop="0",le="0.02"} 8
lag_seconds_bucket{loop="0",le="+Inf"} 9
lag_seconds_sum{loop="0"} 0.2
lag_seconds_bucket{loop="1",le="0.01"} 3
lag_seconds_bucket{loop="1",le="+Inf"} 3
`;

Deno.test("readMetrics() keeps the histogram of each loop", () => {
  assertEquals(generic(LOOPS, { lagHistogram: "lag_seconds" }).lag, {
    kind: "loops",
    loops: [
      { bounds: [0.001, 0.01, 0.02, Infinity], counts: [5, 6, 8, 9], sumS: 0.2 },
      { bounds: [0.01, Infinity], counts: [3, 3], sumS: undefined },
    ],
  });
});

Deno.test("readMetrics() takes the baseline off a histogram of lag: what was below it is 0", () => {
  const { lag } = generic(LOOPS, { lagHistogram: "lag_seconds" }, 10);
  assert(lag?.kind === "loops");
  assertEquals(lag.loops[0]?.bounds, [0, 0.01, Infinity]);
  assertEquals(lag.loops[0]?.counts, [6, 8, 9]);
  assertAlmostEquals(lag.loops[0]?.sumS ?? NaN, 0.11, 1e-9);
  assertEquals(lag.loops.map((loop) => quantileOf(0.5, loop).value), [0, 0]);
});

Deno.test("readMetrics() takes the earliest creation: a label set that comes later is no new beginning", () => {
  const page = `# TYPE r counter
r_total{route="/"} 5
r_created{route="/"} 100.5
r_total{route="/new"} 1
r_created{route="/new"} 200
# TYPE h histogram
h_bucket{le="+Inf"} 1
h_created 150
# EOF
`;
  const names = { requests: "r_total", latency: "h" };
  assertEquals(read("generic", page, { names, contentType: OPENMETRICS }).createdS, 100.5);
  const { latency } = read("generic", page, { names: { latency: "h" }, contentType: OPENMETRICS });
  assertEquals(latency, { bounds: [Infinity], counts: [1], sumS: undefined });
  assertEquals(
    read("generic", page, { names: { latency: "h" }, contentType: OPENMETRICS }).createdS,
    150,
  );
});

const REFUSED: readonly { what: string; page: string; names: Partial<MetricNames>; says: string }[] = [
  { what: "a gauge that is NaN", page: "a 1\ng NaN\n", names: { inflight: "g" }, says: "line 2: g is NaN" },
  { what: "a total that is NaN", page: "c NaN\n", names: { cpu: "c" }, says: "line 1: c is NaN" },
  { what: "a total below 0", page: "c -1\n", names: { requests: "c" }, says: "line 1: c is -1" },
  { what: "an infinite total", page: "c +Inf\n", names: { timeouts: "c" }, says: "line 1: c is Infinity" },
  { what: "a start that is NaN", page: "process_start_time_seconds NaN\n", names: {}, says: "is NaN" },
  {
    what: "a creation that is NaN",
    page: "c 1\nc_created NaN\n",
    names: { cpu: "c" },
    says: "line 2: c_created",
  },
  {
    what: "a counter for a gauge",
    page: "# TYPE g counter\ng 1\n",
    names: { inflight: "g" },
    says: "line 2: g is a counter, expected a gauge",
  },
  {
    what: "a gauge for a total",
    page: "# TYPE c gauge\nc 1\n",
    names: { cpu: "c" },
    says: "line 2: c is a gauge, expected a counter",
  },
  {
    what: "the count of a histogram for a gauge",
    page: "# TYPE h histogram\nh_count 1\n",
    names: { inflight: "h_count" },
    says: "line 2: h_count is a counter",
  },
  {
    what: "a gauge for a histogram",
    page: '# TYPE h gauge\nh_bucket{le="+Inf"} 1\n',
    names: { latency: "h" },
    says: "line 2: h is a gauge, expected a histogram",
  },
  {
    what: "a bound twice in two spellings",
    page: 'h_bucket{le="1"} 1\nh_bucket{le="1.0"} 1\nh_bucket{le="+Inf"} 1\n',
    names: { latency: "h" },
    says: "line 2: h_bucket has the bound 1 twice",
  },
  {
    what: "a histogram without +Inf",
    page: 'h_bucket{r="a",le="+Inf"} 1\nh_bucket{r="b",le="1"} 1\n',
    names: { latency: "h" },
    says: "line 2: h_bucket has no bound +Inf",
  },
  {
    what: "a bound that is no number",
    page: 'h_bucket{le="x"} 1\n',
    names: { latency: "h" },
    says: 'le is "x"',
  },
  {
    what: "a bound that is NaN",
    page: 'h_bucket{le="NaN"} 1\n',
    names: { latency: "h" },
    says: 'le is "NaN"',
  },
  { what: "a bucket without bound", page: "h_bucket 1\n", names: { latency: "h" }, says: "le is missing" },
  {
    what: "a count that is NaN",
    page: 'h_bucket{le="+Inf"} NaN\n',
    names: { lagHistogram: "h" },
    says: "is NaN",
  },
  { what: "a figure twice", page: "g 1\ng 1\n", names: { inflight: "g" }, says: "line 2: is" },
  {
    what: "a broken line elsewhere",
    page: "g 1\nother\n",
    names: { inflight: "g" },
    says: 'line 2: is "other"',
  },
];

for (const { what, page, names, says } of REFUSED) {
  Deno.test(`readMetrics() refuses ${what}`, () => {
    assertThrows(() => generic(page, names), ParseError, says);
  });
}

Deno.test("readMetrics() reads bounds as numbers, in any order", () => {
  const page = 'h_bucket{le="+Inf"} 9\nh_bucket{le="1e+01"} 8\nh_bucket{le="2.50"} 3\n';
  assertEquals(generic(page, { latency: "h" }).latency, {
    bounds: [2.5, 10, Infinity],
    counts: [3, 8, 9],
    sumS: undefined,
  });
});

Deno.test("readMetrics() reads a histogram in milliseconds", () => {
  const page = 'h_ms_bucket{le="500"} 1\nh_ms_bucket{le="+Inf"} 2\nh_ms_sum 1500\n';
  assertEquals(generic(page, { latency: "h_ms" }).latency, {
    bounds: [0.5, Infinity],
    counts: [1, 2],
    sumS: 1.5,
  });
});

Deno.test("readMetrics() takes no summary for a histogram, but counts it", () => {
  const name = "http_request_duration_seconds";
  const page = `# TYPE ${name} summary\n${name}{quantile="0.99"} 0.2\n${name}_sum 3\n${name}_count 20\n`;
  const { latency, requestsTotal } = read("prom-client", page);
  assertEquals([latency, requestsTotal], [undefined, 20]);
});

Deno.test("readMetrics() reads a page of nginx as nothing else", () => {
  assertThrows(() => read("nginx", fixture("haproxy.txt")), ParseError, "stub_status");
  assertThrows(() => read("generic", fixture("stub_status.txt")), ParseError, "line 1");
});

for (const { file, preset, ...type } of FILES.filter(({ file }) => file !== "haproxy.txt")) {
  Deno.test(`readMetrics() reads or refuses ${file} however damaged`, () => {
    const page = fixture(file);
    assertReadsOrRefuses(page, (text) => {
      const { requestsTotal, serverErrorsTotal, cpuS, latency } = read(preset, text, type);
      for (const total of [requestsTotal, serverErrorsTotal, cpuS]) assert(total === undefined || total >= 0);
      assertEquals(latency?.bounds.at(-1) ?? Infinity, Infinity);
    });
  });
}
