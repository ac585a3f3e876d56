import { assert, assertEquals } from "@std/assert";
import type { Needs } from "../mod/ladder/ladder.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Sample } from "../mod/ladder/sample.ts";
import { DEFAULT_RULES, sampleAt } from "../mod/testing/climb.ts";
import { type Pass, runAgent } from "./agent.ts";
import type { Clock } from "./clock.ts";
import type { Sampler } from "./sampler.ts";

/** A clock that only moves when somebody sleeps. */
function manualClock(): Clock {
  let now = 0;
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep(ms: number): Promise<void> {
      now += ms;
      return Promise.resolve();
    },
  };
}

interface Watched {
  readonly passes: readonly Pass[];
  readonly asked: readonly Needs[];
}

/** Runs the agent over a load that depends on the time, until a number of evaluations is reached. */
async function watch(
  percentAt: (ms: number) => number | undefined,
  options: {
    readonly passLimit?: number;
    readonly closeLook?: boolean;
    readonly evaluations?: number;
    /** When a person asks for something. */
    readonly askedAtMs?: number;
    readonly rules?: LadderRules;
  },
): Promise<Watched> {
  const clock = manualClock();
  const passes: Pass[] = [];
  const asked: Needs[] = [];
  const stop = new AbortController();
  let { askedAtMs } = options;
  const sampler: Sampler = {
    take(needs: Needs): Promise<Sample> {
      asked.push(needs);
      return Promise.resolve(sampleAt(clock.monotonicMs(), percentAt(clock.monotonicMs())));
    },
  };
  await runAgent({
    rules: () => options.rules ?? DEFAULT_RULES,
    clock,
    ...askedAtMs === undefined ? {} : {
      isAsked: () => askedAtMs !== undefined && clock.monotonicMs() >= askedAtMs,
      observe(): Promise<{ byHand: undefined; heldWeb: undefined }> {
        if (askedAtMs !== undefined && clock.monotonicMs() >= askedAtMs) askedAtMs = undefined;
        return Promise.resolve({ byHand: undefined, heldWeb: undefined });
      },
    },
    sampler,
    execute: ({ actions }) => Promise.resolve(actions.map((action) => ({ action, text: action }))),
    report(pass: Pass): void {
      passes.push(pass);
      if (passes.length === options.evaluations) stop.abort();
    },
  }, { passLimit: options.passLimit, closeLook: options.closeLook ?? false, signal: stop.signal });
  return { passes, asked };
}

Deno.test("runAgent() looks once on a calm host and ends", async () => {
  const { passes, asked } = await watch(() => 20, { passLimit: 1 });
  assertEquals(passes.map(({ decision }) => decision.tier), ["normal"]);
  assertEquals(asked, ["load"]);
});

Deno.test("runAgent() stays for the re-check, and asks then for what a drastic tier needs", async () => {
  const { passes, asked } = await watch(() => 700, { passLimit: 1 });
  assertEquals(passes.map(({ decision }) => decision.phase), ["pass", "recheck"]);
  assertEquals(passes.at(-1)?.outcomes.map(({ text }) => text), ["pause-web"]);
  assertEquals(asked, ["load", "gate"]);
});

Deno.test("runAgent() keeps the ladder's pace", async () => {
  const { passes } = await watch((ms) => ms < 30_000 ? 20 : 300, { evaluations: 9 });
  assertEquals(passes.map(({ sample }) => sample.monotonicMs / 1000), [0, 5, 10, 15, 20, 25, 30, 39, 44]);
  assert(passes.every(({ lateMs }) => lateMs === 0));
});

Deno.test("runAgent() looks within two seconds when a person asks, and not once more than that", async () => {
  const rules = { ...DEFAULT_RULES, intervalMs: 60_000, recheckMs: 300_000 };
  const seconds = async (percent: number): Promise<readonly number[]> => {
    const { passes } = await watch(() => percent, { evaluations: 3, askedAtMs: 31_000, rules });
    assert(passes.every(({ lateMs }) => lateMs === 0));
    return passes.map(({ sample }) => sample.monotonicMs / 1000);
  };
  assertEquals(await seconds(20), [0, 32, 92]);
  assertEquals(await seconds(700), [0, 32, 300], "a re-check stays where it is");
});

Deno.test("runAgent() reads everything on every pass for a person who watches", async () => {
  const { asked } = await watch(() => 20, { closeLook: true, evaluations: 3 });
  assertEquals(asked, ["gate", "gate", "gate"]);
});

Deno.test("runAgent() ends after the number of passes given, re-checks not counted", async () => {
  const { passes } = await watch(() => 300, { passLimit: 3 });
  assertEquals(passes.map(({ decision }) => decision.phase), [
    "pass",
    "recheck",
    "pass",
    "recheck",
    "pass",
    "recheck",
  ]);
});
