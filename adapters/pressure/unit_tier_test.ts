import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { makeTempHost } from "../check/temp_host.ts";
import { fakeHooks, type FakeSystemd, fakeSystemd, jumpingClock, RAN } from "./fake_tier.ts";
import type { TierOutcome } from "./tier.ts";
import { createUnitTier, type UnitTierConfig, type UnitTierPorts } from "./unit_tier.ts";

const CONFIG: UnitTierConfig = {
  tierTemplate: "web@.service",
  tierMinCount: 1,
  tierMaxCount: 3,
  tierDrain: "unit",
  startTimeoutMs: 30_000,
  failureBackoffMs: 180_000,
};

const NEVER = new AbortController().signal;

/** Scales once on a systemd, ten minutes after its boot. */
async function scale(
  action: "out" | "in",
  systemd: FakeSystemd,
  { config, signal = NEVER, ...ports }: Partial<UnitTierPorts> & {
    readonly config?: Partial<UnitTierConfig>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<TierOutcome> {
  await using host = await makeTempHost({ "/usr/bin/systemctl": "" });
  const tier = createUnitTier({
    run: systemd.run,
    clock: jumpingClock(600_000),
    host: host.files,
    runHook: fakeHooks(systemd.calls),
    isAnswering: systemd.isUp,
    ...ports,
  }, { ...CONFIG, ...config });
  return await (action === "out" ? tier.scaleOut(signal) : tier.scaleIn(signal));
}

Deno.test("createUnitTier() waits until an instance both is active and answers", async () => {
  const systemd = fakeSystemd({ 1: "active" }, (verb, index, states) => {
    if (verb === "start") states.set(index, "activating");
    return verb === "start" ? {} : undefined;
  });
  let asked = 0;
  const clock = jumpingClock(600_000);
  const sleep = async (ms: number): Promise<void> => {
    await clock.sleep(ms);
    if (clock.monotonicMs() >= 605_000) systemd.states.set(2, "active");
  };
  const isAnswering = (index: number): Promise<boolean> => {
    asked += 1;
    return asked < 4 ? Promise.reject(new Error(`no ${index}`)) : Promise.resolve(true);
  };
  const outcome = await scale("out", systemd, { clock: { ...clock, sleep }, isAnswering });
  assertEquals([outcome.isDone, outcome.instance], [true, "web@2.service"]);
  assertEquals(clock.monotonicMs(), 606_000);
  assertEquals(systemd.calls, ["start 2"]);
});

Deno.test("createUnitTier() starts what has failed after the back-off alone", async () => {
  const cases: readonly [name: string, sinceUs: string, isStarted: boolean][] = [
    ["long ago", "420000000", true],
    ["just now", "420001000", false],
    ["nobody knows when", "0", false],
  ];
  for (const [name, sinceUs, isStarted] of cases) {
    const systemd = fakeSystemd(
      { 1: "active", 2: "failed" },
      (verb) => verb === "show" ? { stdout: `${sinceUs}\n` } : undefined,
    );
    const outcome = await scale("out", systemd);
    assertEquals([outcome.isDone, outcome.instance], [isStarted, "web@2.service"], name);
    assertEquals(systemd.calls, isStarted ? ["start 2"] : [], name);
  }
});

Deno.test("createUnitTier() starts nothing where something else answers in its place", async () => {
  const systemd = fakeSystemd({ 1: "active" });
  const outcome = await scale("out", systemd, { isAnswering: () => Promise.resolve(true) });
  assertEquals(outcome, {
    isDone: false,
    instance: "web@2.service",
    text: "not started: it is not active, and something answers in its place",
  });
  assertEquals(systemd.calls, []);
});

Deno.test("createUnitTier() leaves a start alone whose agent ends", async () => {
  const ending = new AbortController();
  const systemd = fakeSystemd({ 1: "active" });
  const isAnswering = (): Promise<boolean> => {
    if (systemd.calls.length > 0) ending.abort();
    return Promise.resolve(false);
  };
  const outcome = await scale("out", systemd, { signal: ending.signal, isAnswering });
  assertEquals(outcome.isDone, false);
  assertEquals(systemd.calls, ["start 2"]);
});

Deno.test("createUnitTier() begins neither a start nor a stop once its agent ends", async () => {
  const systemd = fakeSystemd({ 1: "active", 2: "active" });
  const config = { tierDrain: "hook" } as const;
  await scale("out", systemd, { signal: AbortSignal.abort() });
  assertEquals(systemd.calls, []);
  await scale("in", systemd, { signal: AbortSignal.abort(), config });
  assertEquals(systemd.calls, ["scale-in web@2.service", "scale-out web@2.service"]);
});

Deno.test("createUnitTier() says how an instance stands after a stop", async () => {
  const cases: readonly [after: string, isDone: boolean, says: RegExp, calls: readonly string[]][] = [
    ["inactive", true, /; inactive$/, []],
    ["failed", true, /; ended, and called failed by systemd$/, []],
    ["deactivating", false, /gave no answer within 120000 ms; still stopping, by systemd$/, []],
    ["active", false, /; still active; put to use by hook scale-out$/, ["scale-out web@2.service"]],
  ];
  for (const [after, isDone, says, calls] of cases) {
    const systemd = fakeSystemd({ 1: "active", 2: "active" }, (verb, index, states) => {
      if (verb === "stop") states.set(index, after);
      return verb === "stop" ? { timedOut: after === "deactivating" } : undefined;
    });
    const outcome = await scale("in", systemd, { config: { tierDrain: "hook" } });
    assertEquals([outcome.isDone, outcome.instance], [isDone, "web@2.service"], after);
    assertMatch(outcome.text, says);
    assertEquals(systemd.calls, ["scale-in web@2.service", "stop 2", ...calls]);
  }
});

Deno.test("createUnitTier() stops nothing whose drain timed out, and puts it to use again", async () => {
  const systemd = fakeSystemd({ 1: "active", 2: "active" });
  const runHook = fakeHooks(
    systemd.calls,
    (name) => name === "scale-in" ? { kind: "timed-out", output: "", deadlineMs: 120_000 } : RAN,
  );
  const outcome = await scale("in", systemd, { config: { tierDrain: "hook" }, runHook });
  assertEquals(outcome.isDone, false);
  assertMatch(
    outcome.text,
    /^not stopped: hook scale-in killed after 120000 ms; put to use by hook scale-out$/,
  );
  assertEquals(systemd.calls, ["scale-in web@2.service", "scale-out web@2.service"]);
});

Deno.test("createUnitTier() keeps the least number, also when it has changed while it drained", async () => {
  const systemd = fakeSystemd({ 1: "active", 2: "active", 3: "active" });
  const config = { tierDrain: "hook", tierMinCount: 2 } as const;
  const runHook = fakeHooks(systemd.calls, (name) => {
    if (name === "scale-in") systemd.states.set(1, "inactive");
    return RAN;
  });
  const texts = [
    (await scale("in", systemd, { config, runHook })).text,
    (await scale("in", systemd, { config, runHook })).text,
  ];
  const refusal = "not stopped: 2 instances run, of 2 at least";
  assertEquals(texts, [`${refusal}; put to use by hook scale-out`, refusal]);
  assertEquals(systemd.calls, ["scale-in web@3.service", "scale-out web@3.service"]);
});

Deno.test("createUnitTier() puts nothing to use that no drain has begun with", async () => {
  const systemd = fakeSystemd({ 1: "active", 2: "active" });
  const runHook = fakeHooks(systemd.calls, (name) => name === "scale-in" ? { kind: "absent" } : RAN);
  const outcome = await scale("in", systemd, { config: { tierDrain: "hook" }, runHook });
  assertEquals(outcome.text, "not stopped: there is no hook scale-in");
  assertEquals(systemd.calls, ["scale-in web@2.service"]);
});

Deno.test("createUnitTier() takes an instance for stopped that the drain has stopped", async () => {
  const systemd = fakeSystemd({ 1: "active", 2: "active" });
  const runHook = fakeHooks(systemd.calls, () => {
    systemd.states.delete(2);
    return RAN;
  });
  const outcome = await scale("in", systemd, { config: { tierDrain: "hook" }, runHook });
  assertEquals(outcome, { isDone: true, instance: "web@2.service", text: "inactive already" });
});

Deno.test("createUnitTier() stops nothing when the list is gone after the drain", async () => {
  let lists = 0;
  const systemd = fakeSystemd(
    { 1: "active", 2: "active" },
    (verb) =>
      verb === "list-units" && ++lists > 1 ? { code: 1, stderr: "Failed to connect to bus" } : undefined,
  );
  const outcome = await scale("in", systemd, { config: { tierDrain: "hook" } });
  assertEquals(outcome.isDone, false);
  assertMatch(outcome.text, /^not stopped: Cannot list .*Failed to connect to bus; put to use/);
  assertEquals(systemd.calls, ["scale-in web@2.service", "scale-out web@2.service"]);
});

Deno.test("createUnitTier() does nothing where systemd does not say what there is", async () => {
  const systemd = fakeSystemd({ 1: "active" }, () => ({ code: 1, stderr: "Failed to connect to bus" }));
  await assertRejects(() => scale("out", systemd), Error, "Failed to connect to bus");
  await assertRejects(() => scale("in", systemd), Error, "Failed to connect to bus");
  assertEquals(systemd.calls, []);
});
