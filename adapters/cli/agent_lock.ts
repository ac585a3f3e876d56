/** The lock that lets one agent at a time hold this host. */

import { messageOf } from "../../mod/errors.ts";
import { timestamp } from "../../mod/report/timestamp.ts";
import { STATE_FOLDER } from "../../mod/ship/places.ts";
import { type InstanceLock, LOCK_PATH, type LockHolder, waitForLock } from "../instance_lock.ts";
import type { Host } from "./host.ts";

/** How long a lock is waited for that somebody holds. */
const HELD_DEADLINE_MS = 1_000;

/**
 * How long one is waited for whose holder has ended. An agent that was killed while it started a program leaves the lock to that
 * until the program is there: milliseconds, and seconds where everybody waits for a CPU.
 */
const LEFT_DEADLINE_MS = 20_000;

/** Thrown when another agent runs, or the lock cannot be had. */
export class LockError extends Error {
  override readonly name = "LockError";
}

/**
 * Takes the lock of the one agent of this host.
 *
 * @throws {LockError} If somebody else has it, with who that is
 */
export async function takeLock(
  what: string,
  { clock, processes }: Pick<Host, "clock" | "processes">,
): Promise<InstanceLock> {
  try {
    Deno.mkdirSync(STATE_FOLDER, { recursive: true, mode: 0o755 });
  } catch (error) {
    throw new LockError(`Cannot make ${STATE_FOLDER}: ${messageOf(error)}`);
  }
  let result = await waitForLock(LOCK_PATH, what, { clock, deadlineMs: HELD_DEADLINE_MS });
  if (result.kind === "held" && result.heldBy !== undefined && !await processes.isAlive(result.heldBy.pid)) {
    const { pid } = result.heldBy;
    result = await waitForLock(LOCK_PATH, what, { clock, deadlineMs: LEFT_DEADLINE_MS });
    if (result.kind === "held" && result.heldBy?.pid === pid) {
      throw new LockError(
        `pid ${pid}, an agent, has ended, and a program that it started holds ${LOCK_PATH} still; see lslocks, and end it`,
      );
    }
  }
  switch (result.kind) {
    case "taken":
      return result.lock;
    case "held":
      throw new LockError(`another agent runs: ${holderText(result.heldBy)}`);
    case "failed":
      throw new LockError(result.error);
  }
}

function holderText(holder: LockHolder | undefined): string {
  return holder === undefined
    ? "who it is could not be read"
    : `pid ${holder.pid}, \`loadweir ${holder.what}\` since ${timestamp(holder.startedWallMs)}`;
}
