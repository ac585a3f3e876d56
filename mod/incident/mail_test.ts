import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { INCIDENT_WALL_MS, incidentEvent } from "../testing/incident.ts";
import { type MailContext, renderMail } from "./mail.ts";
import { advanceIncident, type IncidentMail, NO_INCIDENT } from "./thread.ts";

const CONTEXT: MailContext = { to: "admin@example.org", host: "web-1", sections: [] };

const NEWS = {
  name: "pause-web",
  count: 1,
  firstWallMs: INCIDENT_WALL_MS,
  lastWallMs: INCIDENT_WALL_MS,
  text: "Web paused: load 671.0 % (1-minute) over 610.0 %",
  details: ["stopped nginx", "stopped php8.2-fpm"],
} as const;

const OPENED: IncidentMail = {
  kind: "opened",
  incidentId: "20261129T193114Z",
  number: 1,
  openedWallMs: INCIDENT_WALL_MS,
  wallMs: INCIDENT_WALL_MS,
  durationMs: 0,
  tier: "max",
  news: [NEWS],
};

Deno.test("renderMail() of an incident that goes on says the last thing that happened, good or bad", () => {
  const back = { ...NEWS, name: "resume-web", text: "Web given back" } as const;
  const subjectOf = (news: IncidentMail["news"]): string =>
    renderMail({ ...OPENED, kind: "goes-on", news }, CONTEXT).subject;
  assertEquals(subjectOf([back]), "[loadweir] web-1: Goes on: Web given back");
  assertEquals(subjectOf([]), "[loadweir] web-1: Goes on: Nothing new");
});

Deno.test("renderMail() says in the subject what happened where, and in the text all of it", () => {
  const sections = [{ title: "vmstat", lines: ["procs", " 1 0"] }];
  const mail = renderMail(OPENED, { ...CONTEXT, sections });
  assertEquals(mail.subject, "[loadweir] web-1: Web paused: load 671.0 % (1-minute) over 610.0 %");
  assertEquals(mail.text.split("\n"), [
    "Web paused: load 671.0 % (1-minute) over 610.0 %",
    "",
    "incident   20261129T193114Z on web-1, mail 1",
    "began      2026-11-29T19:31:14Z, 0 s ago",
    "tier       MAX",
    "",
    "2026-11-29T19:31:14Z  Web paused: load 671.0 % (1-minute) over 610.0 %",
    "  stopped nginx",
    "  stopped php8.2-fpm",
    "",
    "--- vmstat ---",
    "procs",
    " 1 0",
    "",
  ]);
});

Deno.test("renderMail() makes one thread of the mails of an incident", () => {
  const first = renderMail(OPENED, CONTEXT);
  const third = renderMail({ ...OPENED, kind: "escalated", number: 3 }, CONTEXT);
  assertEquals([first.messageId, first.inReplyTo], ["loadweir.20261129T193114Z.1@web-1", undefined]);
  assertEquals([third.messageId, third.inReplyTo], ["loadweir.20261129T193114Z.3@web-1", first.messageId]);
});

Deno.test("renderMail() says in the subject how an incident goes", () => {
  const subjects = (["escalated", "goes-on", "resolved"] as const).map((kind) =>
    renderMail(
      { ...OPENED, kind, durationMs: 252_000, news: [{ ...NEWS, count: 3, text: "Web paused" }] },
      CONTEXT,
    )
      .subject
  );
  assertEquals(subjects, [
    "[loadweir] web-1: Worse: Web paused",
    "[loadweir] web-1: Goes on: Web paused (3 times)",
    "[loadweir] web-1: Resolved after 4 m 12 s: Web paused",
  ]);
  assertEquals(
    renderMail({ ...OPENED, kind: "resolved", durationMs: 252_000, news: [] }, CONTEXT).subject,
    "[loadweir] web-1: Resolved after 4 m 12 s",
  );
});

Deno.test("renderMail() bounds each part, and says what it left out", () => {
  const lines = Array.from({ length: 500 }, (_, index) => `line ${index} ${"x".repeat(2000)}`);
  const details = Array.from({ length: 50 }, (_, index) => `ended php (pid ${index})`);
  const { text } = renderMail({ ...OPENED, news: [{ ...NEWS, details }] }, {
    ...CONTEXT,
    sections: [{ title: "log", lines }],
  });
  assertMatch(text, /\n {2}… and 30 more\n/);
  assertMatch(text, /\n… and 300 more\n/);
  assert(text.split("\n").every((line) => line.length <= 240));
});

Deno.test("renderMail() lets no host name, process or log line become a header or a command", () => {
  const hostile = "web\r\nBcc: evil@example.net\r\n\r\nbody\u2028\x1b]0;x\x07";
  const news = [{ ...NEWS, text: hostile, details: ["~!touch /tmp/owned", ".\n~!id"] }];
  const mail = renderMail({ ...OPENED, news }, {
    ...CONTEXT,
    host: hostile,
    sections: [{ title: hostile, lines: ["~r /etc/shadow"] }],
  });
  for (const text of [mail.subject, mail.messageId]) {
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x00-\x1f\x7f\u2028]/.test(text), false, text);
  }
  assertMatch(mail.messageId, /^[\w.@-]+$/);
  assertEquals(mail.text.split("\n").filter((line) => /^~|^Bcc|^\.$/.test(line)), []);
});

Deno.test("renderMail() keeps any text within its lines", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (host, text) => {
      const mail = renderMail({ ...OPENED, news: [{ ...NEWS, text, details: [text] }] }, {
        ...CONTEXT,
        host,
      });
      assertMatch(mail.subject, /^\[loadweir\] [^\r\n]*$/);
      assert(mail.subject.length <= 300 && mail.subject.isWellFormed());
      assertEquals(mail.text.split("\n").length, 9);
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("renderMail() takes what advanceIncident() gives", () => {
  const { mail } = advanceIncident(NO_INCIDENT, {
    nowMs: 0,
    wallMs: INCIDENT_WALL_MS,
    events: [incidentEvent("kill-runaways", "crit"), incidentEvent("pause-web", "crit")],
    ongoing: true,
    unmailed: undefined,
  });
  assert(mail !== undefined);
  assertEquals(renderMail(mail, CONTEXT).subject, "[loadweir] web-1: Runaways ended; Web paused");
});
