/** Ends an agent that hangs: it holds the lock of the host, does not answer, and gives nothing back. */

import { messageOf } from "../mod/errors.ts";
import { maybeLockHolder } from "../mod/proc/locks.ts";
import { parsePidStat } from "../mod/proc/pid_stat.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import { endProcesses } from "./signal.ts";
import type { Source } from "./source.ts";

/** What ending takes. */
export interface HungAgentPorts {
  readonly run: RunCommand;
  readonly source: Source;
  readonly clock: Clock;
}

/** What became of it. */
export type HungAgentOutcome =
  | { readonly kind: "ended"; readonly pid: number }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Ends the process that holds a lock, with SIGKILL: it has been asked before. Which one that is the kernel says, not the
 * text of the lock. Never rejects.
 *
 * @param meantPid Who was asked; undefined where that is not known
 */
export async function endHungAgent(
  lockPath: string,
  meantPid: number | undefined,
  { run, source, clock }: HungAgentPorts,
): Promise<HungAgentOutcome> {
  if (source.kind !== "proc-root") {
    return { kind: "refused", why: "there is no proc root that tells who holds the lock" };
  }
  const { root } = source;
  try {
    const { dev, ino } = Deno.statSync(lockPath);
    const pid = maybeLockHolder(Deno.readTextFileSync(`${root}/locks`), { dev, inode: ino ?? -1 });
    if (pid === undefined) return { kind: "refused", why: "nobody holds the lock any more" };
    if (meantPid !== undefined && pid !== meantPid) {
      return { kind: "refused", why: `pid ${pid} holds the lock, and not ${meantPid}, which was asked` };
    }
    const { startTicks } = parsePidStat(Deno.readTextFileSync(`${root}/${pid}/stat`));
    const [ending] = await endProcesses([{ pid, startTicks }], { run, root, clock });
    if (ending === "ended" || ending === "gone") return { kind: "ended", pid };
    return { kind: "refused", why: `pid ${pid} could not be ended: ${ending}` };
  } catch (error) {
    return { kind: "refused", why: messageOf(error) };
  }
}
