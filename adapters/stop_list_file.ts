/** The list of stopped processes on disk: written before any of them is stopped. */

import { messageOf } from "../mod/errors.ts";
import { parseStopList, renderStopList, type StoppedProcess } from "../mod/processes/stop_list.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { STATE_FOLDER } from "../mod/ship/places.ts";
import { removeUnfinished, writeAtomically } from "./atomic_file.ts";
import { removeQuietly } from "./quiet_file.ts";
import type { ProcessIdentity, StopNotes } from "./signal.ts";
import { readTrustedFile } from "./trusted_file.ts";

/** Where the list is; absent while nothing is stopped. */
export const STOP_LIST_PATH = `${STATE_FOLDER}/stopped.json`;

/** The list in memory and on disk. */
export interface StopList extends StopNotes {
  readonly processes: () => readonly StoppedProcess[];
}

/** What a list works with. */
export interface StopListPorts {
  readonly bootId: string;
  /** Milliseconds since boot. */
  readonly nowBootMs: () => number;
  /** Told once what could not be read or written, until it can. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/**
 * Opens the list that an agent before left; whoever does holds the instance lock. One that cannot be read, or is of another
 * boot, names nothing. Never rejects.
 *
 * @param asRoot Whether one that others than root may write is refused; it names what is ended as root
 */
export async function openStopList(
  path: string,
  { bootId, nowBootMs, tellChange }: StopListPorts,
  asRoot: boolean,
): Promise<StopList> {
  removeUnfinished(path);
  let processes = await readProcesses();

  async function readProcesses(): Promise<readonly StoppedProcess[]> {
    const text = await readTrustedFile(path, asRoot);
    if (text.kind === "absent") return [];
    try {
      if (text.kind === "failed") throw new Error(`Cannot read ${path}: ${text.error}`);
      const list = parseStopList(text.value, path);
      return list.bootId === bootId ? list.processes : [];
    } catch (error) {
      tellChange("stopped runaways", `${messageOf(error)}; none of them is looked after`);
      return [];
    }
  }

  function write(next: readonly StoppedProcess[]): Reading<void> {
    if (next.length === 0) {
      removeQuietly(path);
      return ok(undefined);
    }
    const text = renderStopList({ bootId, processes: next });
    const written = writeAtomically(path, text, { durable: false });
    const error = written.kind === "failed" ? written.error : undefined;
    tellChange("list of stopped runaways", error);
    return error === undefined ? ok(undefined) : failed(error);
  }

  function withAdded(
    added: readonly ProcessIdentity[],
    wanted: StoppedProcess["wanted"],
  ): readonly StoppedProcess[] {
    const sinceBootMs = Math.max(0, Math.round(nowBootMs()));
    const entries = added.map(({ pid, startTicks }) => ({ pid, startTicks, wanted, sinceBootMs }));
    return [...without(processes, added), ...entries];
  }

  return {
    processes: () => processes,
    announce(targets: readonly ProcessIdentity[]): Reading<void> {
      const next = withAdded(targets, "end");
      const written = write(next);
      if (written.kind === "ok") processes = next;
      return written;
    },
    noteOthers(others: readonly ProcessIdentity[]): void {
      processes = withAdded(others, "go-on");
      write(processes);
    },
    forget(targets: readonly ProcessIdentity[]): void {
      const next = without(processes, targets);
      if (next.length === processes.length) return;
      processes = next;
      write(processes);
    },
  };
}

function without(
  processes: readonly StoppedProcess[],
  gone: readonly ProcessIdentity[],
): readonly StoppedProcess[] {
  return processes.filter(({ pid, startTicks }) =>
    !gone.some((other) => other.pid === pid && other.startTicks === startTicks)
  );
}
