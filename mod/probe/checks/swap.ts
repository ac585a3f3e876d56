/**
 * Memory and swap used up. Swap that is full is no fault by itself: cold pages stay there for weeks. It takes
 * memory that is short as well, or tasks that wait for it.
 *
 * @see https://github.com/netdata/netdata/issues/6362
 */

import { memoryAvailablePercent } from "../../memory.ts";
import type { Meminfo } from "../../proc/meminfo.ts";
import type { Pressure } from "../../proc/pressure.ts";
import { maybeValue, type Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, unknown } from "../check.ts";
import { judged, percentText } from "./judge.ts";

/** Swap is full below this share free. 98 % used is critical in netdata. */
const SWAP_FREE_PERCENT = { warn: 10, drain: 2 };

/** Memory is short below this share available, where there is swap. */
const AVAILABLE_PERCENT = { warn: 10, drain: 5 };

/** The same on a host without swap, which fills its memory closer before anything is wrong. */
const AVAILABLE_WITHOUT_SWAP_PERCENT = { warn: 6, drain: 3 };

/** All tasks that had something to do waited for memory more than a tenth of the last ten seconds. */
const PRESSURE_FULL_PERCENT = 10;

/**
 * Judges the two together. Never throws.
 *
 * @param pressure Absent on kernels without PSI; then the available memory decides alone
 */
export function judgeSwap(meminfo: Reading<Meminfo>, pressure: Reading<Pressure>): CheckResult {
  return judged(meminfo, (memory) => {
    const { swapTotalKib, swapFreeKib } = memory;
    if (swapTotalKib === undefined || swapFreeKib === undefined) {
      return unknown("the kernel shows no swap figures");
    }
    const available = memoryAvailablePercent(memory);
    if (swapTotalKib === 0) return withoutSwap(available);
    return withSwap(100 * swapFreeKib / swapTotalKib, available, maybeValue(pressure)?.full?.avg10Percent);
  });
}

function withoutSwap(available: number | undefined): CheckResult {
  if (available === undefined) return unknown("the kernel does not say how much memory is available");
  const evidence = `no swap, ${percentText(available)} % of memory available`;
  const numbers = { availablePercent: available };
  const { warn, drain } = AVAILABLE_WITHOUT_SWAP_PERCENT;
  if (available < drain) return bad("drain", `${evidence}, below ${drain} %`, numbers);
  return available < warn ? bad("warn", `${evidence}, below ${warn} %`, numbers) : fine(evidence, numbers);
}

function withSwap(free: number, available: number | undefined, full: number | undefined): CheckResult {
  const availableText = available === undefined ? "unknown" : `${percentText(available)} %`;
  const fullText = full === undefined ? "unknown" : percentText(full);
  const evidence = `${percentText(free)} % of swap free, ${availableText} of memory available, ` +
    `memory pressure full avg10 ${fullText}`;
  const numbers = {
    swapFreePercent: free,
    ...available === undefined ? {} : { availablePercent: available },
    ...full === undefined ? {} : { pressureFullPercent: full },
  };
  if (free >= SWAP_FREE_PERCENT.warn) return fine(evidence, numbers);
  const isShort = available !== undefined && available < AVAILABLE_PERCENT.drain;
  const isPressed = full !== undefined && full > PRESSURE_FULL_PERCENT;
  const isFull = free < SWAP_FREE_PERCENT.drain;
  if (isFull && (isShort || isPressed)) return bad("drain", evidence, numbers);
  if (available === undefined && full === undefined) return unknown(evidence);
  // What is not known could be what makes it a fault.
  if (isFull && available === undefined) return unknown(evidence);
  return available !== undefined && available < AVAILABLE_PERCENT.warn
    ? bad("warn", evidence, numbers)
    : fine(evidence, numbers);
}
