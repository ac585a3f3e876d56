/** A systemd and hooks for tests, that do what they are told, on a clock that goes on only where somebody waits. */

import type { Clock } from "../clock.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import type { HookOutcome } from "../hooks.ts";
import type { RunScaleHook } from "./scale_hooks.ts";

/** A clock that is at a time, and jumps over each wait. */
export function jumpingClock(nowMs: number): Clock {
  let now = nowMs;
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep(ms: number): Promise<void> {
      now += ms;
      return Promise.resolve();
    },
  };
}

/** What came of a command, for those that went well. */
const WENT_WELL: CommandResult = { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1 };

/** Units of `web@.service` as a systemd has them. */
export interface FakeSystemd {
  readonly run: RunCommand;
  /** States by index, as `systemctl list-units` prints them; tests change them. */
  readonly states: Map<number, string>;
  /** Whether a unit is active. */
  readonly isUp: (index: number) => Promise<boolean>;
  /** What was asked that is no question, in order: `start 2`. */
  readonly calls: string[];
}

/**
 * A systemd whose units start and stop at once.
 *
 * @param on Takes a command instead: a part of its result, or undefined where it goes on as usual
 */
export function fakeSystemd(
  states: Readonly<Record<number, string>>,
  on: (verb: string, index: number, states: Map<number, string>) => Partial<CommandResult> | undefined = () =>
    undefined,
): FakeSystemd {
  const now = new Map(Object.entries(states).map(([index, state]) => [Number(index), state]));
  const calls: string[] = [];
  const run: RunCommand = (_program, args) => {
    const [verb = ""] = args;
    const index = Number(/@(\d+)\./.exec(args.at(-1) ?? "")?.[1] ?? 0);
    if (verb === "start" || verb === "stop") calls.push(`${verb} ${index}`);
    const own = on(verb, index, now);
    if (own !== undefined) return Promise.resolve({ ...WENT_WELL, ...own });
    if (verb === "start") now.set(index, "active");
    if (verb === "stop") now.set(index, "inactive");
    const lines = [...now].map(([at, state]) => `web@${at}.service loaded ${state} some Web\n`);
    return Promise.resolve({ ...WENT_WELL, stdout: verb === "list-units" ? lines.join("") : "" });
  };
  return { run, states: now, isUp: (index) => Promise.resolve(now.get(index) === "active"), calls };
}

/** A hook that has ended well. */
export const RAN: HookOutcome = { kind: "ran", code: 0, output: "", tookMs: 1 };

/**
 * Hooks that end as told.
 *
 * @param calls Gets each one: `scale-in b`
 */
export function fakeHooks(
  calls: string[],
  on: (name: string, instance: string) => HookOutcome = () => RAN,
): RunScaleHook {
  return (name, instance) => {
    calls.push(`${name} ${instance}`);
    return Promise.resolve(on(name, instance));
  };
}
