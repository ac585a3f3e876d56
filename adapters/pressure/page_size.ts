/** How large a page of memory is here. */

import { parsePageBytes } from "../../mod/proc/pid_auxv.ts";

/** What x86_64 always has, and arm64 mostly. */
const USUAL_KIB = 4;

/** Size of a page in KiB, from what the kernel told this program. Never throws. */
export function pageKib(procRoot: string): number {
  try {
    return (parsePageBytes(Deno.readFileSync(`${procRoot}/self/auxv`)) ?? USUAL_KIB * 1_024) / 1_024;
  } catch {
    return USUAL_KIB;
  }
}
