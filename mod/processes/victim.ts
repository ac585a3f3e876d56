/** The record of a process that is ended: enough to know it again, and nothing private. */

import type { PidStatus } from "../proc/pid_status.ts";
import { printable } from "../report/printable.ts";
import { redactArguments } from "../recording/redact.ts";
import type { ProcessInfo } from "./process.ts";

/** One victim, as it was when it was chosen. Undefined is what could not be read. */
export interface Victim {
  readonly pid: number;
  /** Effective user: the name, or the id where it has none here. */
  readonly user: string | undefined;
  /** How long it had run, in whole seconds. */
  readonly ageS: number | undefined;
  /** CPU time it had used, user and system, in seconds with two decimals. */
  readonly cpuS: number | undefined;
  /** Memory in RAM, in KiB. */
  readonly rssKib: number | undefined;
  /** Names of the program and of the script that it ran, without folders and arguments. */
  readonly command: string;
}

/** Clock ticks of the kernel's process times in a second. */
const TICKS_PER_S = 100;

/**
 * The record of a process. Never throws.
 *
 * @param status What its `status` said
 * @param uptimeMs How long the host had been up, in milliseconds
 * @param users Names by user id
 */
export function victimOf(
  { pid, comm, argv, startTicks, cpuTicks }: ProcessInfo,
  status: PidStatus | undefined,
  uptimeMs: number | undefined,
  users: ReadonlyMap<number, string>,
): Victim {
  const words = redactArguments(argv ?? [], (pool) => pool);
  return {
    pid,
    user: status === undefined ? undefined : users.get(status.uid) ?? `uid ${status.uid}`,
    ageS: uptimeMs === undefined || startTicks === undefined
      ? undefined
      : Math.max(0, Math.floor(uptimeMs / 1000 - startTicks / TICKS_PER_S)),
    cpuS: cpuTicks === undefined ? undefined : cpuTicks / TICKS_PER_S,
    rssKib: status?.rssKib,
    command: words.length === 0 ? comm : words.join(" "),
  };
}

/** A record in words: `php drush.php (pid 4120 of www-data, 59 s old, 123.45 s of CPU, 47492 KiB)`. Never throws. */
export function victimText({ pid, user, ageS, cpuS, rssKib, command }: Victim): string {
  const facts = [
    `pid ${pid}${user === undefined ? "" : ` of ${user}`}`,
    ...ageS === undefined ? [] : [`${ageS} s old`],
    ...cpuS === undefined ? [] : [`${cpuS.toFixed(2)} s of CPU`],
    ...rssKib === undefined ? [] : [`${rssKib} KiB`],
  ];
  return `${printable(command)} (${facts.join(", ")})`;
}
