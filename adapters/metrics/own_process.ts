/** What this process has used, as the runtime knows it: without a file, a program or a grant. */

import { cpuUsage, memoryUsage } from "node:process";

/** CPU time in seconds, user and system, and memory in bytes; undefined where the runtime does not tell. Never throws. */
export function ownUsage(): { readonly cpuS: number; readonly residentBytes: number } | undefined {
  try {
    const { user, system } = cpuUsage();
    return { cpuS: (user + system) / 1_000_000, residentBytes: memoryUsage.rss() };
  } catch {
    return undefined;
  }
}
