/** One at a time of those who silence sets a switch or reloads ufw. */

import { messageOf } from "../../mod/errors.ts";
import type { Clock } from "../clock.ts";
import { waitForLock } from "../instance_lock.ts";
import { CLAIMS_FOLDER } from "./claims_file.ts";
import type { PingLock } from "./mechanism.ts";

const LOCK_PATH = `${CLAIMS_FOLDER}/pings.lock`;

/** Takes the lock, and makes its folder where there is none. Never rejects. */
export async function takePingLock(what: string, clock: Clock, deadlineMs: number): Promise<PingLock> {
  try {
    Deno.mkdirSync(CLAIMS_FOLDER, { recursive: true, mode: 0o755 });
  } catch (error) {
    return { kind: "failed", error: `Cannot make ${CLAIMS_FOLDER}: ${messageOf(error)}` };
  }
  const result = await waitForLock(LOCK_PATH, what, { clock, deadlineMs });
  switch (result.kind) {
    case "taken":
      return { kind: "taken", close: result.lock.close };
    case "held":
      return {
        kind: "failed",
        error: `Cannot lock ${LOCK_PATH}: another process has held it for ${deadlineMs} ms`,
      };
    case "failed":
      return { kind: "failed", error: result.error };
  }
}
