import { assertEquals, assertRejects } from "@std/assert";
import { DEFAULT_RULES, sampleAt } from "../mod/testing/climb.ts";
import { beginReplay } from "../mod/replay/replay.ts";
import { recordSamples } from "./recorder.ts";
import type { Clock } from "./clock.ts";
import type { Sampler } from "./sampler.ts";

function manualClock(): Clock {
  let now = 1_000_000;
  return {
    monotonicMs: () => now,
    wallMs: () => 42,
    sleep(ms: number): Promise<void> {
      now += ms;
      return Promise.resolve();
    },
  };
}

/** A load of 700 % that is gone in the third sample. */
function stormSampler(clock: Clock): Sampler {
  let taken = 0;
  return { take: () => Promise.resolve(sampleAt(clock.monotonicMs(), (taken += 1) === 3 ? undefined : 700)) };
}

Deno.test("recordSamples() writes a trace that replays to the decisions of the time", async () => {
  const folder = Deno.makeTempDirSync();
  const clock = manualClock();
  const options = {
    folder,
    everyMs: 4_500,
    forMs: 45_000,
    signal: new AbortController().signal,
    progress(): void {},
  };
  const { samples, tracePath } = await recordSamples(clock, stormSampler(clock), options);
  assertEquals(samples, 11);
  const lines = Deno.readTextFileSync(tracePath).trimEnd().split("\n");
  assertEquals(JSON.parse(lines[0] ?? ""), {
    t: 0,
    load1: 14,
    load5: 14,
    cpus: 2,
    iowaitPct: 0,
    backup: false,
    runnable: 10,
    cpuBusy: null,
    psiCpu: 60,
    psiIo: 0,
    wall: 1_000_000,
  });
  const replay = beginReplay(DEFAULT_RULES, tracePath);
  const decisions = lines.map((line) => replay.take(line)).filter((decision) => decision !== undefined);
  assertEquals(decisions.map(({ tier }) => tier).slice(0, 3), ["max", "unknown", "max"]);
  assertEquals(
    decisions.flatMap(({ actions }) => actions).filter((action) => action === "pause-web").length,
    1,
  );
  await assertRejects(() => recordSamples(clock, stormSampler(clock), options), Deno.errors.AlreadyExists);
  Deno.removeSync(folder, { recursive: true });
});
