/**
 * One at a time may change the configuration of nginx and reload it, and whoever comes after one that was
 * killed in between finishes its work: the lock file says whether nginx may still run an older configuration.
 */

import { messageOf } from "../../mod/errors.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";

/** Where the agent and verbs by hand meet. In `/run`: after a boot nginx has read the files as they are. */
export const NGINX_LOCK_PATH = "/run/loadweir/state/nginx.lock";

/** A lock that is held. */
export interface NginxLock {
  /** Whether nginx may run another configuration than the files say. */
  readonly isReloadDue: () => boolean;
  /** Writes that down. Failed when it cannot be written; never throws. */
  readonly setReloadDue: (isDue: boolean) => Reading<void>;
  readonly release: () => void;
}

/**
 * What the file holds. Both of one length and written over each other, so that a full disk is no obstacle
 * once the file is there, and no instant has half of one.
 */
const DUE = "reload due\n";
const SETTLED = "settled   \n";

const POLL_MS = 50;

/** Takes the lock, waiting for whoever has it. Failed when it cannot be had in time; never rejects. */
export async function acquireNginxLock(
  path: string,
  clock: Clock,
  deadlineMs: number,
): Promise<Reading<NginxLock>> {
  let file: Deno.FsFile;
  try {
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o755 });
    file = Deno.openSync(path, { read: true, write: true, create: true, mode: 0o600 });
  } catch (error) {
    return failed(`Cannot open ${path}: ${messageOf(error)}`);
  }
  try {
    const endMs = clock.monotonicMs() + deadlineMs;
    while (!await file.tryLock(true)) {
      if (clock.monotonicMs() >= endMs) {
        file.close();
        return failed(`Cannot lock ${path}: another process has held it for ${deadlineMs} ms`);
      }
      await clock.sleep(POLL_MS);
    }
    return ok(lockOf(file, path));
  } catch (error) {
    file.close();
    return failed(`Cannot lock ${path}: ${messageOf(error)}`);
  }
}

/** Whether a reload is due, asked without the lock: what is under way just now may answer either. */
export function isNginxReloadDue(path: string): boolean {
  try {
    return Deno.readTextFileSync(path) === DUE;
  } catch (error) {
    // Nobody has ever locked it; what cannot be read is looked at again with the lock.
    return !(error instanceof Deno.errors.NotFound);
  }
}

function lockOf(file: Deno.FsFile, path: string): NginxLock {
  return {
    isReloadDue: () => isNginxReloadDue(path),
    setReloadDue(isDue: boolean): Reading<void> {
      try {
        file.seekSync(0, Deno.SeekMode.Start);
        file.writeSync(new TextEncoder().encode(isDue ? DUE : SETTLED));
        return ok(undefined);
      } catch (error) {
        return failed(`Cannot write ${path}: ${messageOf(error)}`);
      }
    },
    // The kernel unlocks a file that is closed, also that of a process that was killed.
    release: () => file.close(),
  };
}
