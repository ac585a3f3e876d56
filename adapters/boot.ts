/** Which boot this is, and how long it has been up. */

import { guessedBoot } from "../mod/hold/boot_word.ts";
import { parseUptime } from "../mod/proc/uptime.ts";
import { STATE_FOLDER } from "../mod/ship/places.ts";
import { writeAtomically } from "./atomic_file.ts";
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

/** The id of the boot as an agent found it, and when that was: `6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab 1796000000000`. */
export const BOOT_PATH = `${STATE_FOLDER}/boot`;

/** What the kernel's boot id looks like. */
const KERNEL_ID = /^[0-9a-f-]{36}$/;

/** Two times of one boot may be so far apart: both clocks are slewed, and one counts whole seconds. */
const BOOTED_SLACK_MS = 10_000;

/**
 * A word that is another one after each boot: the kernel's boot id, else the time of boot to ten seconds. That one
 * changes when the wall clock is set, which looks like another boot: then what is held is given back. Never throws.
 *
 * Where there is no proc root, the kernel's id is what an agent has kept in this boot: the mount of a unit is there for
 * the unit alone, and whoever asks from a shell must not take its agent for one of another boot.
 *
 * @param keptPath Where it is kept
 */
export function readBootId(source: Source, uptimeMs: number, wallMs: number, keptPath = BOOT_PATH): string {
  const bootedMs = wallMs - uptimeMs;
  try {
    if (source.kind === "proc-root") {
      const id = Deno.readTextFileSync(`${source.root}/sys/kernel/random/boot_id`).trim();
      if (KERNEL_ID.test(id)) return id;
    } else {
      const [id = "", keptMs] = Deno.readTextFileSync(keptPath).trim().split(" ");
      if (KERNEL_ID.test(id) && Math.abs(Number(keptMs) - bootedMs) <= BOOTED_SLACK_MS) return id;
    }
  } catch {
    // A recording, a kernel that does not tell, or no agent has run in this boot.
  }
  return guessedBoot(bootedMs);
}

/** Keeps the id for who has no proc root. Never throws. */
export function keepBootId(
  id: string,
  uptimeMs: number,
  wallMs: number,
  keptPath = BOOT_PATH,
): string | undefined {
  const text = `${id} ${Math.round(wallMs - uptimeMs)}\n`;
  const outcome = writeAtomically(keptPath, text, { durable: false, mode: 0o644 });
  return outcome.kind === "failed" ? outcome.error : undefined;
}
