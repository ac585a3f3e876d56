/**
 * Switches the crawler block: renames its file, reloads nginx, and makes sure that nginx has taken it.
 *
 * What cannot be proved is undone. Killed at any instant, it leaves a file name that nginx accepts or that
 * the next call puts right, and a note that nginx may not know of it yet.
 */

import { messageOf } from "../mod/errors.ts";
import { CRAWLER_BLOCKS, type CrawlerBlockPaths } from "../mod/nginx/crawler_block.ts";
import { whyMissing } from "../mod/reading.ts";
import {
  type BlockState,
  describeState,
  maybeRenameProblem,
  readCrawlerBlock,
  whyDistrusted,
} from "./nginx/block_files.ts";
import { acquireNginxLock, isNginxReloadDue, NGINX_LOCK_PATH, type NginxLock } from "./nginx/nginx_lock.ts";
import { findOurNginx, NGINX_PROGRAM, type NginxPorts, type OurNginx } from "./nginx/our_nginx.ts";
import { reloadNginx, whyNoReload } from "./nginx/reload.ts";
import { maybeConfigProblem } from "./nginx/test_config.ts";

export { type BlockState, isOurs, readCrawlerBlock } from "./nginx/block_files.ts";

/** What switching the block takes. */
export type CrawlerBlockPorts = NginxPorts;

/**
 * Why the block was not switched. A closed list, so that failures can be counted:
 * - `absent`, `both`, `unreadable`: the state of its files
 * - `distrusted`: somebody else than root could have written the file
 * - `locked`: another process is at it
 * - `nginx-unknown`: whether nginx runs, or which one is the host's, cannot be told
 * - `no-reload`: there is no way to reload nginx here
 * - `not-renamed`: the file could not be renamed
 * - `config-refused`: `nginx -t` found a mistake
 * - `reload-not-sent`, `reload-not-taken`: nginx goes on with the configuration that it had
 * - `unexpected`: a fault of this program
 */
export type BlockFailure =
  | "absent"
  | "both"
  | "unreadable"
  | "distrusted"
  | "locked"
  | "nginx-unknown"
  | "no-reload"
  | "not-renamed"
  | "config-refused"
  | "reload-not-sent"
  | "reload-not-taken"
  | "unexpected";

/**
 * What became of a switch:
 * - `unchanged`: it was so already, nothing was done
 * - `switched`: nginx has taken it
 * - `renamed`: nginx does not run, and will read the right file when it starts
 * - `failed`: `failure` and `text` say why; the file has the name that it had, unless `text` says otherwise
 */
export interface BlockOutcome {
  readonly kind: "unchanged" | "switched" | "renamed" | "failed";
  readonly failure: BlockFailure | undefined;
  /** Which file is there now. */
  readonly state: BlockState;
  /** One line for people. */
  readonly text: string;
  /** Monotonic time of the last reload of this call; undefined when there was none. */
  readonly reloadedAtMs: number | undefined;
}

/** How the block is switched. */
export interface BlockOptions {
  /** Default: those of the profile. */
  readonly paths?: CrawlerBlockPaths;
  readonly lockPath?: string;
  /** How long nginx is watched for a proof. Default: 15 s. */
  readonly proofDeadlineMs?: number;
}

/** Longer than a whole switch with its way back takes when nothing hangs. */
const LOCK_DEADLINE_MS = 20_000;

/** Switches the block on or off. Does nothing when it is so already. Never rejects. */
export async function setCrawlerBlock(
  wanted: "on" | "off",
  profile: "generic" | "boa",
  ports: CrawlerBlockPorts,
  options: BlockOptions = {},
): Promise<BlockOutcome> {
  const { paths = CRAWLER_BLOCKS[profile], lockPath = NGINX_LOCK_PATH, proofDeadlineMs } = options;
  const task = { wanted, profile, paths, ports, proofDeadlineMs };
  try {
    if (readCrawlerBlock(profile, paths) === wanted && !isNginxReloadDue(lockPath)) return unchanged(task);
    const lock = await acquireNginxLock(lockPath, ports.clock, LOCK_DEADLINE_MS);
    if (lock.kind !== "ok") return failure(task, "locked", whyMissing(lock) ?? "");
    try {
      return await switchLocked(task, lock.value);
    } finally {
      lock.value.release();
    }
  } catch (error) {
    return failure(task, "unexpected", messageOf(error));
  }
}

/** What is to be done. */
interface Task {
  readonly wanted: "on" | "off";
  readonly profile: "generic" | "boa";
  readonly paths: CrawlerBlockPaths;
  readonly ports: CrawlerBlockPorts;
  readonly proofDeadlineMs: number | undefined;
}

