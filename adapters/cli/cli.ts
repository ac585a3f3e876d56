/** The command line: from words to an exit code. */

import { messageOf } from "../../mod/errors.ts";
import { readInvocation, UsageError } from "./arguments.ts";
import { EXIT } from "./exit_code.ts";
import { renderHelp, renderVerbHelp } from "./help.ts";
import { complain, OutputClosedError, print } from "./output.ts";
import { versionLine } from "./version.ts";

/** Does what a command line asks for. Errors are told on standard error; never throws. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    const invocation = readInvocation(words);
    switch (invocation.kind) {
      case "help":
        print(invocation.verb === undefined ? renderHelp() : renderVerbHelp(invocation.verb));
        return EXIT.ok;
      case "version":
        print(`${versionLine()}\n`);
        return EXIT.ok;
      case "verb":
        return await invocation.verb.run(invocation.args);
    }
  } catch (error) {
    if (error instanceof OutputClosedError) return EXIT.ok;
    complain(`loadweir: ${messageOf(error)}`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
