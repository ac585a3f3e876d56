import { assert, assertEquals } from "@std/assert";
import type { Mail } from "../../mod/incident/mail.ts";
import type { Incident } from "../../mod/incident/incident.ts";
import type { HostCalm } from "../../mod/incident/policy.ts";
import { INCIDENT_WALL_MS, incidentEvent } from "../../mod/testing/incident.ts";
import { createIncidentReporter, type IncidentReporterPorts } from "./reporter.ts";

/** A reporter of a test, with all that it tells. */
function desk(changes: Partial<IncidentReporterPorts> = {}): {
  readonly lines: string[];
  readonly mails: Mail[];
  readonly reports: string[];
  readonly changes: string[];
  readonly time: { ms: number };
  readonly reporter: ReturnType<typeof createIncidentReporter>;
} {
  const lines: string[] = [];
  const mails: Mail[] = [];
  const reports: string[] = [];
  const changed: string[] = [];
  const time = { ms: 0 };
  const reporter = createIncidentReporter({
    clock: { monotonicMs: () => time.ms, wallMs: () => INCIDENT_WALL_MS + time.ms },
    config: () => ({
      incidentReport: "CRIT",
      incidentEmail: "admin@example.org",
      incidentUptimeGraceMs: 900_000,
      incidentAttach: true,
    }),
    host: "web-1",
    log: {
      append: (added) => {
        lines.push(...added);
        return Promise.resolve({ kind: "ok" });
      },
      tail: (count) => Promise.resolve(lines.slice(-count)),
    },
    mails: { enqueue: (mail) => mails.push(mail) },
    evidence: {
      capture: () => {},
      take: (withTools) => Promise.resolve(withTools ? [{ title: "vmstat", lines: ["1 0"] }] : []),
    },
    calm: () => Promise.resolve({ uptimeMs: undefined, busyWith: [] }),
    memory: { left: undefined, keep: () => {} },
    onChange: (change, { id }) => changed.push(`${change} ${id}`),
    report: (line) => reports.push(line),
    ...changes,
  });
  return { lines, mails, reports, changes: changed, time, reporter };
}

Deno.test("createIncidentReporter() logs, then mails with evidence and its own log", async () => {
  const { lines, mails, time, reporter, changes } = desk();
  reporter.note([], false);
  reporter.note([incidentEvent("pause-web")], true);
  await reporter.idle();
  assertEquals(lines.length, 2);
  assertEquals(mails.map(({ subject, to }) => [subject, to]), [[
    "[loadweir] web-1: Web paused",
    "admin@example.org",
  ]]);
  assert(mails[0]?.text.includes("--- vmstat ---\n1 0\n"));
  assert(mails[0]?.text.includes(`--- last 200 lines of the log ---\n${lines.join("\n")}`));
  assertEquals(reporter.incident()?.id, "20261129T193114Z");
  time.ms = 240_000;
  reporter.note([incidentEvent("resume-web")], false);
  await reporter.idle();
  assertEquals(mails[1]?.subject, "[loadweir] web-1: Resolved after 4 m");
  assertEquals(mails[1]?.inReplyTo, mails[0]?.messageId);
  assertEquals(changes, ["opened 20261129T193114Z", "resolved 20261129T193114Z"]);
});

Deno.test("createIncidentReporter() attaches nothing where it is told so", async () => {
  const { mails, reporter } = desk({
    config: () => ({
      incidentReport: "ALL",
      incidentEmail: "root",
      incidentUptimeGraceMs: 0,
      incidentAttach: false,
    }),
  });
  reporter.note([incidentEvent("pause-web")], true);
  await reporter.idle();
  assertEquals(mails[0]?.text.includes("vmstat"), false);
});

Deno.test("createIncidentReporter() never keeps the one who notes waiting", async () => {
  const calm = Promise.withResolvers<HostCalm>();
  const { lines, reporter } = desk({ calm: () => calm.promise });
  reporter.note([incidentEvent("pause-web")], true);
  reporter.note([incidentEvent("kill-runaways", "crit")], true);
  assertEquals(lines, []);
  calm.resolve({ uptimeMs: 1000, busyWith: [] });
  await reporter.idle();
  assert(
    lines.some((line) => line.includes("Not mailed: the host booted less than 15 m ago")),
    lines.join("\n"),
  );
});

Deno.test("createIncidentReporter() mails without a log and without evidence, and says so once", async () => {
  const { mails, reports, reporter, time } = desk({
    log: {
      append: () => Promise.resolve({ kind: "failed", error: "Cannot write x: no space" }),
      tail: () => Promise.resolve([]),
    },
    evidence: { capture: () => {}, take: () => Promise.reject(new Error("out of memory")) },
  });
  reporter.note([incidentEvent("pause-web")], true);
  await reporter.idle();
  time.ms = 600_000;
  reporter.note([incidentEvent("kill-runaways", "crit")], true);
  await reporter.idle();
  assertEquals(mails.length, 2);
  assertEquals(reports, ["Cannot write x: no space"]);
});

Deno.test("createIncidentReporter() mails the end of an incident that an agent before has opened", async () => {
  const kept: (Incident | undefined)[] = [];
  const memory = { left: undefined, keep: (incident: Incident | undefined) => void kept.push(incident) };
  const before = desk({ memory });
  before.reporter.note([incidentEvent("pause-web")], true);
  await before.reporter.idle();
  const after = desk({ memory: { ...memory, left: kept.at(-1) } });
  after.time.ms = 240_000;
  after.reporter.note([], false);
  await after.reporter.idle();
  assertEquals(after.mails.map(({ subject }) => subject), ["[loadweir] web-1: Resolved after 4 m"]);
  assertEquals(after.mails[0]?.inReplyTo, before.mails[0]?.messageId);
  assertEquals(kept.at(-1)?.endedMs, 240_000);
});
