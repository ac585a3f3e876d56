/**
 * What a host's memory figures say: how much is available, used and swapped out.
 *
 * Containers mix the figures of the host with their own, so nothing here trusts that a part is smaller than
 * the whole.
 */

import type { Meminfo } from "./proc/meminfo.ts";

/** Usable RAM in bytes, exact up to 8 PiB and beyond. Never throws. */
export function memoryTotalBytes(memory: Meminfo): number {
  return memory.totalKib * 1024;
}

/**
 * RAM in use: total minus available, at least 0. Undefined where the available memory is not known.
 *
 * Not total minus free, cached and slab: that counts what cannot be given back as free, and goes negative in
 * containers. Never throws.
 */
export function memoryUsedKib(memory: Meminfo): number | undefined {
  return memory.availableKib === undefined ? undefined : Math.max(0, memory.totalKib - memory.availableKib);
}

/**
 * Share of RAM that new programs could have, 0 to 100, one decimal, halves up. Undefined where not known.
 * Never throws.
 */
export function memoryAvailablePercent(memory: Meminfo): number | undefined {
  return memory.availableKib === undefined ? undefined : percent(memory.availableKib, memory.totalKib);
}

/**
 * Share of swap in use, 0 to 100, one decimal, halves up. 0 on a host without swap, as none of it is in use.
 * Undefined where not known. Never throws.
 */
export function swapUsedPercent(memory: Meminfo): number | undefined {
  const { swapTotalKib, swapFreeKib } = memory;
  if (swapTotalKib === undefined || swapFreeKib === undefined) return undefined;
  return swapTotalKib === 0 ? 0 : percent(Math.max(0, swapTotalKib - swapFreeKib), swapTotalKib);
}

/** Share of a part in a whole above 0, in percent with one decimal, halves up, at most 100. */
function percent(part: number, whole: number): number {
  return Math.min(1000, Math.floor((2000 * part + whole) / (2 * whole))) / 10;
}
