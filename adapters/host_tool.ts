/** Runs a tool that older systems keep in `/bin`. */

import type { CommandResult, RunCommand } from "./command.ts";

/** Exit code of a program that could not be started. */
const NOT_STARTED = 127;

/** Runs `/usr/bin/NAME`, or else `/bin/NAME`. Never rejects. */
export async function runHostTool(
  run: RunCommand,
  name: string,
  args: readonly string[],
  deadlineMs: number,
): Promise<CommandResult> {
  const result = await run(`/usr/bin/${name}`, args, { deadlineMs });
  return result.code === NOT_STARTED ? await run(`/bin/${name}`, args, { deadlineMs }) : result;
}
