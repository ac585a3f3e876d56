import { assertEquals } from "@std/assert";
import type { Clock } from "../clock.ts";
import { type BlockKeeper, openBlockKeeper } from "./block_keeper.ts";

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
    set(wanted): Promise<{ wanted: "on" | "off"; ok: boolean; changed: boolean; text: string }> {
      done.push(`${now} ${wanted}`);
      return Promise.resolve({ wanted, ok: true, changed: true, text: "" });
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
