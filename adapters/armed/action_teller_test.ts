import { assertEquals } from "@std/assert";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import { climb, sampleAt } from "../../mod/testing/climb.ts";
import { openActionTeller } from "./action_teller.ts";

/** The decision of a confirmed MAX at 700 %. */
const [, PAUSE] = climb([sampleAt(0, 700), sampleAt(9_000, 700)]).map(({ decision }) => decision);

const NGINX = {
  kind: "nginx",
  manager: "sysv",
  name: "nginx",
  program: undefined,
  args: [],
  confPath: undefined,
} as const;

function tellings(): {
  readonly events: IncidentEvent[];
  readonly teller: ReturnType<typeof openActionTeller>;
} {
  const events: IncidentEvent[] = [];
  return { events, teller: openActionTeller((event) => events.push(event), () => Promise.resolve(["gzip"])) };
}

Deno.test("openActionTeller() tells of a pause when it is done, with what is left alone and why it was asked for", () => {
  if (PAUSE === undefined) throw new Error("no decision");
  const { events, teller } = tellings();
  teller.web({ kind: "paused", outcomes: [], leftAlone: [] });
  teller.decided(PAUSE);
  assertEquals(events, [], "nothing that was not asked for, and nothing before it is done");
  const outcomes = [{ service: NGINX, ok: true, text: "stopped" }];
  teller.web({ kind: "paused", outcomes, leftAlone: ["another nginx"] });
  teller.web({ kind: "paused", outcomes: [{ service: NGINX, ok: false, text: "runs" }], leftAlone: [] });
  assertEquals(events.map(({ name, details, reason }) => [name, details, reason]), [
    ["pause-web", ["nginx: stopped", "another nginx"], "confirmed"],
    ["pause-failed", ["nginx: runs"], "confirmed"],
  ]);
});

Deno.test("openActionTeller() says who fills the host when a pause did not help", async () => {
  if (PAUSE === undefined) throw new Error("no decision");
  const { events, teller } = tellings();
  teller.decided({
    ...PAUSE,
    actions: ["no-pause-futile"],
    alerts: ["max-hold-reached", "web-started-in-hold"],
  });
  await new Promise((go) => setTimeout(go, 0));
  assertEquals(events.map(({ name, details }) => [name, details]), [
    ["no-pause-futile", []],
    ["max-hold-reached", ["gzip"]],
  ]);
});
