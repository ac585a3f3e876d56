/** Runs a tool that older systems keep in `/bin`. */

import type { CommandResult, RunCommand } from "./command.ts";

/** Exit code of a program that could not be started. */
const NOT_STARTED = 127;

/** Where systems keep a tool. */
export function toolPaths(name: string): readonly [newer: string, older: string] {
  return [`/usr/bin/${name}`, `/bin/${name}`];
}

/** Runs a tool from where it is. Never rejects. */
export async function runHostTool(
  run: RunCommand,
  name: string,
  args: readonly string[],
  deadlineMs: number,
): Promise<CommandResult> {
  const [newer, older] = toolPaths(name);
  const result = await run(newer, args, { deadlineMs });
  return result.code === NOT_STARTED ? await run(older, args, { deadlineMs }) : result;
}
