import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { type Letter, RESULTS } from "../testing/probe.ts";
import { nextStreak, NO_STREAK, type Settled, type Streak } from "./streak.ts";

const RULES = { fallCount: 3, riseCount: 2 };

function after(letters: readonly Letter[] | string, rules = RULES): Streak {
  return [...letters].reduce(
    (streak, letter) => nextStreak(streak, RESULTS[letter as Letter], rules),
    NO_STREAK,
  );
}

const SETTLED: readonly (readonly [looks: string, settled: Settled])[] = [
  ["", "untried"],
  ["uuuu", "untried"],
  ["o", "untried"],
  ["oo", "ok"],
  ["ouo", "untried"],
  ["oob", "ok"],
  ["oobb", "ok"],
  ["oobbb", "drain"],
  ["oobbobb", "ok"],
  ["oobbub", "drain"],
  ["oobbuuuu", "ok"],
  ["bbb", "drain"],
  ["bbbo", "drain"],
  ["bbboo", "ok"],
  ["bbbouo", "drain"],
  ["bbbobo", "drain"],
  ["bbbuuuuuu", "drain"],
  ["oowww", "warn"],
  ["oobww", "warn"],
  ["oowwbbb", "drain"],
  ["oobbwb", "warn"],
  ["bbbw", "drain"],
  ["bbbww", "warn"],
  ["bbbwo", "warn"],
  ["bbbwwo", "warn"],
  ["bbbwwoo", "ok"],
];

for (const [looks, settled] of SETTLED) {
  Deno.test(`nextStreak() settles on ${settled} after "${looks}"`, () => {
    assertEquals(after(looks).settled, settled);
  });
}

Deno.test("nextStreak() settles at once where one look is enough", () => {
  assertEquals(after("b", { fallCount: 1, riseCount: 2 }).settled, "drain");
  assertEquals(after("bo", { fallCount: 3, riseCount: 1 }).settled, "ok");
});

const LOOKS = fc.array(fc.constantFrom<Letter>("o", "w", "b", "u"), { maxLength: 40 });

const STREAK_RULES = fc.record({
  fallCount: fc.integer({ min: 1, max: 5 }),
  riseCount: fc.integer({ min: 1, max: 5 }),
});

const ORDER: readonly Settled[] = ["ok", "untried", "warn", "drain"];

Deno.test("nextStreak() changes nothing that is settled on an unknown look", () => {
  fc.assert(fc.property(LOOKS, STREAK_RULES, (looks, rules) => {
    const streak = after(looks, rules);
    const blind = nextStreak(streak, RESULTS.u, rules);
    assertEquals(
      [blind.settled, blind.drainRun, blind.badRun, blind.okRun],
      [streak.settled, streak.drainRun, streak.badRun, 0],
    );
  }));
});

/**
 * What is worse than what. Unknown and a warning are not compared: a warning says that it is not worth a drain,
 * unknown does not even say that.
 */
const WORSE: Readonly<Record<Letter, readonly Letter[]>> = { o: ["w", "u", "b"], w: ["b"], u: ["b"], b: [] };

Deno.test("nextStreak() never settles better when one of the looks was worse", () => {
  fc.assert(
    fc.property(LOOKS, fc.nat(), fc.nat(), STREAK_RULES, (looks, at, choice, rules) => {
      const index = looks.length === 0 ? 0 : at % looks.length;
      const worse = WORSE[looks[index] ?? "b"];
      const letter = worse[choice % worse.length];
      fc.pre(letter !== undefined);
      const settled = after(looks, rules).settled;
      const settledWorse = after(looks.with(index, letter), rules).settled;
      assert(ORDER.indexOf(settledWorse) >= ORDER.indexOf(settled), `${settled} became ${settledWorse}`);
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("nextStreak() counts no further than it needs to", () => {
  fc.assert(fc.property(LOOKS, STREAK_RULES, (looks, rules) => {
    const { drainRun, badRun, belowDrainRun, okRun } = after(looks, rules);
    assert(
      Math.max(drainRun, badRun) <= rules.fallCount && Math.max(belowDrainRun, okRun) <= rules.riseCount,
    );
  }));
});
