/** Small files of the kernel, out of a proc root: they come out of its own memory and cannot hang. */

import { messageOf } from "../../mod/errors.ts";
import { absent, failed, ok, type Reading } from "../../mod/reading.ts";
import type { Source } from "../source.ts";

/** What cannot be told without a proc root. */
export const NO_PROC_ROOT = failed("Cannot read it without a proc root: see `loadweir check`");

/**
 * Reads and parses a file below the proc root.
 *
 * @param path Below the proc root: `net/sockstat`
 * @param parse Undefined for what says nothing on this kernel
 * @returns Absent where this kernel has no such file or figure, failed where there is no proc root. Never throws
 */
export function readFigure<T>(
  source: Source,
  path: string,
  parse: (text: string, source: string) => T | undefined,
): Reading<T> {
  if (source.kind !== "proc-root") return NO_PROC_ROOT;
  const whole = `${source.root}/${path}`;
  try {
    const value = parse(Deno.readTextFileSync(whole), whole);
    return value === undefined ? absent(`${whole} holds no figures`) : ok(value);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return absent(`there is no ${whole}`);
    return failed(`Cannot read ${whole}: ${messageOf(error)}`);
  }
}
