/** `loadweir completions bash|zsh|fish` */

import { type Arguments, UsageError } from "./arguments.ts";
import { renderCompletions, type Shell } from "./completions.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { print } from "./output.ts";

/** Prints the completion script for a shell. */
export function completions(args: Arguments): Promise<ExitCode> {
  const [shell] = args.operands;
  if (!isShell(shell)) {
    throw new UsageError(`no completions for ${shell}, there are some for bash, zsh and fish`);
  }
  print(renderCompletions(shell));
  return Promise.resolve(EXIT.ok);
}

function isShell(word: string | undefined): word is Shell {
  return word === "bash" || word === "zsh" || word === "fish";
}
