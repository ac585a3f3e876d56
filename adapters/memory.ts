/** Reads the memory of this host, from whatever source it allows. */

import { messageOf } from "../mod/errors.ts";
import { type Meminfo, parseMeminfo } from "../mod/proc/meminfo.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import type { Source } from "./source.ts";

const BYTES_PER_KIB = 1_024;

/** Memory and swap now. Never throws. */
export function readMemory(source: Source): Reading<Meminfo> {
  try {
    if (source.kind === "proc-root") {
      const path = `${source.root}/meminfo`;
      return ok(parseMeminfo(Deno.readTextFileSync(path), path));
    }
    const memory = Deno.systemMemoryInfo();
    return ok({
      totalKib: memory.total / BYTES_PER_KIB,
      freeKib: memory.free / BYTES_PER_KIB,
      availableKib: memory.available / BYTES_PER_KIB,
      swapTotalKib: memory.swapTotal / BYTES_PER_KIB,
      swapFreeKib: memory.swapFree / BYTES_PER_KIB,
    });
  } catch (error) {
    return failed(messageOf(error));
  }
}
