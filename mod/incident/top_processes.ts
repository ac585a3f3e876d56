/**
 * The processes that take the most CPU, each with what started it: evidence for a mail.
 *
 * Read from `ps` with {@linkcode TOP_ARGUMENTS}, which sorts:
 *
 *     4120    812 www-data          97.3  81234     312 R php-fpm8.2       php-fpm: pool www
 *
 * CPU is the share of one CPU over the life of the process, in percent, memory is RSS in KiB, age in seconds.
 * Arguments carry passwords and customers' names, so that of each command line only program, script and role
 * are shown.
 *
 * @see https://man7.org/linux/man-pages/man1/ps.1.html
 */

import { redactArguments } from "../recording/redact.ts";
import { countText } from "../report/count.ts";

/** What to ask `ps` for: fixed columns, no header, those with the most CPU first. */
export const TOP_ARGUMENTS: readonly string[] = [
  "--width",
  "400",
  "-e",
  "--sort=-pcpu",
  "-o",
  "pid:10=,ppid:10=,user:16=,pcpu:6=,rss:12=,etimes:10=,state:2=,comm:16=,args=",
];

/** Fifteen lines show a runaway and its company, and fit a screen. */
const SHOWN = 15;

/** Parents shown of each: enough to tell cron from a shell from php-fpm. */
const ANCESTORS = 4;

/** One line in those columns. */
const ROW = /^ *(\d+) +(\d+) (.{16}) +([\d.]+) +(\d+) +(\d+) ([A-Za-z]) +(.{16}) (.*)$/;

/** One process, as far as a mail shows it. */
interface Row {
  readonly pid: string;
  readonly ppid: string;
  readonly user: string;
  readonly cpuPercent: string;
  readonly rssKib: string;
  readonly ageS: string;
  readonly state: string;
  readonly comm: string;
  readonly args: string;
}

/**
 * The busiest processes, one line each below a heading. Lines that are not understood are left out. Never
 * throws.
 */
export function renderTopProcesses(text: string): readonly string[] {
  const rows = parseRows(text);
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  return [
    "     PID USER             %CPU   RSS KiB    AGE s S COMMAND",
    ...rows.slice(0, SHOWN).map((row) => {
      const { pid, user, cpuPercent, rssKib, ageS, state } = row;
      const columns = [
        pid.padStart(8),
        user.padEnd(14),
        cpuPercent.padStart(6),
        rssKib.padStart(9),
        ageS.padStart(8),
        state,
        commandOf(row),
      ];
      return `${columns.join(" ")}${ancestorsText(row, byPid)}`;
    }),
  ];
}

/** The busiest processes in short: `mysqld (pid 812): 97.3 % of one CPU over its life`. Never throws. */
export function topLines(text: string, count: number): readonly string[] {
  return parseRows(text).slice(0, count).map((row) =>
    `${commandOf(row)} (pid ${row.pid}): ${row.cpuPercent} % of one CPU over its life`
  );
}

/**
 * How many workers each pool of php-fpm has, and how many of them run; empty where php-fpm does not run.
 * Never throws.
 */
export function renderFpmPools(text: string): readonly string[] {
  const pools = new Map<string, { workers: number; running: number; cpuPercent: number }>();
  for (const { args, state, cpuPercent } of parseRows(text)) {
    const name = /^php-fpm: pool (.+?) *$/.exec(args)?.[1];
    if (name === undefined) continue;
    const pool = pools.get(name) ?? { workers: 0, running: 0, cpuPercent: 0 };
    pools.set(name, {
      workers: pool.workers + 1,
      running: pool.running + (state === "R" || state === "D" ? 1 : 0),
      cpuPercent: pool.cpuPercent + Number(cpuPercent),
    });
  }
  return [...pools].map(([name, { workers, running, cpuPercent }]) =>
    `pool ${name}: ${countText(workers, "worker")}, ${running} running or waiting for a disk, ${
      cpuPercent.toFixed(1)
    } % of one CPU`
  );
}

function parseRows(text: string): readonly Row[] {
  const rows: Row[] = [];
  for (const line of text.split("\n")) {
    const [, pid, ppid, user, cpuPercent, rssKib, ageS, state, comm, args] = ROW.exec(line) ?? [];
    if (
      pid === undefined || ppid === undefined || user === undefined || cpuPercent === undefined ||
      rssKib === undefined || ageS === undefined || state === undefined || comm === undefined ||
      args === undefined
    ) continue;
    rows.push({ pid, ppid, user: user.trim(), cpuPercent, rssKib, ageS, state, comm: comm.trimEnd(), args });
  }
  return rows;
}

/** Program, script and role; the comm where there are no arguments, as for a thread of the kernel. */
function commandOf({ comm, args }: Row): string {
  if (args.startsWith("[")) return comm;
  const shown = redactArguments(args.split(" "), (pool) => pool).join(" ");
  return shown === "" ? comm : shown;
}

function ancestorsText(row: Row, byPid: ReadonlyMap<string, Row>): string {
  let text = "";
  let parent = byPid.get(row.ppid);
  for (let count = 0; parent !== undefined && count < ANCESTORS; count++) {
    text += ` < ${parent.comm}`;
    parent = byPid.get(parent.ppid);
  }
  return text;
}
