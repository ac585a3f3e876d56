import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import {
  type Letter,
  lookAt,
  ONE_SITE_RULES,
  probe,
  PROVEN,
  RESULTS,
  resultsWith,
  SITE,
} from "../testing/probe.ts";
import type { CheckId, CheckResult } from "./check.ts";
import type { ProbeByHand, ProbeInput } from "./input.ts";
import { probeStep } from "./probe.ts";
import type { ProbeState } from "./state.ts";
import { failedChecks, type ProbeVerdict } from "./verdict.ts";

/** The checks that vary here: a site, two of the host, one of the web, one that only warns. */
const VARYING: readonly CheckId[] = [SITE, "swap", "listen-overflows", "fpm-exhausted", "database"];

const LETTER = fc.constantFrom<Letter>("o", "o", "b", "b", "w", "u");

const RESULTS_OF = fc.tuple(LETTER, LETTER, LETTER, LETTER, LETTER).map((letters) =>
  resultsWith(Object.fromEntries(VARYING.map((id, index) => [id, RESULTS[letters[index] ?? "u"]])))
);

const BY_HAND: fc.Arbitrary<ProbeByHand | undefined> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      wants: fc.constantFrom("drain" as const, "undrain" as const),
      untilMs: fc.oneof(fc.constant(undefined), fc.nat({ max: 300_000 })),
      why: fc.constant("because"),
    }),
  },
);

const LOOKS: fc.Arbitrary<readonly ProbeInput[]> = fc.array(
  fc.record({
    gapMs: fc.constantFrom(4_000, 5_000, 5_000, 6_000, 12_000),
    results: RESULTS_OF,
    webPaused: fc.constantFrom(false, false, false, false, true),
    drainLimitReached: fc.constantFrom(false, false, false, true),
    byHand: BY_HAND,
    // The same again: only looks in a row make a check fail or rise.
    times: fc.integer({ min: 1, max: 8 }),
  }),
  { maxLength: 25 },
).map((rows) => {
  let monotonicMs = 0;
  return rows.flatMap(({ gapMs, times, ...rest }) =>
    Array.from({ length: times }, () => ({ ...rest, monotonicMs: monotonicMs += gapMs }))
  );
});

/** From best to worst. */
const PHASES: readonly ProbeVerdict["phase"][] = ["in", "starting", "drained"];

function stateAfter(looks: readonly ProbeInput[]): ProbeState {
  return probe(looks).at(-1)?.state ?? PROVEN;
}

/** Whether nothing but the checks decides a look. */
function isLeftAlone({ webPaused, byHand }: ProbeInput): boolean {
  return !webPaused && byHand === undefined;
}

Deno.test("probeStep() changes nothing on a look at which everything is unknown", () => {
  const allUnknown = new Map<CheckId, CheckResult>();
  fc.assert(
    fc.property(LOOKS, fc.integer({ min: 1, max: 200 }), (looks, blindCount) => {
      const state = stateAfter(looks);
      const fromMs = state.lookedMs ?? 0;
      const blind = Array.from(
        { length: blindCount },
        (_, index) => lookAt(fromMs + (index + 1) * 5_000, { results: allUnknown }),
      );
      const { standing } = state;
      const last = probe(blind, ONE_SITE_RULES, state).at(-1);
      assertEquals(last?.state.standing?.phase, standing?.phase ?? "starting");
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("probeStep() takes the host out only for what was seen bad, a pause, or a person", () => {
  fc.assert(
    fc.property(LOOKS, (looks) => {
      let before: ProbeVerdict["phase"] | undefined;
      for (const [index, { state, verdict }] of probe(looks).entries()) {
        const look = looks[index];
        if (look === undefined) continue;
        if (state.standing?.phase === "drained" && before !== "drained" && isLeftAlone(look)) {
          const seen = [...look.results].filter(([, result]) => result.state === "bad");
          assert(seen.length > 0 && !look.drainLimitReached, JSON.stringify(verdict));
        }
        before = state.standing?.phase;
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("probeStep() never brings the host back before its time, and never without two good probes", () => {
  fc.assert(
    fc.property(LOOKS, (looks) => {
      const steps = probe(looks);
      for (const [index, { state, verdict }] of steps.entries()) {
        const before = steps[index - 1]?.state.standing;
        const now = looks[index]?.monotonicMs ?? 0;
        if (before?.phase !== "drained" || state.standing?.phase !== "in") continue;
        assertEquals(failedChecks(verdict.checks), []);
        assert(now >= before.holdUntilMs, `back at ${now}, held until ${before.holdUntilMs}`);
        if (before.cause !== "by-hand") {
          assert(now - before.sinceMs >= 30_000, `out for ${now - before.sinceMs}`);
        }
        for (const look of looks.slice(index - 1, index + 1)) {
          assertEquals([look.webPaused, look.results.get(SITE)?.state], [false, "ok"]);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("probeStep() never gives a better verdict for a look that is worse", () => {
  const WORSE: Readonly<Record<CheckResult["state"], readonly Letter[]>> = {
    ok: ["w", "u", "b"],
    unknown: ["b"],
    bad: ["b"],
  };
  fc.assert(
    fc.property(LOOKS, RESULTS_OF, fc.constantFrom(...VARYING), fc.nat(), (looks, results, id, choice) => {
      const state = stateAfter(looks);
      const now = (state.lookedMs ?? 0) + 5_000;
      const letters = WORSE[results.get(id)?.state ?? "bad"];
      const worse = new Map(results).set(id, RESULTS[letters[choice % letters.length] ?? "b"]);
      const phaseOf = (seen: ReadonlyMap<CheckId, CheckResult>): number =>
        PHASES.indexOf(probeStep(state, lookAt(now, { results: seen }), ONE_SITE_RULES).verdict.phase);
      assert(phaseOf(worse) >= phaseOf(results));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("probeStep() has the host in after ten good minutes, whatever came before", () => {
  fc.assert(
    fc.property(LOOKS, (looks) => {
      const state = stateAfter(looks);
      const fromMs = state.lookedMs ?? 0;
      const quiet = Array.from({ length: 120 }, (_, index) => lookAt(fromMs + (index + 1) * 5_000));
      const last = probe(quiet, ONE_SITE_RULES, state).at(-1)?.verdict;
      assertEquals([last?.phase, last?.reason], ["in", "all-well"]);
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("probeStep() does what a person wants at every look, until it expires", () => {
  fc.assert(
    fc.property(LOOKS, (looks) => {
      for (const [index, { verdict }] of probe(looks).entries()) {
        const byHand = looks[index]?.byHand;
        if (byHand === undefined || (byHand.untilMs ?? Infinity) <= verdict.monotonicMs) {
          assert(verdict.reason !== "drained-by-hand" && verdict.reason !== "kept-in-by-hand");
        } else assertEquals(verdict.phase, byHand.wants === "drain" ? "drained" : "in");
      }
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("probeStep() says a change exactly when the phase changes", () => {
  fc.assert(
    fc.property(LOOKS, (looks) => {
      let phase: ProbeVerdict["phase"] = "starting";
      let sinceMs: number | undefined;
      for (const { verdict } of probe(looks)) {
        assertEquals(verdict.change !== undefined, verdict.phase !== phase);
        if (verdict.phase === phase && sinceMs !== undefined) assertEquals(verdict.sinceMs, sinceMs);
        ({ phase, sinceMs } = verdict);
      }
    }),
    { numRuns: 1_000 },
  );
});