async function switchLocked(task: Task, lock: NginxLock): Promise<BlockOutcome> {
  const { wanted, profile, paths, ports } = task;
  const state = readCrawlerBlock(profile, paths);
  if (state !== "on" && state !== "off") return failure(task, state, describeState(state, paths));
  const isReloadDue = lock.isReloadDue();
  if (state === wanted && !isReloadDue) return unchanged(task);
  const distrust = whyDistrusted(paths[state], paths);
  if (distrust !== undefined) return failure(task, "distrusted", distrust);
  const nginx = await findOurNginx(ports);
  const obstacle = obstacleOf(nginx, ports);
  if (obstacle !== undefined) return failure(task, ...obstacle);
  // Written before the first effect: whoever finds it reloads, also when the file has the right name.
  const note = lock.setReloadDue(true);
  const remark = note.kind === "ok" ? "" : `; ${whyMissing(note)}`;
  if (state !== wanted) {
    const problem = maybeRenameProblem(paths[state], paths[wanted]);
    if (problem !== undefined) {
      if (!isReloadDue) lock.setReloadDue(false);
      return failure(task, "not-renamed", `${problem}${remark}`);
    }
  }
  const outcome = await makeTaken({ ...task, wasDue: isReloadDue, isRenamed: state !== wanted }, nginx, lock);
  return { ...outcome, text: `${outcome.text}${remark}` };
}

/** A task whose file has the wanted name. */
interface RenamedTask extends Task {
  /** Whether nginx may have run another configuration before. */
  readonly wasDue: boolean;
  /** Whether this call has renamed the file; an earlier one did otherwise, and was killed. */
  readonly isRenamed: boolean;
}

async function makeTaken(task: RenamedTask, before: OurNginx, lock: NginxLock): Promise<BlockOutcome> {
  const { wanted, ports, wasDue } = task;
  // A file that is gone breaks no start; one that is new could keep nginx down when the web is given back.
  if (before.kind === "running" || wanted === "on") {
    const { program, confPath } = before.kind === "running"
      ? before.nginx
      : { program: NGINX_PROGRAM, confPath: undefined };
    const problem = await maybeConfigProblem(program, confPath, ports.run);
    if (problem !== undefined) {
      const back = renameBack(task);
      if (!wasDue && back.isDone) lock.setReloadDue(false);
      return failure(task, "config-refused", `${problem}; ${back.text}`);
    }
  }
  // Somebody may have started or stopped it meanwhile.
  const now = await findOurNginx(ports);
  if (now.kind === "stopped") {
    lock.setReloadDue(false);
    return {
      ...unchanged(task),
      kind: "renamed",
      text: `crawler block ${wanted} by name: no nginx of this host runs, and it reads it at its start`,
    };
  }
  const obstacle = obstacleOf(now, ports);
  if (now.kind === "unknown" || obstacle !== undefined) {
    const [code = "nginx-unknown", why = ""] = obstacle ?? [];
    return failure(task, code, `${why}; ${renameBack(task).text}`);
  }
  const sentMs = ports.clock.monotonicMs();
  const reload = await reloadNginx(now.nginx, ports, task.proofDeadlineMs);
  if (reload.kind === "taken") {
    lock.setReloadDue(false);
    const text = `crawler block ${wanted}: ${reload.text}`;
    return { ...unchanged(task), kind: "switched", text, reloadedAtMs: sentMs };
  }
  const back = renameBack(task);
  if (reload.kind === "not-sent") return failure(task, "reload-not-sent", `${reload.text}; ${back.text}`);
  // nginx may have taken it after all, only too late to be seen.
  const againMs = ports.clock.monotonicMs();
  const again = await reloadNginx(now.nginx, ports, task.proofDeadlineMs);
  const isSettled = again.kind === "taken" || (!wasDue && reload.servesAsBefore && again.servesAsBefore);
  if (isSettled && back.isDone) lock.setReloadDue(false);
  return {
    ...failure(
      task,
      "reload-not-taken",
      `nginx did not take the reload: ${reload.text}; ${back.text}, ${describeAgain(again.kind, isSettled)}`,
    ),
    reloadedAtMs: againMs,
  };
}

function describeAgain(kind: "taken" | "not-sent" | "not-taken", isSettled: boolean): string {
  if (kind === "taken") return "reloaded again";
  return isSettled ? "nginx serves as before" : "the next reload failed too";
}

/** What keeps nginx from being reloaded; undefined when nothing does. */
function obstacleOf(nginx: OurNginx, ports: CrawlerBlockPorts): [BlockFailure, string] | undefined {
  if (nginx.kind === "unknown") return ["nginx-unknown", nginx.why];
  const why = nginx.kind === "running" ? whyNoReload(nginx.nginx, ports) : undefined;
  return why === undefined ? undefined : ["no-reload", why];
}

/**
 * Gives the file the other name again. One that an earlier call switched on, and nobody has proved since,
 * goes off; one that it switched off stays so, because nginx is never worse without it.
 */
function renameBack({ wanted, paths, isRenamed }: RenamedTask): { isDone: boolean; text: string } {
  const other = wanted === "on" ? "off" : "on";
  if (!isRenamed && wanted === "off") return { isDone: true, text: `${paths.off} stays` };
  const problem = maybeRenameProblem(paths[wanted], paths[other]);
  return problem === undefined
    ? { isDone: true, text: `${paths[other]} restored` }
    : { isDone: false, text: problem };
}

function unchanged({ wanted, profile, paths }: Task): BlockOutcome {
  return {
    kind: "unchanged",
    failure: undefined,
    state: readCrawlerBlock(profile, paths),
    text: `crawler block ${wanted} already`,
    reloadedAtMs: undefined,
  };
}

function failure(task: Task, code: BlockFailure, why: string): BlockOutcome {
  return {
    ...unchanged(task),
    kind: "failed",
    failure: code,
    text: `Cannot switch the crawler block ${task.wanted}: ${why}`,
  };
}
