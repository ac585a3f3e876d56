/**
 * Reads the process table of a proc root, as little of it as the question needs.
 *
 * Of each process the `comm` is read, and only where that could concern a pattern its `stat`. Both come out
 * of the kernel's own memory and cannot hang. Command lines can, so only those are read that decide
 * something, by the reader that has deadlines.
 */

import { messageOf } from "../mod/errors.ts";
import { parsePidStat, type PidStat } from "../mod/proc/pid_stat.ts";
import { type BackupPatterns, mayBeBackup, needsCmdline } from "../mod/processes/backup.ts";
import { parseNamespaceDepth } from "../mod/processes/pid_namespace.ts";
import { isLiveProgram, processFromStat, type ProcessTable } from "../mod/processes/process.ts";
import { isUsableRunawayName } from "../mod/processes/runaways.ts";
import { isWebTierName } from "../mod/processes/web_tier.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { type CmdlineReader, createCmdlineReader } from "./cmdline_reader.ts";
import { maybeParsed, maybeText } from "./quiet_file.ts";

/** What is looked for. */
export interface ScanPatterns {
  readonly backups: BackupPatterns;
  /** Exact names of processes that CRIT would end. */
  readonly runaways: readonly string[];
  /** Whether nginx and php-fpm are wanted: a `stat` and a command line more for each of their processes. */
  readonly webTier: boolean;
  /** Exact names of further processes that are wanted; of them the `stat` alone is read. */
  readonly others?: readonly string[];
}

/** How to scan. */
export interface ScanOptions {
  /** A folder laid out like `/proc`. */
  readonly root: string;
  readonly patterns: ScanPatterns;
  /** `everything` reads the `stat` of all processes, and no `comm`. Default: `candidates`. */
  readonly coverage?: ProcessTable["coverage"];
  /** How long one command line may take, where no reader is given. */
  readonly readCmdlineDeadlineMs: number;
  /** Reads the command lines; one that lives over many scans does not get stuck twice on the same process. */
  readonly reader?: CmdlineReader | undefined;
}

/**
 * Scans a proc root once.
 *
 * Processes that end meanwhile, or whose files are empty, cut or unreadable, are skipped and listed; they are
 * no error.
 *
 * @returns Failed when the folder cannot be listed, holds no process, or lets none be read. Never throws
 */
export async function scanProcesses(options: ScanOptions): Promise<Reading<ProcessTable>> {
  const { root, patterns, coverage = "candidates", readCmdlineDeadlineMs } = options;
  let pids: readonly string[];
  try {
    pids = listPids(root);
  } catch (error) {
    return failed(`Cannot list the processes of ${root}: ${messageOf(error)}`);
  }
  if (pids.length === 0) return failed(`Cannot find a process in ${root}: it has no folder named by a pid`);

  const { stats, skippedPids } = coverage === "everything"
    ? readStats(root, pids)
    : readCandidateStats(root, pids, patterns);
  if (skippedPids.length === pids.length) {
    return failed(`Cannot read any of the ${pids.length} processes in ${root}`);
  }
  const selfPid = maybeSelfPid(root);
  if (coverage === "candidates") addLineage(root, stats, selfPid);

  const reader = options.reader ?? createCmdlineReader({ root, deadlineMs: readCmdlineDeadlineMs });
  const { argvByPid, unreadCmdlinePids, gonePids } = await readCmdlines(reader, stats, patterns);
  if (options.reader === undefined) reader.close();

  for (const pid of gonePids) stats.delete(pid);
  const depths = readNamespaceDepths(root, stats, patterns);
  const processes = [...stats.values()]
    .map((stat) => processFromStat(stat, argvByPid.get(stat.pid), depths.get(stat.pid)))
    .sort((a, b) => a.pid - b.pid);
  return ok({
    processes,
    coverage,
    foundCount: pids.length,
    skippedPids: [...skippedPids, ...gonePids].sort((a, b) => a - b),
    unreadCmdlinePids,
    selfPid,
  });
}

/** The `stat` of processes by pid, and the pids of which none could be had. */
interface Stats {
  readonly stats: Map<number, PidStat>;
  readonly skippedPids: readonly number[];
}

/**
 * The names of the process folders. Of what is in a proc root, only these start with a digit; they stay
 * texts, because most are needed for one path and nothing else.
 *
 * @throws What `Deno.readDirSync` throws
 */
function listPids(root: string): readonly string[] {
  const pids: string[] = [];
  for (const { name } of Deno.readDirSync(root)) {
    if (name >= "0" && name < ":") pids.push(name);
  }
  return pids;
}

function readStats(root: string, pids: readonly string[]): Stats {
  const stats = new Map<number, PidStat>();
  const skippedPids: number[] = [];
  for (const pid of pids) {
    const stat = maybeStat(root, pid);
    if (stat === undefined) skippedPids.push(Number(pid));
    else stats.set(stat.pid, stat);
  }
  return { stats, skippedPids };
}

