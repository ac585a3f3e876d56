import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { INCIDENT_WALL_MS, incidentEvent } from "../testing/incident.ts";
import { type EventName, EVENTS, type IncidentEvent } from "./event.ts";
import type { IncidentChange } from "./incident.ts";
import { advanceIncident, type IncidentMail, type IncidentState, NO_INCIDENT } from "./thread.ts";
import type { LogEntry } from "./event_log.ts";

const MINUTE = 60_000;

/** A host of a test, to which things happen. */
interface Told {
  readonly mails: (IncidentMail & { readonly atMs: number })[];
  readonly log: LogEntry[];
  readonly changes: IncidentChange[];
  readonly at: (
    ms: number,
    names: readonly (EventName | IncidentEvent)[],
    ongoing: boolean,
    unmailed?: string,
  ) => void;
  readonly quiet: (fromMs: number, toMs: number, ongoing: boolean, unmailed?: string) => void;
}

function host(): Told {
  let state: IncidentState = NO_INCIDENT;
  const mails: Told["mails"] = [];
  const log: LogEntry[] = [];
  const changes: IncidentChange[] = [];
  function at(...[nowMs, names, ongoing, unmailed]: Parameters<Told["at"]>): void {
    const events = names.map((event) => typeof event === "string" ? incidentEvent(event) : event);
    const result = advanceIncident(state, {
      nowMs,
      wallMs: INCIDENT_WALL_MS + nowMs,
      events,
      ongoing,
      unmailed,
    });
    state = result.state;
    log.push(...result.log);
    changes.push(...result.changes);
    if (result.mail !== undefined) mails.push({ ...result.mail, atMs: nowMs });
  }
  return {
    mails,
    log,
    changes,
    at,
    quiet: (fromMs, toMs, ongoing, unmailed) => {
      for (let ms = fromMs; ms < toMs; ms += 5000) at(ms, [], ongoing, unmailed);
    },
  };
}

function kinds({ mails }: Told): readonly (readonly [number, string])[] {
  return mails.map(({ atMs, kind }) => [atMs, kind]);
}

Deno.test("advanceIncident() tells of a pause at once and of its end, as one incident", () => {
  const told = host();
  told.at(0, ["pause-web"], true);
  told.quiet(5000, 4 * MINUTE, true);
  told.at(4 * MINUTE, ["resume-web"], false);
  told.quiet(4 * MINUTE + 5000, 30 * MINUTE, false);
  assertEquals(kinds(told), [[0, "opened"], [4 * MINUTE, "resolved"]]);
  assertEquals(told.mails.map(({ incidentId, number, durationMs }) => [incidentId, number, durationMs]), [
    ["20261129T193114Z", 1, 0],
    ["20261129T193114Z", 2, 4 * MINUTE],
  ]);
  assertEquals(told.mails[1]?.news.map(({ name }) => name), ["resume-web"]);
  assertEquals(told.changes, ["opened", "resolved"]);
});

Deno.test("advanceIncident() tells of what is worse no sooner than a minute after the mail before", () => {
  const told = host();
  told.at(0, ["pause-web"], true);
  told.at(14_000, [incidentEvent("kill-runaways", "crit"), incidentEvent("pause-web", "crit")], true);
  told.quiet(15_000, 5 * MINUTE, true);
  assertEquals(kinds(told), [[0, "opened"], [60_000, "escalated"]]);
  assertEquals(told.mails[1]?.tier, "crit");
  assertEquals(told.mails[1]?.news.map(({ name, count }) => [name, count]), [
    ["kill-runaways", 1],
    ["pause-web", 1],
  ]);
  assertEquals(told.changes, ["opened", "escalated"]);
});

Deno.test("advanceIncident() takes a higher tier of the same event for worse", () => {
  const told = host();
  told.at(0, [incidentEvent("pause-web", "max")], true);
  told.at(2 * MINUTE, [incidentEvent("pause-web", "crit")], true);
  assertEquals(kinds(told), [[0, "opened"], [2 * MINUTE, "escalated"]]);
});

