import { assertEquals } from "@std/assert";
import { maybeLeftEndMs } from "./left_end.ts";

for (
  const [name, nowBootMs, endMs] of [
    ["as it was written by a clock of the same time", 812_000, 842_000],
    ["as it was written a while later", 830_000, 842_000],
    ["over by a clock that is far ahead", 9_000_000, 842_000],
    ["no further away by a clock that is behind", 805_000, 835_000],
    ["no further away by a clock that is far behind", 0, 30_000],
  ] as const
) {
  Deno.test(`maybeLeftEndMs() is ${name}`, () => {
    assertEquals(maybeLeftEndMs(842_000, 812_000, nowBootMs), endMs);
  });
}

Deno.test("maybeLeftEndMs() is over at once for what was over when it was written, and never without an end", () => {
  assertEquals(maybeLeftEndMs(800_000, 812_000, 0), 0);
  assertEquals(maybeLeftEndMs(undefined, 812_000, 0), undefined);
});
