import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { INCIDENT_WALL_MS, incidentEvent } from "../testing/incident.ts";
import { type IncidentRecord, parseIncidentRecord, renderIncidentRecord } from "./incident_record.ts";
import type { Incident } from "./incident.ts";
import { advanceIncident, NO_INCIDENT } from "./thread.ts";

/** Incidents as they come about: open, mailed about, held back, ended. */
function incidents(): readonly Incident[] {
  let state = NO_INCIDENT;
  const seen: Incident[] = [];
  const turns = [
    {
      events: [incidentEvent("pause-web", "max", ["nginx stopped"])],
      ongoing: true,
      unmailed: "booted just now",
    },
    { events: [incidentEvent("kill-runaways", "crit")], ongoing: true, unmailed: undefined },
    { events: [], ongoing: false, unmailed: undefined },
  ];
  for (const [index, turn] of turns.entries()) {
    const nowMs = 812_000 + index * 120_000;
    ({ state } = advanceIncident(state, { ...turn, nowMs, wallMs: INCIDENT_WALL_MS + index * 120_000 }));
    if (state.incident !== undefined) seen.push(state.incident);
  }
  return seen;
}

Deno.test("parseIncidentRecord() reads what renderIncidentRecord() writes", () => {
  assertEquals(incidents().length, 3);
  for (const incident of incidents()) {
    const record: IncidentRecord = { bootId: "6b1f", incident };
    assertEquals(parseIncidentRecord(renderIncidentRecord(record), "x"), record);
  }
});

Deno.test("parseIncidentRecord() reads or refuses every damaged text", () => {
  const [incident] = incidents();
  if (incident === undefined) throw new Error("no incident");
  const text = renderIncidentRecord({ bootId: "6b1f", incident });
  assertReadsOrRefuses(text, (damaged) => void parseIncidentRecord(damaged, "x"));
  assertThrows(() => parseIncidentRecord(text.slice(0, 90), "x"), ParseError, "is no JSON");
  assertThrows(
    () => parseIncidentRecord(text.replace('"version":1', '"version":2'), "x"),
    ParseError,
    "expected 1",
  );
});