Deno.test("advanceIncident() folds what repeats into summaries that become rarer", () => {
  const told = host();
  for (let ms = 0; ms < 10 * 60 * MINUTE; ms += 14_000) told.at(ms, ["kill-runaways"], true);
  const minutes = told.mails.map(({ atMs }) => Math.round(atMs / MINUTE));
  assertEquals(minutes, [0, 15, 45, 105, 226, 346, 466, 586]);
  assert(told.mails.slice(1).every(({ kind }) => kind === "goes-on"));
  assertEquals(told.mails[1]?.news.map(({ name, count }) => [name, count]), [["kill-runaways", 65]]);
});

Deno.test("advanceIncident() tells that the web is back also while its configuration stays unusable", () => {
  const told = host();
  told.at(0, ["config-unusable"], true);
  told.at(30 * MINUTE, ["pause-web"], true);
  told.quiet(30 * MINUTE + 5000, 60 * MINUTE, true);
  told.at(60 * MINUTE, ["resume-web"], true);
  told.quiet(60 * MINUTE + 5000, 120 * MINUTE, true);
  told.at(120 * MINUTE, ["config-mended"], false);
  told.quiet(120 * MINUTE + 5000, 180 * MINUTE, false);
  assertEquals(kinds(told), [
    [0, "opened"],
    [30 * MINUTE, "escalated"],
    [60 * MINUTE, "goes-on"],
    [120 * MINUTE, "resolved"],
  ]);
  assertEquals(told.mails.map(({ news }) => news.map(({ name }) => name)), [
    ["config-unusable"],
    ["pause-web"],
    ["resume-web"],
    ["config-mended"],
  ]);
});

Deno.test("advanceIncident() makes one thread of a day of going up and down, and a dozen mails", () => {
  const told = host();
  const day = 24 * 60 * MINUTE;
  for (let ms = 0; ms < day; ms += 10 * MINUTE) {
    told.at(ms, ["pause-web"], true);
    told.quiet(ms + 5000, ms + 4 * MINUTE, true);
    told.at(ms + 4 * MINUTE, ["resume-web"], false);
    told.quiet(ms + 4 * MINUTE + 5000, ms + 10 * MINUTE, false);
  }
  told.quiet(day, day + 3 * 60 * MINUTE, false);
  assertEquals(new Set(told.mails.map(({ incidentId }) => incidentId)).size, 1);
  assert(told.mails.length <= 18, `${told.mails.length} mails`);
  assertEquals(told.mails.at(-1)?.kind, "resolved", "the last word is that it is over");
  assertEquals(told.changes.filter((change) => change === "opened").length, 144);
});

Deno.test("advanceIncident() says at once that it began again when the last mail is old enough", () => {
  const told = host();
  told.at(0, ["pause-web"], true);
  told.at(2 * MINUTE, ["resume-web"], false);
  told.at(40 * MINUTE, ["pause-web"], true);
  assertEquals(kinds(told), [[0, "opened"], [2 * MINUTE, "resolved"], [40 * MINUTE, "goes-on"]]);
});

Deno.test("advanceIncident() begins another incident an hour after the end of the last one", () => {
  const told = host();
  told.at(0, ["pause-web"], true);
  told.at(2 * MINUTE, ["resume-web"], false);
  told.at(62 * MINUTE, ["pause-web"], true);
  assertEquals(told.mails.map(({ incidentId, kind }) => [incidentId, kind]), [
    ["20261129T193114Z", "opened"],
    ["20261129T193114Z", "resolved"],
    ["20261129T203314Z", "opened"],
  ]);
});

Deno.test("advanceIncident() tells of what is over as soon as it happens", () => {
  const told = host();
  told.at(0, ["load-lost-in-hold", "resume-web"], false);
  assertEquals(kinds(told), [[0, "resolved"]]);
  assertEquals(told.changes, ["opened", "resolved"]);
});

Deno.test("advanceIncident() logs INFO and mails nothing about it", () => {
  const told = host();
  told.at(0, ["crawler-block-on"], false);
  told.at(MINUTE, ["crawler-block-off"], false);
  assertEquals(told.mails, []);
  assertEquals(told.log.map(({ name, level, incidentId }) => [name, level, incidentId]), [
    ["crawler-block-on", "INFO", undefined],
    ["crawler-block-off", "INFO", undefined],
  ]);
});

