/** Memory in words. */

import { memoryAvailablePercent, swapUsedPercent } from "../memory.ts";
import type { Meminfo } from "../proc/meminfo.ts";
import { type Reading, whyMissing } from "../reading.ts";

const KIB_PER_GIB = 1_048_576;

/** `62.5 % of 7.8 GiB available, swap 12 % used`, or why it is not known. Never throws. */
export function memoryText(memory: Reading<Meminfo>): string {
  if (memory.kind !== "ok") return `unknown: ${whyMissing(memory)}`;
  const total = `${(memory.value.totalKib / KIB_PER_GIB).toFixed(1)} GiB`;
  const available = memoryAvailablePercent(memory.value);
  const parts = [available === undefined ? `${total} in all` : `${available} % of ${total} available`];
  if (memory.value.swapTotalKib === 0) parts.push("no swap");
  else {
    const used = swapUsedPercent(memory.value);
    if (used !== undefined) parts.push(`swap ${used} % used`);
  }
  return parts.join(", ");
}
