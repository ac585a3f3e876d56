/**
 * Hooks: programs of the host's owner under fixed names in `/etc/loadweir/hooks/`. They run after something happened;
 * `scale-out` and `scale-in` alone are what makes it happen.
 *
 * A hook reads one JSON object from standard input, on one line:
 *
 * ```json
 * {"hook":"pause","version":1,"host":"web-1","at":"2026-11-
 * 29T19:31:14Z","tier":"max","load1Pct":671,"load5Pct":455,
 *  "reason":"confirmed","details":["nginx stopped","php8.2-fpm stopped"],"incident":"20261129T193114Z","instance":null}
 * ```
 *
 * Members whose value is not known are null. Later versions may have more members.
 */

import { timestamp } from "../report/timestamp.ts";

/** What each hook is for; also all the names there are. */
export const HOOKS = {
  "spider-on": "after crawlers were turned away",
  "spider-off": "after crawlers are served again",
  "pause": "after the web was paused",
  "resume": "after the web was given back",
  "kill": "after runaways were ended",
  "incident": "when an incident begins, gets worse or ends",
  "fanout": "every pass, or every few: checks that are too heavy for the ladder itself",
  "proc-control": "the same, but never at MAX and CRIT",
  "scale-out": "to start an instance of the web tier, or once systemd has started it",
  "scale-in": "before an instance of the web tier is stopped, or to stop it",
  "tasks": "by `loadweir run-tasks`, when the load allows it",
} as const;

/** Name of a hook. */
export type HookName = keyof typeof HOOKS;

/** All names. */
export const HOOK_NAMES: readonly HookName[] = Object.keys(HOOKS) as HookName[];

/** Where hooks are. */
export const HOOK_FOLDER = "/etc/loadweir/hooks";

/** What a hook is told. */
export interface HookPayload {
  /** Milliseconds since 1970. */
  readonly wallMs: number;
  readonly host: string;
  readonly tier: string | undefined;
  readonly load1Percent: number | undefined;
  readonly load5Percent: number | undefined;
  /** Why: a reason of the ladder, or `by-hand`. */
  readonly reason: string | undefined;
  /** What was done, one line each. */
  readonly details: readonly string[];
  /** Id of the incident that is open. */
  readonly incidentId: string | undefined;
  /** The instance of the web tier that it is about, for `scale-out` and `scale-in`. */
  readonly instance?: string;
}

/** The line that a hook reads, with its line end. Never throws. */
export function renderHookInput(hook: HookName, payload: HookPayload): string {
  const { wallMs, host, tier, load1Percent, load5Percent, reason, details, incidentId, instance } = payload;
  const input = {
    hook,
    version: 1,
    host,
    at: timestamp(wallMs),
    tier: tier ?? null,
    load1Pct: load1Percent ?? null,
    load5Pct: load5Percent ?? null,
    reason: reason ?? null,
    details,
    incident: incidentId ?? null,
    instance: instance ?? null,
  };
  return `${JSON.stringify(input)}\n`;
}
