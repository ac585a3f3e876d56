import { assertEquals, assertMatch } from "@std/assert";
import type { Incident } from "../../mod/incident/incident.ts";
import { advanceIncident, NO_INCIDENT } from "../../mod/incident/thread.ts";
import { INCIDENT_WALL_MS, incidentEvent } from "../../mod/testing/incident.ts";
import { openIncidentMemory } from "./incident_file.ts";

function anIncident(): Incident {
  const input = { nowMs: 1_000, wallMs: INCIDENT_WALL_MS, ongoing: true, unmailed: undefined };
  const { incident } = advanceIncident(NO_INCIDENT, { ...input, events: [incidentEvent("pause-web")] }).state;
  if (incident === undefined) throw new Error("no incident");
  return incident;
}

Deno.test("openIncidentMemory() hands an incident to the next agent of the same boot", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/incident.json`;
  const told: string[] = [];
  const open = (bootId: string): ReturnType<typeof openIncidentMemory> =>
    openIncidentMemory(path, bootId, (line) => told.push(line));
  const incident = anIncident();
  assertEquals(open("a").left, undefined);
  open("a").keep(incident);
  assertEquals(open("a").left, incident);
  assertEquals(open("b").left, undefined);
  open("a").keep(undefined);
  assertEquals(open("a").left, undefined);
  assertEquals(told, []);

  Deno.writeTextFileSync(path, '{"version":1,');
  assertEquals(open("a").left, undefined);
  openIncidentMemory("/dev/null/incident.json", "a", (line) => told.push(line)).keep(incident);
  assertEquals(told.length, 2);
  assertMatch(told[0] ?? "", /^Cannot parse .*incident\.json/);
  assertMatch(told[1] ?? "", /^Cannot write \/dev\/null\/incident\.json: /);
  await Deno.remove(folder, { recursive: true });
});
