import { assertEquals } from "@std/assert";
import { failed, ok } from "../reading.ts";
import { BUSY_GATE, climb, DEFAULT_RULES, loadOf, sampleAt } from "../testing/climb.ts";
import { explainDecision } from "./explain_ladder.ts";
import type { Explanation } from "./explanation.ts";

/** What the last of some samples is explained by. */
function explained(...samples: Parameters<typeof climb>[0]): Explanation {
  const step = climb(samples).at(-1);
  if (step === undefined) throw new Error("no sample was due");
  return explainDecision(step.decision, DEFAULT_RULES, undefined);
}

const BACKUP = { ...BUSY_GATE, backups: ok(["duplicity"]), iowaitPercent: ok(12.5) };

for (
  const [name, explanation, found, rule, margin] of [
    [
      "a calm pass",
      explained({ ...sampleAt(0, 0), load: ok(loadOf(180, 201)) }),
      "NORMAL",
      "SPIDER above 210 %, MAX above 610 %, CRIT above 810 %",
      "higher load 9.0 points below SPIDER",
    ],
    [
      "a first look over a threshold",
      explained(sampleAt(0, 671)),
      "MAX",
      "above 610 %, again after 9 s",
      "higher load 61.0 points over it",
    ],
    [
      "a spike that has passed",
      explained(sampleAt(0, 671), sampleAt(9_000, 600)),
      "MAX, looked at again",
      "above 610 %, again after 9 s",
      "higher load 10.0 points below it",
    ],
    [
      "a pause that was confirmed",
      explained(sampleAt(0, 671), sampleAt(9_000, 671)),
      "MAX, still over at the re-check, web paused",
      "above 610 %, again after 9 s",
      "higher load 61.0 points over it",
    ],
    [
      "a backup that waits for the disk",
      explained(sampleAt(0, 671), sampleAt(9_000, 671, BACKUP)),
      "MAX, still over at the re-check",
      "a backup exempts from MAX and CRIT from 10 % iowait",
      "iowait 2.5 points over",
    ],
    [
      "a load that could not be read",
      explained({ ...sampleAt(0, 0), load: failed("cut") }),
      "UNKNOWN",
      "SPIDER above 210 %, MAX above 610 %, CRIT above 810 %",
      "unknown load never acts",
    ],
  ] as const
) {
  Deno.test(`explainDecision() tells what ${name} turned on`, () => {
    assertEquals([explanation.found, explanation.rule, explanation.margin], [found, rule, margin]);
  });
}

const HELD = [sampleAt(0, 671), sampleAt(9_000, 671), sampleAt(14_000, 500), sampleAt(23_000, 500)];
const STILL_HELD = [...HELD, sampleAt(28_000, 500), sampleAt(37_000, 500)];

for (
  const [name, samples, margin] of [
    ["is held", STILL_HELD, "higher load 12.0 points over the resume level"],
    [
      "is given back",
      [...STILL_HELD, sampleAt(42_000, 200)],
      "higher load 288.0 points below the resume level",
    ],
  ] as const
) {
  Deno.test(`explainDecision() holds the load against the resume level where the web ${name}`, () => {
    const explanation = explained(...samples);
    assertEquals([explanation.rule, explanation.margin], [
      "the web is given back once both loads are below 488 %",
      margin,
    ]);
  });
}
