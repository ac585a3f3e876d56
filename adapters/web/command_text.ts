/** What became of a command, in words, on one line. */

import { printable } from "../../mod/report/printable.ts";
import type { Command } from "../../mod/hold/start_command.ts";
import type { CommandResult, RunCommand } from "../command.ts";

/** The result of a command, and the words for it. */
export interface Ran {
  readonly result: CommandResult;
  readonly text: string;
}

/** Runs a command and says how it went: `"/usr/sbin/nginx -t" exited 0 after 35 ms`. Never rejects. */
export async function runInWords(
  [program, ...args]: Command,
  run: RunCommand,
  deadlineMs: number,
): Promise<Ran> {
  const result = await run(program, args, { deadlineMs });
  return { result, text: `"${[program, ...args].join(" ")}" ${endText(result, deadlineMs)}` };
}

function endText({ code, stdout, stderr, timedOut, tookMs }: CommandResult, deadlineMs: number): string {
  if (timedOut) return `gave no answer within ${deadlineMs} ms`;
  const end = `exited ${code} after ${Math.round(tookMs)} ms`;
  if (code === 0) return end;
  const lines = `${stderr}\n${stdout}`.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return lines.length === 0 ? end : `${end}: ${printable(lines.join(" / "))}`;
}