Deno.test("advanceIncident() logs every action and what was done in detail", () => {
  const told = host();
  told.at(0, [incidentEvent("kill-runaways", "crit", ["ended php (pid 12)", "ended wget (pid 13)"])], true);
  assertEquals(told.log.map(({ name, text, incidentId }) => [name, text, incidentId]), [
    ["kill-runaways", EVENTS["kill-runaways"].title, "20261129T193114Z"],
    ["kill-runaways", "ended php (pid 12)", "20261129T193114Z"],
    ["kill-runaways", "ended wget (pid 13)", "20261129T193114Z"],
    ["incident-opened", "", "20261129T193114Z"],
  ]);
});

Deno.test("advanceIncident() logs what each evaluation says once in ten minutes, with its count", () => {
  const told = host();
  for (let ms = 0; ms < 25 * MINUTE; ms += 14_000) told.at(ms, ["exempt-backup-iowait"], true);
  const title = EVENTS["exempt-backup-iowait"].title;
  assertEquals(told.log.map(({ text }) => text), [
    title,
    `${title} (and 42 times since the last line)`,
    `${title} (and 42 times since the last line)`,
  ]);
  assertEquals(told.mails, []);
});

Deno.test("advanceIncident() says once why nothing is mailed, and mails later what goes on", () => {
  const told = host();
  told.at(0, ["pause-web"], true, "just booted");
  told.quiet(5000, 5 * MINUTE, true, "just booted");
  told.quiet(5 * MINUTE, 6 * MINUTE, true);
  assertEquals(kinds(told), [[5 * MINUTE, "opened"]]);
  assertEquals(told.log.filter(({ name }) => name === "mail-suppressed").map(({ text }) => text), [
    "Not mailed: just booted",
  ]);
  assertEquals(told.changes, ["opened"]);
});

Deno.test("advanceIncident() tells nobody of the end of what nobody was told of", () => {
  const told = host();
  told.at(0, ["pause-web"], true, "just booted");
  told.at(4 * MINUTE, ["resume-web"], false, "just booted");
  told.quiet(5 * MINUTE, 90 * MINUTE, false);
  assertEquals(told.mails, []);
  assertEquals(told.changes, ["opened", "resolved"]);
});

const anyStep = fc.record({
  afterMs: fc.integer({ min: 100, max: 40 * MINUTE }),
  names: fc.array(fc.constantFrom(...Object.keys(EVENTS) as EventName[]), { maxLength: 3 }),
  tier: fc.constantFrom("spider" as const, "max" as const, "crit" as const, undefined),
  ongoing: fc.boolean(),
  unmailed: fc.option(fc.constantFrom("just booted", "OFF"), { nil: undefined }),
});

Deno.test("advanceIncident() never mails twice in a minute, and ends with the end of what it told", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const told = host();
      let ms = 0;
      let alerts = 0;
      for (const { afterMs, names, tier, ongoing, unmailed } of steps) {
        ms += afterMs;
        const events = names.map((name) => incidentEvent(name, tier));
        alerts += events.filter(({ level }) => level === "ALERT").length;
        told.at(ms, events, ongoing, unmailed);
      }
      for (let minute = 1; minute <= 240; minute++) told.at(ms + minute * MINUTE, [], false);
      for (const [index, mail] of told.mails.entries()) {
        const before = told.mails[index - 1];
        if (before === undefined) continue;
        const isSame = mail.incidentId === before.incidentId;
        assert(!isSame || mail.atMs - before.atMs >= MINUTE, "two mails within a minute");
        assert(!isSame || mail.number === before.number + 1, "a number left out");
        assert(
          isSame || mail.number === 1,
          "a thread without a beginning",
        );
      }
      const last = told.mails.at(-1);
      assert(alerts > 0 || last === undefined, "a mail without an ALERT");
      const isLastMailable = steps.every(({ unmailed }) => unmailed === undefined);
      if (isLastMailable) assertEquals(last?.kind, alerts > 0 ? "resolved" : undefined);
    }),
    { numRuns: 10_000 },
  );
});
