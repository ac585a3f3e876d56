import { assertEquals } from "@std/assert";
import { INCIDENT_WALL_MS } from "../testing/incident.ts";
import { renderLogLine } from "./log_line.ts";
import type { LogEntry } from "./event_log.ts";

const ENTRY: LogEntry = {
  wallMs: INCIDENT_WALL_MS,
  level: "ALERT",
  name: "pause-web",
  incidentId: "20261129T193114Z",
  tier: "max",
  load1Percent: 671,
  load5Percent: 455,
  text: "Web paused",
};

Deno.test("renderLogLine() says when, how loud, what and at which load", () => {
  assertEquals(
    renderLogLine(ENTRY),
    "ts=2026-11-29T19:31:14Z level=ALERT event=pause-web tier=max load1=671.0 load5=455.0 " +
      'incident=20261129T193114Z text="Web paused"',
  );
});

Deno.test("renderLogLine() leaves out what is not known", () => {
  const entry: LogEntry = {
    ...ENTRY,
    incidentId: undefined,
    tier: undefined,
    load1Percent: undefined,
    load5Percent: undefined,
    text: "",
  };
  assertEquals(renderLogLine(entry), "ts=2026-11-29T19:31:14Z level=ALERT event=pause-web");
});

Deno.test("renderLogLine() stays one line, whatever a process calls itself", () => {
  const line = renderLogLine({ ...ENTRY, text: 'ended "a\nts=2026 level=INFO\x1b[2J"' });
  assertEquals(line.includes("\n") || line.includes("\x1b"), false);
  assertEquals(line.endsWith('text="ended \\"a\ufffdts=2026 level=INFO\ufffd[2J\\""'), true, line);
});
