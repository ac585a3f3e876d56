/** Has nginx test its configuration. */

import { parseTestProblem } from "../../mod/nginx/log_line.ts";
import type { RunCommand } from "../command.ts";

/** With hundreds of sites under load it takes seconds; it also resolves the names of upstreams. */
const TEST_DEADLINE_MS = 30_000;

/**
 * Runs `nginx -t`. While nginx does not run this makes an empty pid file, which a start puts right.
 *
 * @param confPath Main configuration; undefined is the default
 * @returns What is wrong, as `"nginx -t" exited 1 after 84 ms: …`; undefined when nothing is. Never rejects
 */
export async function maybeConfigProblem(
  program: string,
  confPath: string | undefined,
  run: RunCommand,
): Promise<string | undefined> {
  const args = ["-t", "-q", ...confPath === undefined ? [] : ["-c", confPath]];
  const { code, stderr, timedOut, tookMs } = await run(program, args, { deadlineMs: TEST_DEADLINE_MS });
  if (timedOut) return `"nginx -t" gave no answer within ${TEST_DEADLINE_MS} ms`;
  if (code === 0) return undefined;
  return `"nginx -t" exited ${code} after ${Math.round(tookMs)} ms: ${parseTestProblem(stderr)}`;
}
