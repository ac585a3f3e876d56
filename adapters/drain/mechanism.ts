/** What each way of silencing pings is to the one who uses it, and what it works with. */

import type { MechanismName, MechanismOutcome } from "../../mod/drain/ping_outcome.ts";
import type { Clock } from "../clock.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import type { Source } from "../source.ts";
import type { ClaimsFile } from "./claims_file.ts";

/** One way to stop answering pings. Neither function rejects, and both are cheap where nothing is to be done. */
export interface PingMechanism {
  readonly name: MechanismName;
  /** Makes sure that pings are not answered, and looks whether it is so. */
  readonly silence: () => Promise<MechanismOutcome>;
  /** Makes sure that nothing of ours keeps pings from being answered. What others did stays. */
  readonly answer: () => Promise<MechanismOutcome>;
}

/** What a mechanism works with. */
export interface MechanismPorts {
  readonly run: RunCommand;
  readonly clock: Clock;
  readonly source: Source;
  readonly claims: ClaimsFile;
  /** Takes the lock of all who silence, and gives what lets go of it; failed with why, in the time that this may take. */
  readonly lock: (deadlineMs: number) => Promise<PingLock>;
}

/** The lock, or why it cannot be had. */
export type PingLock =
  | { readonly kind: "taken"; readonly close: () => void }
  | { readonly kind: "failed"; readonly error: string };

/** Exit code of a program that could not be started. */
export const NOT_STARTED = 127;

/** What went wrong with a program, as `"/usr/sbin/nft -f -" exited 1: …`; undefined when nothing did. */
export function maybeProblem(
  command: readonly string[],
  { code, stderr, timedOut, tookMs }: CommandResult,
): string | undefined {
  const line = JSON.stringify(command.join(" "));
  if (timedOut) return `${line} gave no answer within ${Math.round(tookMs)} ms`;
  if (code === 0) return undefined;
  const why = stderr.trim().split("\n", 1)[0] ?? "";
  return code === NOT_STARTED ? `${line} could not be started: ${why}` : `${line} exited ${code}: ${why}`;
}

/** Runs the first of some spellings of a program that is there. Never rejects. */
export async function runFirst(
  run: RunCommand,
  programs: readonly string[],
  args: readonly string[],
  options: { readonly deadlineMs: number; readonly stdin?: string },
): Promise<{ readonly result: CommandResult; readonly problem: string | undefined }> {
  let last: { result: CommandResult; problem: string | undefined } | undefined;
  for (const program of programs) {
    const result = await run(program, args, options);
    last = { result, problem: maybeProblem([program, ...args], result) };
    if (result.code !== NOT_STARTED) break;
  }
  if (last === undefined) throw new RangeError("No program is named");
  return last;
}
