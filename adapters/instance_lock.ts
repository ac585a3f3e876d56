/**
 * One running agent: whoever may change the host holds this lock.
 *
 * The kernel keeps it and lets go of it when its holder ends, however that happens, so a dead holder never
 * keeps it. What the file says is for people: who holds the lock, not whether it is held.
 *
 *     {"pid":4120,"startedWallMs":1796155865000,"what":"run"}
 *
 * @see https://man7.org/linux/man-pages/man2/flock.2.html
 */

import { parseJsonObject } from "../mod/json_object.ts";
import { describeFileError } from "./atomic_file.ts";
import type { Clock } from "./clock.ts";

/** Where the lock is. The file stays there: one that is removed could be locked twice. */
export const LOCK_PATH = "/run/loadweir/state/lock";

/** Who holds the lock. */
export interface LockHolder {
  readonly pid: number;
  readonly startedWallMs: number;
  /** What it does, as the verb that a person gave, and whether it takes requests no more: `run`, `run, ending`. */
  readonly what: string;
}

/** A lock that is held until it is closed or its process ends. */
export interface InstanceLock extends Disposable {
  /** Writes down that its holder takes no requests any more, and lets go of it when it has given back. */
  readonly noteEnding: () => void;
  /** Lets go of it; a second time does nothing. */
  readonly close: () => void;
}

/** What became of an attempt. */
export type LockResult =
  | { readonly kind: "taken"; readonly lock: InstanceLock }
  /** Somebody else has it; undefined is somebody who could not write down who. */
  | { readonly kind: "held"; readonly heldBy: LockHolder | undefined }
  /** The file cannot be opened or locked: nobody can hold the lock here. */
  | { readonly kind: "failed"; readonly error: string };

/** How long to wait for a lock. */
export interface LockWait {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Ends the waiting early. */
  readonly signal?: AbortSignal;
}

/** From one attempt to the next. A verb by hand holds the lock for seconds. */
const POLL_MS = 100;

const ENDING = ", ending";

const KEYS = ["pid", "startedWallMs", "what"];

/**
 * Takes the lock if nobody has it. Never rejects.
 *
 * @param what What it is taken for, as others are told
 */
export async function acquireLock(path: string, what: string, clock: Clock): Promise<LockResult> {
  let file: Deno.FsFile | undefined;
  try {
    file = await openLockFile(path);
    if (await file.tryLock(true)) {
      const holder = { pid: Deno.pid, startedWallMs: clock.wallMs(), what };
      writeHolder(file, holder);
      return { kind: "taken", lock: lockOf(file, holder) };
    }
    file.close();
    return { kind: "held", heldBy: maybeHolder(path) };
  } catch (error) {
    file?.close();
    return { kind: "failed", error: `Cannot lock ${path}: ${describeFileError(error, path)}` };
  }
}

/**
 * Whoever can open the file can lock it, so that is for root alone. One that is there is locked as well where nothing can be
 * written: what is held has to be given back there too.
 */
async function openLockFile(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EROFS")) throw error;
    return await Deno.open(path, { read: true });
  }
}

/** Takes the lock as soon as nobody has it, or gives up at the deadline. Never rejects. */
export async function waitForLock(
  path: string,
  what: string,
  { clock, deadlineMs, signal }: LockWait,
): Promise<LockResult> {
  const endMs = clock.monotonicMs() + deadlineMs;
  while (true) {
    const result = await acquireLock(path, what, clock);
    const leftMs = endMs - clock.monotonicMs();
    if (result.kind !== "held" || leftMs <= 0 || signal?.aborted) return result;
    await clock.sleep(Math.min(POLL_MS, leftMs), signal);
  }
}

/** Whether a holder takes what people ask for; true where nobody knows. */
export function takesRequests(holder: LockHolder | undefined): boolean {
  return holder === undefined || holder.what === "run" || holder.what === "enforce";
}

/** A full disk keeps nobody from holding the lock, only others from reading who it is. */
function writeHolder(file: Deno.FsFile, { pid, startedWallMs, what }: LockHolder): void {
  try {
    file.truncateSync(0);
    file.seekSync(0, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(`${JSON.stringify({ pid, startedWallMs, what })}\n`));
  } catch {
    // Told as a holder that is not known.
  }
}

function maybeHolder(path: string): LockHolder | undefined {
  try {
    const holder = parseJsonObject(Deno.readTextFileSync(path), path, KEYS);
    return {
      pid: holder.count("pid"),
      startedWallMs: holder.count("startedWallMs"),
      what: holder.text("what"),
    };
  } catch {
    return undefined;
  }
}

function lockOf(file: Deno.FsFile, holder: LockHolder): InstanceLock {
  let isOpen = true;
  function noteEnding(): void {
    if (isOpen) writeHolder(file, { ...holder, what: `${holder.what}${ENDING}` });
  }
  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    try {
      // A program that is being started this very moment still has the file open, and with it the lock.
      file.unlockSync();
    } catch {
      // Closing lets go of it as well, a little later.
    }
    file.close();
  }
  return { noteEnding, close, [Symbol.dispose]: close };
}
