import { assertEquals } from "@std/assert";
import type { Aggregates } from "./aggregates.ts";
import { evaluate } from "./evaluate.ts";
import { DEFAULT_THRESHOLDS } from "./rules.ts";
import { CALM_TIER as CALM, HOT_TIER as HOT } from "../testing/tiers.ts";

const LITERAL = { actWhenAppSaturated: true };
const CAREFUL = { actWhenAppSaturated: false };
const UNSEEN = { node: { cpu: undefined, queueRising: false } };

// What the golden rows have no row for.
for (
  const [name, input, thresholds, outcome] of [
    ["a saturated tier", HOT, LITERAL, "ScaleOut web-tier-saturated"],
    ["an idle tier", CALM, LITERAL, "ScaleIn scale-in"],
    ["an idle host CPU that is not known", { ...HOT, hostIdleCpus: NaN }, LITERAL, "None host-cpu-budget"],
    ["too little idle CPU", { ...HOT, hostIdleCpus: 0.49 }, LITERAL, "None host-cpu-budget"],
    ["just enough idle CPU", { ...HOT, hostIdleCpus: 0.5 }, LITERAL, "ScaleOut web-tier-saturated"],
    ["memory that is not known", { ...HOT, memAvailableMiB: undefined }, LITERAL, "None host-ram-budget"],
    ["instances of a size that is not known", { ...HOT, rssMiB: undefined }, LITERAL, "None host-ram-budget"],
    ["a start that failed of late", { ...HOT, failureBackoffLeftS: 9 }, LITERAL, "None start-failed"],
    ["a tier that goes to and fro, out", { ...HOT, isFlapping: true }, LITERAL, "None flap-guard"],
    ["a tier that goes to and fro, in", { ...CALM, isFlapping: true }, LITERAL, "None flap-guard"],
    [
      "an application that is saturated too",
      {
        ...HOT,
        apps: { node: { cpu: 1, queueRising: false } },
      },
      CAREFUL,
      "None app-also-saturated",
    ],
    ["an application that could not be seen, out", { ...HOT, apps: UNSEEN }, CAREFUL, "None stale-endpoint"],
    [
      "an application that need not be seen, out",
      { ...HOT, apps: UNSEEN },
      LITERAL,
      "ScaleOut web-tier-saturated",
    ],
    ["an application that could not be seen, in", { ...CALM, apps: UNSEEN }, LITERAL, "None stale-endpoint"],
    [
      "a tier that is idle, with memory that is not known",
      {
        ...CALM,
        memAvailableMiB: undefined,
      },
      LITERAL,
      "None stale-endpoint",
    ],
    [
      "a tier that is idle, with instances of a size that is not known",
      {
        ...CALM,
        rssMiB: undefined,
        rssBudgetMiB: 512,
      },
      LITERAL,
      "None stale-endpoint",
    ],
    [
      "connections that are not known, in",
      { ...CALM, connectionsRatio: NaN },
      LITERAL,
      "None stale-endpoint",
    ],
    [
      "connections that are not known, out",
      { ...HOT, connectionsRatio: NaN },
      LITERAL,
      "ScaleOut web-tier-saturated",
    ],
    [
      "connections that one less could not hold",
      { ...CALM, connectionsRatio: 0.4, connectionsAfterScaleIn: 0.8 },
      LITERAL,
      "None projection",
    ],
    [
      "connections that one less could hold",
      { ...CALM, connectionsRatio: 0.39, connectionsAfterScaleIn: 0.78 },
      LITERAL,
      "ScaleIn scale-in",
    ],
    ["a latency that was cut off", { ...CALM, isLatencyTruncated: true }, LITERAL, "None latency-truncated"],
    ["no way to drain", { ...CALM, drains: false }, LITERAL, "None no-drain"],
    ["a start that is under way, in", { ...CALM, starting: 1 }, LITERAL, "None starting"],
    ["a last instance that has all CPUs", { ...CALM, victimCpus: 2 }, LITERAL, "None projection"],
    ["a hold, out", { ...HOT, mode: "paused" }, LITERAL, "None paused"],
    ["a hold, in", { ...CALM, mode: "paused" }, LITERAL, "None paused"],
  ] as const
) {
  Deno.test(`scalingOf() gives ${outcome} for ${name}`, () => {
    const { action, because } = evaluate(input, { ...DEFAULT_THRESHOLDS, ...thresholds });
    assertEquals(`${action} ${because.code}`, outcome);
  });
}

Deno.test("scalingOf() says what it would do where it only watches, by all gates", () => {
  const watched = (input: Aggregates): string =>
    evaluate({ ...input, mode: "observe" }, DEFAULT_THRESHOLDS).wouldBe;
  assertEquals([watched(HOT), watched(CALM), watched({ ...HOT, isFlapping: true })], [
    "ScaleOut",
    "ScaleIn",
    "None",
  ]);
});
