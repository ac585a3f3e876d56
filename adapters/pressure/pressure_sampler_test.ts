import { assert, assertEquals, assertMatch } from "@std/assert";
import { type AppConfig, type InstanceConfig, NO_METRIC_NAMES } from "../../mod/config/pressure_config.ts";
import { ParseError } from "../../mod/errors.ts";
import { type InstanceMetrics, NO_METRICS } from "../../mod/pressure/metrics.ts";
import type { InstanceSample } from "../../mod/pressure/sample.ts";
import { maybeValue, whyMissing } from "../../mod/reading.ts";
import { createHostFiles } from "../check/host_files.ts";
import type { Source } from "../source.ts";
import { createPressureSampler, type PressurePlan, type PressurePorts } from "./pressure_sampler.ts";
import { tempProc } from "./temp_proc.ts";

const NO_TIER: PressurePlan["tier"] = {
  tierTemplate: "",
  tierMetrics: "",
  tierBasePort: 0,
  tierPreset: "auto",
  tierLagBaselineMs: undefined,
};

const FOLDER = "/system.slice/system-web.slice";

function anInstance(name: string, rest: Partial<InstanceConfig>): InstanceConfig {
  return {
    name,
    metrics: undefined,
    preset: "auto",
    unit: "",
    pidFile: "",
    cpus: 0,
    loopsCount: 1,
    connectionLimitCount: 0,
    lagBaselineMs: undefined,
    names: NO_METRIC_NAMES,
    ...rest,
  };
}

function anApp(name: string, rest: Partial<AppConfig>): AppConfig {
  return {
    name,
    class: "node",
    unit: "",
    process: "",
    argument: "",
    cpus: 0,
    queue: { kind: "none" },
    ...rest,
  };
}

function at(port: number): { readonly metrics: NonNullable<InstanceConfig["metrics"]> } {
  return { metrics: { at: { kind: "tcp", host: "127.0.0.1", port }, path: "/metrics" } };
}

/** A server whose page is a number that is told as the requests so far, and as their wait. */
function serve(pages: () => string): { readonly port: number } & AsyncDisposable {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(pages()),
  );
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Ports over a source, with pages that hold one number. */
function portsOf(source: Source): PressurePorts {
  let monotonicMs = 0;
  return {
    source,
    host: createHostFiles(),
    clock: {
      monotonicMs: () => monotonicMs += 1_000,
      wallMs: () => 1_000_000,
      sleep: () => Promise.resolve(),
    },
    run: () => Promise.reject(new Error("no program is started for this")),
    readMetrics({ text }, { preset }, where): InstanceMetrics {
      const count = Number(text);
      if (Number.isNaN(count)) throw new ParseError(where, `is ${text}, expected a number as for ${preset}`);
      return { ...NO_METRICS, requestsTotal: count, queueWait: { sumS: count / 10, count } };
    },
    tierAddressOf: ({ tierBasePort }) => at(tierBasePort).metrics,
  };
}

function procRoot(root: string): Source {
  return { kind: "proc-root", root, name: "procfs-flag" };
}

/** What instances told: requests, or why not. */
function told(instances: readonly InstanceSample[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    instances.map(({ name, metrics }) => [name, maybeValue(metrics)?.requestsTotal ?? whyMissing(metrics)]),
  );
}

Deno.test("take() tells instances, applications and the host, each by what is set for it", async () => {
  await using proc = await tempProc();
  proc.write("stat", "cpu  6304 0 5434 134699 289 0 35 10 0 0\ncpu0 1 0 2 3 4\ncpu1 1 0 2 3 4\nintr 1\n");
  proc.write("meminfo", "MemTotal: 4000 kB\nMemAvailable: 3000 kB\n");
  proc.write("uptime", "50.25 100.00\n");
  const psi = (some: string, full: string): string =>
    `some avg10=${some} avg60=0.00 avg300=0.00 total=1\nfull avg10=${full} avg60=0.00 avg300=0.00 total=1\n`;
  proc.write("pressure/cpu", psi("12.50", "0.00"));
  proc.write("pressure/memory", psi("9.00", "3.25"));
  proc.write("net/sockstat", "sockets: used 412\nTCP: inuse 66 orphan 0 tw 9 alloc 77 mem 6\n");
  proc.put(20, { comm: "web", cgroup: "/system.slice/web.service", cpus: "1" });
  proc.put(30, { comm: "node", argv: ["node", "/srv/shop.js"], userTicks: 9, cpus: "0" });
  proc.write("web.pid", "30");
  await using server = serve(() => "7");
  await using other = serve(() => "8");
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [
      anInstance("unit", { unit: "web.service", ...at(server.port) }),
      anInstance("file", { pidFile: `${proc.root}/web.pid` }),
      anInstance("page", at(other.port)),
      anInstance("down", { unit: "gone.service", ...at(1) }),
    ],
    apps: [
      anApp("shop", { process: "node", argument: "/srv/shop.js" }),
      anApp("web", { unit: "web.service" }),
    ],
    tier: NO_TIER,
  });
  const sample = await sampler.take();
  sampler.close();
  assertEquals(sample.host, {
    cpuCount: 2,
    idleS: { kind: "ok", value: 1_346.99 },
    memTotalKib: { kind: "ok", value: 4_000 },
    memAvailableKib: { kind: "ok", value: 3_000 },
    psiCpuPercent: { kind: "ok", value: 12.5 },
    psiMemoryPercent: { kind: "ok", value: 3.25 },
    socketsCount: { kind: "ok", value: 412 },
  });
  assertEquals([sample.monotonicMs, sample.uptimeMs, sample.wallMs], [1_000, 50_250, 1_000_000]);
  assertEquals(
    sample.instances.map((
      { name, group },
    ) => [name, maybeValue(group)?.map(({ pid }) => pid) ?? whyMissing(group)]),
    [
      ["unit", [20]],
      ["file", [30]],
      ["page", "neither a unit nor a pid file is set for it"],
      ["down", []],
    ],
  );
  assertEquals(told(sample.instances), {
    unit: 7,
    file: "no address of metrics is set for it",
    page: 8,
    down: "none of its processes runs",
  });
  assertEquals(
    sample.apps.map((
      { name, group, allowedCpus },
    ) => [name, maybeValue(group)?.map(({ pid }) => pid), allowedCpus]),
    [["shop", [30], 1], ["web", [20], 1]],
  );
});

