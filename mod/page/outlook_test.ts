import { assertEquals } from "@std/assert";
import { climb, DEFAULT_RULES, sampleAt, steady } from "../testing/climb.ts";
import { outlookOf } from "./outlook.ts";

function outlook(samples: Parameters<typeof climb>[0], rules = DEFAULT_RULES): readonly string[] {
  const last = climb(samples, rules).at(-1);
  return last === undefined ? [] : outlookOf(last.decision, rules);
}

Deno.test("outlookOf() names the next tier and how far it is", () => {
  assertEquals(outlook([sampleAt(0, 180.5)]), [
    "up: SPIDER above 210 %, the higher load is 29.5 points below; it blocks crawlers",
  ]);
});

Deno.test("outlookOf() tells of a re-check, and of the way back", () => {
  assertEquals(outlook([sampleAt(0, 700)]), [
    "now: looked at again 9 s after this pass; still over 610 % then, it pauses nginx and php-fpm",
    "up: CRIT above 810 %, the higher load is 110.0 points below; it ends runaways and pauses nginx and php-fpm",
    "down: NORMAL with both loads at 210 % or below, the higher load is 490.0 points above",
  ]);
});

Deno.test("outlookOf() says first when a paused web comes back", () => {
  assertEquals(
    outlook(steady(0, 12, 700))[0],
    "web back: both loads below 488 %, the higher load is 212.0 points above",
  );
});

Deno.test("outlookOf() promises nothing where no load can be read, or nothing drastic may be done", () => {
  assertEquals(outlook([sampleAt(0, undefined)]), ["a load that can be read: until then nothing is done"]);
  assertEquals(
    outlook([sampleAt(0, 700)], { ...DEFAULT_RULES, drasticAllowed: false })[1],
    [
      "up: no load is more than SPIDER here, as acting would be on a guess",
    ][0],
  );
});
