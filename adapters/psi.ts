/** Reads pressure stall information: the one part of `/proc` that the sandbox lets a program read in place. */

import { messageOf } from "../mod/errors.ts";
import { parsePressure, type Pressure } from "../mod/proc/pressure.ts";
import { absent, failed, ok, type Reading } from "../mod/reading.ts";

/** A resource whose pressure the kernel tells. */
export type PressureResource = "cpu" | "io" | "memory";

/** What to do where a kernel has no PSI. */
const CURE = "not supported by this kernel, needs Linux 4.20 with CONFIG_PSI, or boot with psi=1";

/** EOPNOTSUPP: the files are there, but PSI is disabled until the kernel is booted with psi=1. */
const NOT_SUPPORTED = /os error 95\b/;

/**
 * Reads one pressure file.
 *
 * @param folder Folder that holds the files `cpu`, `io` and `memory`
 * @returns Absent where the kernel does not offer it, failed where the file cannot be read or parsed. Never throws
 */
export function readPressure(folder: string, resource: PressureResource): Reading<Pressure> {
  const path = `${folder}/${resource}`;
  try {
    return ok(parsePressure(Deno.readTextFileSync(path), path));
  } catch (error) {
    if (isPsiMissing(error)) {
      return absent(`Cannot read "${path}": ${CURE}`);
    }
    return failed(messageOf(error));
  }
}

/** The share of the last ten seconds in which at least one task waited, in percent, from a proc root or `/proc`. */
export function readSome10(root: string, resource: PressureResource): Reading<number> {
  const pressure = readPressure(`${root}/pressure`, resource);
  if (pressure.kind !== "ok") return pressure;
  const { some } = pressure.value;
  return some === undefined ? absent(`${resource} pressure has no "some" line`) : ok(some.avg10Percent);
}

/** Whether reading a pressure file failed because this kernel does not offer it: no such file, or not switched on. */
export function isPsiMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || NOT_SUPPORTED.test(messageOf(error));
}
