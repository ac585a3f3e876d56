import { assertEquals } from "@std/assert";
import type { Clock } from "../clock.ts";
import { type BlockChange, type BlockKeeper, openBlockKeeper } from "./block_keeper.ts";

/** A keeper whose changes are written down as `time state`, and the clock it waits on. */
function keeperWith(
  onWait: (keeper: BlockKeeper) => void,
): { readonly keeper: BlockKeeper; readonly done: string[] } {
  let now = 0;
  const done: string[] = [];
  const clock: Clock = {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (signal !== undefined) {
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      return Promise.resolve().then(() => {
        if (ms <= 0) return;
        onWait(keeper);
        now += ms;
      });
    },
  };
  const keeper: BlockKeeper = openBlockKeeper({
    clock,
    coolDownMs: 30_000,
    set(wanted): Promise<BlockChange> {
      done.push(`${now} ${wanted}`);
      return Promise.resolve({ wanted, ok: true, changed: true, isLeft: false, isOthers: false, text: "" });
    },
    tell: () => {},
  });
  return { keeper, done };
}

Deno.test("a block is changed at once, and the next time only after the cool-down", async () => {
  const { keeper, done } = keeperWith(() => {});
  keeper.want("on");
  await keeper.settle(60_000);
  keeper.want("off");
  await keeper.settle(60_000);
  assertEquals(done, ["0 on", "30000 off"]);
});

Deno.test("what is wanted while just that is being done is not done once more", async () => {
  for (
    const [meanwhile, done] of [[["off"], ["0 off"]], [["on", "off"], ["0 off"]], [["on"], [
      "0 off",
      "30000 on",
    ]]] as const
  ) {
    const { keeper, done: seen } = keeperWith(() => {});
    keeper.want("off");
    await Promise.resolve();
    await Promise.resolve();
    assertEquals(seen, ["0 off"]);
    for (const next of meanwhile) keeper.want(next);
    await keeper.settle(60_000);
    assertEquals<readonly string[]>(seen, done);
  }
});

Deno.test("what is wanted at the end of the cool-down is what is done", async () => {
  const { keeper, done } = keeperWith((waiting) => {
    waiting.want("off");
    waiting.want("on");
  });
  keeper.want("on");
  await keeper.settle(60_000);
  keeper.want("off");
  await keeper.settle(60_000);
  assertEquals(done, ["0 on", "30000 on"]);
});

/** A keeper whose next tries fail and leave the block, what it was asked and told, and what ends its waits. */
function failingKeeper(failures: number): {
  readonly keeper: BlockKeeper;
  readonly done: string[];
  readonly told: boolean[];
  readonly wake: () => Promise<void>;
} {
  const done: string[] = [];
  const told: boolean[] = [];
  let endWait = (): void => {};
  const keeper = openBlockKeeper({
    clock: {
      monotonicMs: () => 0,
      wallMs: () => 0,
      sleep(ms: number, signal?: AbortSignal): Promise<void> {
        if (ms !== 60_000) return Promise.resolve();
        return new Promise((resolve) => {
          endWait = resolve;
          signal?.addEventListener("abort", () => resolve());
        });
      },
    },
    coolDownMs: 0,
    set(wanted): Promise<BlockChange> {
      done.push(wanted);
      const isLeft = wanted === "off" && done.length <= failures;
      return Promise.resolve({ wanted, ok: !isLeft, changed: true, isLeft, isOthers: false, text: "" });
    },
    tell: ({ ok }) => told.push(ok),
  });
  async function wake(): Promise<void> {
    endWait();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return { keeper, done, told, wake };
}

Deno.test("a block that could not be taken away is tried again until it is gone, and told once", async () => {
  const { keeper, done, told, wake } = failingKeeper(3);
  keeper.want("off");
  await keeper.settle(100);
  assertEquals(done, ["off"], "an end does not wait for the next try");
  for (let wakes = 0; wakes < 5; wakes++) await wake();
  assertEquals(done, ["off", "off", "off", "off"]);
  assertEquals(told, [false, true]);
});

Deno.test("a block that is wanted meanwhile is not taken away by an earlier try", async () => {
  const { keeper, done, wake } = failingKeeper(1);
  keeper.want("off");
  await wake();
  keeper.want("on");
  await wake();
  await wake();
  assertEquals(done, ["off", "on"]);
});
