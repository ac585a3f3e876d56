import { assertEquals } from "@std/assert";
import { absent } from "../reading.ts";
import type { ForeignMaster } from "../services/ownership.ts";
import { leftAloneLines } from "./web_tier.ts";

const NOTHING = { foreign: [], outOfReach: [], unsurePids: [], problem: undefined };

function foreignAt(pid: number): ForeignMaster {
  return {
    master: {
      kind: "nginx",
      pid,
      ppid: 1,
      program: undefined,
      confPath: undefined,
      unit: absent("none"),
      inContainer: true,
      uid: 0,
    },
    reason: "container",
  };
}

Deno.test("leftAloneLines() says what a pause leaves running, and why", () => {
  assertEquals(leftAloneLines(NOTHING), []);
  const service = {
    kind: "nginx",
    manager: "none",
    name: "/opt/nginx",
    program: "/opt/nginx",
    args: [],
    confPath: undefined,
  } as const;
  assertEquals(
    leftAloneLines({
      foreign: [foreignAt(7)],
      outOfReach: [{ service, why: "no unit or script starts it" }],
      unsurePids: [8, 9],
      problem: "systemctl gave no answer",
    }),
    [
      "not ours: nginx (pid 7), in a container",
      "/opt/nginx left running: no unit or script starts it",
      "left running, workers without a master that may be anybody's: pid 8, 9",
      "units not known: systemctl gave no answer",
    ],
  );
});

Deno.test("leftAloneLines() does not fill a mail with the containers of a host", () => {
  const lines = leftAloneLines({
    ...NOTHING,
    foreign: Array.from({ length: 300 }, (_, pid) => foreignAt(pid + 2)),
  });
  assertEquals([lines.length, lines.at(-1)], [9, "and 292 more that are not ours"]);
});
