/**
 * Which processes CRIT would end: by the exact name that the kernel has for them, as `killall -9 php
 * drush.php` goes.
 *
 * `php8.1`, `php-cgi`, `wget2` and `bash /root/php` are none of them.
 */

import { isAmbiguousComm } from "./comm.ts";
import { isLiveProgram, type ProcessInfo } from "./process.ts";
import { isWebTierName } from "./web_tier.ts";

/**
 * Finds the processes of these names. Never throws.
 *
 * Only the comm counts: the interpreter rule is for backups, where a wrong match costs less than a wrong
 * kill. The web tier is stopped as a service and never found here, whatever the names say; neither is a name
 * that the kernel may have cut.
 *
 * @param names Exact names shorter than 15 bytes; others match nothing
 */
export function findRunaways(
  processes: readonly ProcessInfo[],
  names: readonly string[],
): readonly ProcessInfo[] {
  const wanted = new Set(names.filter(isUsableRunawayName));
  return processes.filter((process) => wanted.has(process.comm) && isLiveProgram(process));
}

/**
 * Whether a name can be matched at all: not one of the web tier, and short enough for the kernel to show all
 * of it.
 */
export function isUsableRunawayName(name: string): boolean {
  return name !== "" && !isAmbiguousComm(name) && !isWebTierName(name);
}