Deno.test("take() follows the instances of a template, and leaves those that are set by name to their own settings", async () => {
  await using proc = await tempProc();
  await using server = serve(() => "7");
  proc.write("net/sockstat", "sockets: used 412\nTCP: inuse 66 orphan 0 tw 9 alloc 77 mem 6\n");
  proc.put(20, { comm: "web", cgroup: `${FOLDER}/web@1.service` });
  proc.put(21, { comm: "web", cgroup: `${FOLDER}/web@2.service` });
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [anInstance("first", { unit: "web@1.service" })],
    apps: [],
    tier: { ...NO_TIER, tierTemplate: "web@.service", tierMetrics: "x", tierBasePort: server.port },
  });
  const noAddress = "no address of metrics is set for it";
  assertEquals(told((await sampler.take()).instances), { "first": noAddress, "web@2.service": 7 });
  proc.end(21);
  proc.put(22, { comm: "web", cgroup: `${FOLDER}/web@3.service` });
  assertEquals(told((await sampler.take()).instances), { "first": noAddress, "web@3.service": 7 });
  sampler.close();
});

Deno.test("take() adds up how long requests waited, as the instances tell it", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "node" });
  let [one, other] = ["100", "50"];
  await using first = serve(() => one);
  await using second = serve(() => other);
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [anInstance("one", at(first.port)), anInstance("other", at(second.port))],
    apps: [
      anApp("shop", { process: "node", queue: { kind: "instances" } }),
      anApp("blog", { process: "node" }),
    ],
    tier: NO_TIER,
  });
  async function waits(): Promise<readonly unknown[]> {
    return (await sampler.take()).apps.map(({ queueWait }) => maybeValue(queueWait) ?? whyMissing(queueWait));
  }
  const none = "no instance is set to tell how long requests wait for it";
  assertEquals(await waits(), [{ sumS: 0, count: 0 }, none]);
  [one, other] = ["110", "20"];
  assertEquals(await waits(), [{ sumS: 3, count: 30 }, none]);
  [one, other] = ["oops", "oops"];
  assertEquals(await waits(), ["no instance told how long requests wait", none]);
  sampler.close();
});

Deno.test("take() says what a page should be that is none", async () => {
  await using proc = await tempProc();
  await using server = serve(() => "oops");
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [anInstance("web", { preset: "haproxy", ...at(server.port) })],
    apps: [],
    tier: NO_TIER,
  });
  const { instances } = await sampler.take();
  assertEquals(
    told(instances)["web"],
    `Cannot parse "http://127.0.0.1:${server.port}/metrics": is oops, expected a number as for haproxy`,
  );
  sampler.close();
});

Deno.test("take() comes back in time when everything hangs", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "node" });
  const hanging = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [anInstance("web", at(hanging.addr.port))],
    apps: [],
    tier: NO_TIER,
  });
  const startedMs = performance.now();
  const { instances } = await sampler.take();
  assertMatch(`${told(instances)["web"]}`, /no whole page within 750 ms/);
  assert(performance.now() - startedMs < 5_000);
  sampler.close();
  hanging.close();
});

Deno.test("take() without a proc root tells what the kernel's calls do, and no group", async () => {
  await using server = serve(() => "7");
  const sampler = createPressureSampler(portsOf({ kind: "kernel-calls", name: "kernel-calls" }), {
    instances: [anInstance("web", { unit: "web.service", ...at(server.port) })],
    apps: [anApp("shop", { process: "node", queue: { kind: "php-fpm" } })],
    tier: { ...NO_TIER, tierTemplate: "web@.service" },
  });
  const { instances, apps, host, uptimeMs, monotonicMs } = await sampler.take();
  assertEquals([instances.map(({ group }) => group.kind), told(instances)], [["absent"], { web: 7 }]);
  assertEquals(apps.map(({ group, allowedCpus, pools }) => [group.kind, allowedCpus, pools]), [[
    "absent",
    undefined,
    [],
  ]]);
  assertEquals([host.idleS.kind, host.memTotalKib.kind, host.memAvailableKib.kind], ["ok", "ok", "ok"]);
  assert(host.cpuCount >= 1 && uptimeMs > monotonicMs);
  sampler.close();
});

Deno.test("take() gives what failed as failed", async () => {
  await using proc = await tempProc();
  const sampler = createPressureSampler(portsOf(procRoot(proc.root)), {
    instances: [anInstance("web", { unit: "web.service", ...at(1) })],
    apps: [
      anApp("shop", { process: "node" }),
      anApp("php", { unit: "php.service", queue: { kind: "php-fpm" } }),
    ],
    tier: NO_TIER,
  });
  const { instances, apps, host } = await sampler.take();
  assertEquals([instances[0]?.group.kind, instances[0]?.metrics.kind], ["failed", "failed"]);
  assertEquals(apps.map(({ group, pools }) => [group.kind, pools]), [["failed", []], ["failed", []]]);
  assertEquals([host.idleS.kind, host.memTotalKib.kind, host.psiCpuPercent.kind], [
    "absent",
    "failed",
    "absent",
  ]);
  sampler.close();
});
