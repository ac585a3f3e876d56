/** Which boot this is, and how long it has been up. */

import { parseUptime } from "../mod/proc/uptime.ts";
import type { Source } from "./source.ts";

/** Milliseconds since boot. Never throws: where nothing tells, this process is as old as the boot. */
export function readUptimeMs(source: Source): number {
  try {
    if (source.kind === "kernel-calls") return Deno.osUptime() * 1000;
    const path = `${source.root}/uptime`;
    return parseUptime(Deno.readTextFileSync(path), path);
  } catch {
    return Math.round(performance.now());
  }
}

/**
 * A word that is another one after each boot: the kernel's boot id, else the time of boot to ten seconds. That one
 * changes when the wall clock is set, which looks like another boot: then what is held is given back. Never throws.
 */
export function readBootId(source: Source, uptimeMs: number, wallMs: number): string {
  try {
    if (source.kind === "proc-root") {
      const id = Deno.readTextFileSync(`${source.root}/sys/kernel/random/boot_id`).trim();
      if (/^[0-9a-f-]{36}$/.test(id)) return id;
    }
  } catch {
    // A recording, or a kernel that does not tell.
  }
  return `booted-${Math.round((wallMs - uptimeMs) / 10_000)}`;
}
