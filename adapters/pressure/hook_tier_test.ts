import { assertEquals, assertMatch } from "@std/assert";
import type { HookOutcome } from "../hooks.ts";
import { fakeHooks, jumpingClock, RAN } from "./fake_tier.ts";
import { createHookTier, type HookTierConfig } from "./hook_tier.ts";
import type { TierOutcome } from "./tier.ts";

const CONFIG: HookTierConfig = {
  tierMinCount: 1,
  tierMaxCount: 3,
  tierDrain: "hook",
  startTimeoutMs: 30_000,
};

/** `up` answers, `mute` only runs, `lost` does not say whether it runs. */
type State = "up" | "mute" | "down" | "lost";

/** Instances by name, as they are now; hooks change them. */
class World {
  readonly calls: string[] = [];
  readonly clock = jumpingClock(0);

  constructor(readonly states: Record<string, State>) {}

  async scale(
    action: "out" | "in",
    onHook?: (name: string, instance: string) => HookOutcome,
    config: Partial<HookTierConfig> = {},
  ): Promise<TierOutcome> {
    const tier = createHookTier({
      clock: this.clock,
      runHook: fakeHooks(this.calls, onHook ?? ((name, instance) => this.obey(name, instance))),
      instances: Object.keys(this.states).map((name) => ({
        name,
        isRunning: () =>
          this.states[name] === "lost"
            ? Promise.reject(new Error("no proc"))
            : Promise.resolve(this.states[name] === "mute"),
        isAnswering: () => Promise.resolve(this.states[name] === "up"),
      })),
    }, { ...CONFIG, ...config });
    const { signal } = new AbortController();
    return await (action === "out" ? tier.scaleOut(signal) : tier.scaleIn(signal));
  }

  obey(name: string, instance: string): HookOutcome {
    this.states[instance] = name === "scale-out" ? "up" : "down";
    return RAN;
  }
}

Deno.test("createHookTier() starts the first that neither runs nor answers, up to the greatest number", async () => {
  const world = new World({ a: "up", b: "mute", c: "down", d: "down" });
  assertEquals(await world.scale("out"), {
    isDone: true,
    instance: "c",
    text: "started by hook scale-out; gives its figures",
  });
  assertEquals((await world.scale("out")).text, "not started: 3 instances are used, of 3 at most");
  assertEquals(world.calls, ["scale-out c"]);
});

Deno.test("createHookTier() neither starts nor counts on what does not say how it is", async () => {
  const world = new World({ a: "up", b: "lost", c: "down" });
  assertEquals((await world.scale("in")).text, "not stopped: 1 instances run, of 1 at least");
  assertEquals((await world.scale("out", undefined, { tierMaxCount: 2 })).isDone, false);
  assertEquals((await world.scale("out")).instance, "c");
  assertEquals((await world.scale("out")).isDone, false);
  assertEquals(world.calls, ["scale-out c"]);
});

Deno.test("createHookTier() has an instance stopped again that does not answer in time", async () => {
  const world = new World({ a: "up", b: "down" });
  const outcome = await world.scale("out", () => RAN);
  assertEquals(outcome, {
    isDone: false,
    instance: "b",
    text: "it gives no figures within 30000 ms, with hook scale-out; stopped again by hook scale-in",
  });
  assertEquals(world.clock.monotonicMs(), 30_000);
  assertEquals(world.calls, ["scale-out b", "scale-in b"]);
});

Deno.test("createHookTier() undoes what a hook has begun, and nothing where there is none", async () => {
  const world = new World({ a: "up", b: "down" });
  assertEquals((await world.scale("out", () => ({ kind: "absent" }))).text, "there is no hook scale-out");
  assertEquals(world.calls.splice(0), ["scale-out b"]);
  const failing = (name: string): HookOutcome =>
    name === "scale-out" ? { ...RAN, code: 2 } as HookOutcome : RAN;
  const outcome = await world.scale("out", failing);
  assertEquals([outcome.isDone, world.calls], [false, ["scale-out b", "scale-in b"]]);
  assertMatch(outcome.text, /^hook scale-out exited 2; stopped again by hook scale-in$/);
});

Deno.test("createHookTier() stops the last one that is up, and never the last of all", async () => {
  const world = new World({ a: "up", b: "up", c: "down" });
  assertEquals((await world.scale("in", undefined, { tierDrain: "none" })).isDone, false);
  assertEquals((await world.scale("in", undefined, { tierMinCount: 2 })).isDone, false);
  assertEquals(world.calls, []);
  assertEquals(await world.scale("in"), {
    isDone: true,
    instance: "b",
    text: "stopped by hook scale-in; answers no more",
  });
  assertEquals((await world.scale("in", undefined, { tierMinCount: 0 })).isDone, false);
  assertEquals(world.calls, ["scale-in b"]);
});

Deno.test("createHookTier() believes no hook: an instance that answers on was not stopped", async () => {
  const world = new World({ a: "up", b: "up" });
  assertEquals(await world.scale("in", () => RAN), {
    isDone: false,
    instance: "b",
    text: "hook scale-in has ended, and it still runs or answers",
  });
  const refused: HookOutcome = { kind: "refused", error: "Cannot run x: not a regular file" };
  assertEquals((await world.scale("in", () => refused)).text, refused.error);
});
