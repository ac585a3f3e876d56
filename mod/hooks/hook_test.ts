import { assertEquals } from "@std/assert";
import { INCIDENT_WALL_MS } from "../testing/incident.ts";
import { HOOK_NAMES, renderHookInput } from "./hook.ts";

Deno.test("renderHookInput() is one JSON object on one line, with null for what is not known", () => {
  const text = renderHookInput("pause", {
    wallMs: INCIDENT_WALL_MS,
    host: "web-1",
    tier: "max",
    load1Percent: 671,
    load5Percent: undefined,
    reason: "confirmed",
    details: ["stopped\nnginx"],
    incidentId: undefined,
  });
  assertEquals(text.indexOf("\n"), text.length - 1);
  assertEquals(JSON.parse(text), {
    hook: "pause",
    version: 1,
    host: "web-1",
    at: "2026-11-29T19:31:14Z",
    tier: "max",
    load1Pct: 671,
    load5Pct: null,
    reason: "confirmed",
    details: ["stopped\nnginx"],
    incident: null,
    instance: null,
  });
});

Deno.test("renderHookInput() names the instance that a scaling is about", () => {
  const text = renderHookInput("scale-in", {
    wallMs: INCIDENT_WALL_MS,
    host: "web-1",
    tier: undefined,
    load1Percent: undefined,
    load5Percent: undefined,
    reason: undefined,
    details: [],
    incidentId: undefined,
    instance: "web@3.service",
  });
  assertEquals(JSON.parse(text).instance, "web@3.service");
});

Deno.test("HOOK_NAMES are the names that a host's owner may use", () => {
  assertEquals([...HOOK_NAMES], [
    "spider-on",
    "spider-off",
    "pause",
    "resume",
    "kill",
    "incident",
    "fanout",
    "proc-control",
    "scale-out",
    "scale-in",
    "tasks",
  ]);
});
