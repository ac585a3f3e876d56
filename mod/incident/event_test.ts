import { assertEquals } from "@std/assert";
import type { Decision } from "../ladder/decision.ts";
import { eventsOf, plainEvent } from "./event.ts";

const DECISION: Decision = {
  monotonicMs: 0,
  phase: "recheck",
  tier: "max",
  confirmed: true,
  load1Percent: 671,
  load5Percent: 455,
  cpuCount: 2,
  overPercent: 610,
  actions: ["pause-web"],
  reason: "confirmed",
  alerts: [],
  markers: ["max_load"],
  crawlerBlock: false,
  paused: true,
  witness: undefined,
  backups: undefined,
  iowaitPercent: undefined,
} as Decision;

/** Name, level and text of each event. */
function seen(decision: Decision, outcomes: Parameters<typeof eventsOf>[1] = []): readonly string[] {
  return eventsOf(decision, outcomes).map(({ name, level, text }) => `${name} ${level} ${text}`);
}

Deno.test("eventsOf() says which load was over which threshold", () => {
  assertEquals(seen(DECISION), ["pause-web ALERT Web paused: load 671.0 % (1-minute) over 610.0 %"]);
  assertEquals(seen({ ...DECISION, load5Percent: 700 }), [
    "pause-web ALERT Web paused: load 700.0 % (5-minute) over 610.0 %",
  ]);
});

Deno.test("eventsOf() gives actions in their order, then alerts, and nothing for a re-check", () => {
  const decision: Decision = {
    ...DECISION,
    tier: "crit",
    overPercent: 810,
    actions: ["kill-runaways", "pause-web"],
  };
  assertEquals(eventsOf(decision, []).map(({ name, level }) => `${name} ${level}`), [
    "kill-runaways ALERT",
    "pause-web ALERT",
  ]);
  assertEquals(eventsOf({ ...DECISION, actions: ["recheck"] }, []), []);
  assertEquals(eventsOf({ ...DECISION, actions: [] }, []), []);
  const overdue: Decision = { ...DECISION, actions: ["resume-web"], alerts: ["max-hold-reached"] };
  assertEquals(eventsOf(overdue, []).map(({ name }) => name), ["resume-web", "max-hold-reached"]);
});

Deno.test("eventsOf() turns crawlers away without an ALERT", () => {
  const levels = (["crawler-block-on", "crawler-block-off", "exempt-backup-iowait"] as const).map((action) =>
    eventsOf({ ...DECISION, actions: [action] }, []).map(({ level }) => level)
  );
  assertEquals(levels, [["INFO"], ["INFO"], ["INFO"]]);
});

Deno.test("eventsOf() names an action that failed, with what became of it in detail", () => {
  const outcomes = [
    { action: "pause-web", text: "stopped nginx" },
    { action: "pause-web", text: "php8.2-fpm did not stop", failed: true },
    { action: "kill-runaways", text: "of another action" },
  ] as const;
  const [event, ...others] = eventsOf(DECISION, outcomes);
  assertEquals([event?.name, event?.details, others], [
    "pause-failed",
    ["stopped nginx", "php8.2-fpm did not stop"],
    [],
  ]);
  const resume = eventsOf({ ...DECISION, actions: ["resume-web"] }, [
    { action: "resume-web", text: "nginx -t failed", failed: true },
  ]);
  assertEquals(resume.map(({ name, level }) => [name, level]), [["resume-failing", "ALERT"]]);
});

Deno.test("eventsOf() says how much waited for the disk where a backup was spared", () => {
  const decision: Decision = { ...DECISION, actions: ["exempt-backup-iowait"], iowaitPercent: 25.5 };
  assertEquals(seen(decision), [
    "exempt-backup-iowait INFO High load of a running backup, nothing done: " +
    "load 671.0 % (1-minute) over 610.0 %, iowait 25.5 %",
  ]);
});

Deno.test("eventsOf() copes with a load that is not known", () => {
  const decision: Decision = {
    ...DECISION,
    tier: "unknown",
    load1Percent: undefined,
    load5Percent: undefined,
    actions: ["resume-web"],
    alerts: ["load-lost-in-hold"],
  };
  assertEquals(seen(decision), [
    "resume-web INFO Web given back",
    "load-lost-in-hold ALERT Load unknown for a minute during a pause",
  ]);
});

Deno.test("plainEvent() is about no evaluation", () => {
  const { level, tier, text, details } = plainEvent("hold-by-hand", ["for 10 m: moving disks"]);
  assertEquals([level, tier, text, details], ["INFO", undefined, "Web paused by hand", [
    "for 10 m: moving disks",
  ]]);
});
