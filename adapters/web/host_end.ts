/** Whether the host is being taken down. */

import type { HostFiles } from "../check/host_files.ts";
import type { RunCommand } from "../command.ts";
import { isSystemdHost } from "./service_files.ts";

const SYSTEMCTL = ["/usr/bin/systemctl", "/bin/systemctl"] as const;

const DEADLINE_MS = 5_000;

/**
 * Whether systemd takes the host down: it refuses to start anything then, and whoever waits for that holds the
 * shutdown up. False where it does not say. Never rejects.
 */
export async function isHostGoingDown(run: RunCommand, host: Pick<HostFiles, "exists">): Promise<boolean> {
  const program = SYSTEMCTL.find(host.exists);
  if (!isSystemdHost(host) || program === undefined) return false;
  const { stdout } = await run(program, ["is-system-running"], { deadlineMs: DEADLINE_MS });
  return stdout.trim() === "stopping";
}
