/** Has nginx or php-fpm test the configuration of a service, and changes nothing. */

import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { maybeTestCommand } from "../../mod/hold/start_command.ts";
import { causesIn, type TestVerdict, testVerdict } from "../../mod/services/test_verdict.ts";
import type { RunCommand } from "../command.ts";
import { runInWords } from "./command_text.ts";

/** What `run` gives for a program that cannot be started at all. */
const NOT_STARTED = 127;

/** What it says then when there is no such program: a package that was removed leaves its init script. */
const NO_SUCH_FILE = /\(os error 2\)\s*$/;

/** What a test said. */
export interface Tested {
  readonly verdict: TestVerdict;
  /** `"/usr/sbin/nginx -t -q" exited 0 after 35 ms`. */
  readonly text: string;
  /** What it calls the cause when it failed; undefined when it names none. */
  readonly cause: string | undefined;
  /** The program is not there any more. */
  readonly isMissing: boolean;
}

/** Tests a service; undefined where its program is not known. Never rejects. */
export async function maybeTested(
  service: ServiceRef,
  run: RunCommand,
  deadlineMs: number,
): Promise<Tested | undefined> {
  const command = maybeTestCommand(service);
  if (command === undefined) return undefined;
  const { result, text } = await runInWords(command, run, deadlineMs);
  const isMissing = result.code === NOT_STARTED && NO_SUCH_FILE.test(result.stderr);
  return { verdict: testVerdict(result), text, cause: causesIn(result.stderr)[0], isMissing };
}