/** Reads the `stat` of processes whose `comm` a pattern could concern; of thousands, mostly a handful. */
function readCandidateStats(root: string, pids: readonly string[], patterns: ScanPatterns): Stats {
  const concerns = remembered((comm) =>
    mayBeBackup(comm, patterns.backups) || isRunawayName(comm, patterns) ||
    (patterns.webTier && isWebTierName(comm)) || (patterns.others ?? []).includes(comm)
  );
  const candidates: string[] = [];
  const skipped: number[] = [];
  for (const pid of pids) {
    const comm = maybeComm(root, pid);
    if (comm === undefined) skipped.push(Number(pid));
    else if (concerns(comm)) candidates.push(pid);
  }
  const { stats, skippedPids } = readStats(root, candidates);
  return { stats, skippedPids: [...skipped, ...skippedPids] };
}

/** Adds ourselves and all ancestors of the processes read, as far as they can be read. */
function addLineage(root: string, stats: Map<number, PidStat>, selfPid: number | undefined): void {
  const missing = [...stats.values()].map(({ ppid }) => ppid);
  if (selfPid !== undefined) missing.push(selfPid);
  for (let pid = missing.pop(); pid !== undefined; pid = missing.pop()) {
    if (pid === 0 || stats.has(pid)) continue;
    const stat = maybeStat(root, `${pid}`);
    if (stat === undefined) continue;
    stats.set(pid, stat);
    missing.push(stat.ppid);
  }
}

/**
 * The command lines that decide something: those read, those not to be had in time, and whose process has
 * ended.
 */
interface Cmdlines {
  readonly argvByPid: ReadonlyMap<number, readonly string[]>;
  readonly unreadCmdlinePids: readonly number[];
  readonly gonePids: readonly number[];
}

async function readCmdlines(
  reader: CmdlineReader,
  stats: ReadonlyMap<number, PidStat>,
  patterns: ScanPatterns,
): Promise<Cmdlines> {
  const decides = remembered((comm) =>
    needsCmdline(comm, patterns.backups) || (patterns.webTier && isWebTierName(comm))
  );
  const argvByPid = new Map<number, readonly string[]>();
  const wanted: PidStat[] = [];
  for (const stat of stats.values()) {
    if (!isLiveProgram(stat)) argvByPid.set(stat.pid, []);
    else if (decides(stat.comm)) wanted.push(stat);
  }
  const readings = await reader.readAll(wanted);
  const unreadCmdlinePids: number[] = [];
  const gonePids: number[] = [];
  for (const [index, { pid }] of wanted.entries()) {
    const reading = readings[index];
    if (reading?.kind === "ok") argvByPid.set(pid, reading.value);
    else if (reading?.kind === "absent") gonePids.push(pid);
    else unreadCmdlinePids.push(pid);
  }
  return { argvByPid, unreadCmdlinePids, gonePids };
}

/** Only where it matters: of the runaways, of what heads a tree of the web tier, and of the further names. */
function readNamespaceDepths(
  root: string,
  stats: ReadonlyMap<number, PidStat>,
  patterns: ScanPatterns,
): ReadonlyMap<number, number> {
  const headsWebTier = ({ comm, ppid }: PidStat): boolean =>
    isWebTierName(comm) && !isWebTierName(stats.get(ppid)?.comm ?? "");
  const depths = new Map<number, number>();
  for (const stat of stats.values()) {
    const isWanted = isRunawayName(stat.comm, patterns) || (patterns.webTier && headsWebTier(stat)) ||
      (patterns.others ?? []).includes(stat.comm);
    if (!isWanted) continue;
    const status = maybeText(`${root}/${stat.pid}/status`);
    const depth = status === undefined ? undefined : parseNamespaceDepth(status);
    if (depth !== undefined) depths.set(stat.pid, depth);
  }
  return depths;
}

function isRunawayName(comm: string, { runaways }: ScanPatterns): boolean {
  return runaways.includes(comm) && isUsableRunawayName(comm);
}

/** Answers a question about a name once: thousands of processes share a few dozen names. */
function remembered(ask: (comm: string) => boolean): (comm: string) => boolean {
  const answers = new Map<string, boolean>();
  return (comm) => {
    let answer = answers.get(comm);
    if (answer === undefined) answers.set(comm, answer = ask(comm));
    return answer;
  };
}

/** The name of a process without the line end that the kernel adds; a name may hold further ones. */
function maybeComm(root: string, pid: string): string | undefined {
  const text = maybeText(`${root}/${pid}/comm`);
  return text === undefined || text === "" ? undefined : text.slice(0, -1);
}

/** The `stat` of a process that is still there and whole. */
function maybeStat(root: string, pid: string): PidStat | undefined {
  const stat = maybeParsed(`${root}/${pid}/stat`, parsePidStat);
  return stat?.pid === Number(pid) ? stat : undefined;
}

/**
 * Our pid as this proc root counts; a recording does not have the link, a table of others does not have us.
 */
function maybeSelfPid(root: string): number | undefined {
  try {
    const pid = Number(Deno.readLinkSync(`${root}/self`));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
