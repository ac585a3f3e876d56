import { assertEquals, assertMatch } from "@std/assert";
import { makeTempHost, type TempEntry, type TempHost } from "../check/temp_host.ts";
import { fakeHooks, fakeSystemd, jumpingClock } from "./fake_tier.ts";
import { openScaler, type Scaler, type ScalerConfig, type ScalerPorts } from "./scaler.ts";

const CONFIG: ScalerConfig = {
  tierTemplate: "web@.service",
  tierMinCount: 1,
  tierMaxCount: 3,
  tierDrain: "unit",
  startTimeoutMs: 30_000,
  failureBackoffMs: 180_000,
};

const SYSTEMD: Readonly<Record<string, TempEntry>> = {
  "/run/systemd/system/x": "",
  "/usr/bin/systemctl": "",
};

function scalerOn(
  host: TempHost,
  ports: Partial<ScalerPorts> = {},
  config: Partial<ScalerConfig> = {},
): Scaler {
  const systemd = fakeSystemd({ 1: "active" });
  return openScaler({
    run: systemd.run,
    clock: jumpingClock(600_000),
    host: host.files,
    runHook: fakeHooks([]),
    isAnswering: systemd.isUp,
    instances: [],
    ...ports,
  }, { ...CONFIG, ...config });
}

async function ended(scaler: Scaler): Promise<void> {
  while (scaler.isScaling()) await new Promise((resolve) => setTimeout(resolve, 0));
}

Deno.test("openScaler() does one scaling at a time, and tells of each once", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const systemd = fakeSystemd({ 1: "active", 2: "active" });
  const scaler = scalerOn(
    host,
    { run: systemd.run, isAnswering: systemd.isUp, runHook: fakeHooks(systemd.calls) },
    { tierDrain: "hook" },
  );
  assertEquals([scaler.isScaling(), scaler.takeOutcome()], [false, undefined]);
  scaler.scale("ScaleOut");
  scaler.scale("ScaleIn");
  assertEquals([scaler.isScaling(), scaler.takeOutcome()], [true, undefined]);
  await ended(scaler);
  const outcome = scaler.takeOutcome();
  assertEquals([outcome?.action, outcome?.isDone, outcome?.instance], ["ScaleOut", true, "web@3.service"]);
  assertEquals(scaler.takeOutcome(), undefined);
  scaler.scale("ScaleIn");
  await ended(scaler);
  assertEquals(scaler.takeOutcome()?.action, "ScaleIn");
  assertEquals(systemd.calls, [
    "start 3",
    "scale-out web@3.service",
    "scale-in web@3.service",
    "stop 3",
  ]);
});

Deno.test("openScaler() makes an outcome of what goes wrong", async () => {
  await using host = await makeTempHost({ "/run/systemd/system/x": "" });
  const scaler = scalerOn(host);
  scaler.scale("ScaleOut");
  await ended(scaler);
  assertEquals(scaler.takeOutcome(), {
    action: "ScaleOut",
    isDone: false,
    instance: "",
    text: "Cannot scale web@*.service: there is no systemctl",
  });
});

Deno.test("openScaler() scales by hooks without systemd, or without a template", async () => {
  await using bare = await makeTempHost({});
  await using host = await makeTempHost(SYSTEMD);
  for (const [where, config] of [[bare, {}], [host, { tierTemplate: "" }]] as const) {
    const calls: string[] = [];
    const answering = new Set<string>(["a"]);
    const scaler = scalerOn(where, {
      runHook: fakeHooks(calls, (_name, instance) => {
        answering.add(instance);
        return { kind: "ran", code: 0, output: "", tookMs: 1 };
      }),
      instances: ["a", "b"].map((name) => ({
        name,
        isRunning: () => Promise.resolve(false),
        isAnswering: () => Promise.resolve(answering.has(name)),
      })),
    }, config);
    scaler.scale("ScaleOut");
    await ended(scaler);
    assertEquals([scaler.takeOutcome()?.instance, calls], ["b", ["scale-out b"]]);
  }
});

Deno.test("openScaler() begins nothing once it is closed, and waits no longer than it is told", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const hanging = Promise.withResolvers<boolean>();
  const systemd = fakeSystemd({ 1: "active" });
  const asked = Promise.withResolvers<void>();
  const scaler = scalerOn(host, {
    run: systemd.run,
    isAnswering: () => {
      if (systemd.calls.length === 0) return Promise.resolve(false);
      asked.resolve();
      return hanging.promise;
    },
  });
  scaler.scale("ScaleOut");
  await asked.promise;
  await scaler.close(1);
  assertEquals(scaler.isScaling(), true);
  hanging.resolve(false);
  await ended(scaler);
  assertMatch(scaler.takeOutcome()?.text ?? "", /left as it is, the agent ends$/);
  scaler.scale("ScaleIn");
  assertEquals([scaler.isScaling(), systemd.calls], [false, ["start 2"]]);
  await scaler.close(1_000);
});
