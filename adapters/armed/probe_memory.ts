/** What the probe leaves to the next agent, on disk. */

import {
  parseInMemory,
  parseProvenSites,
  renderInMemory,
  renderProvenSites,
  stateFrom,
} from "../../mod/probe/memory.ts";
import type { ProbeState } from "../../mod/probe/state.ts";
import { describeFileError, writeAtomically, writeInBackground } from "../atomic_file.ts";
import { maybeKept } from "../kept_file.ts";
import { removeQuietly } from "../quiet_file.ts";

/** Where the two files are: that of this boot, and that which outlives it, in a folder of its own. */
export const PROBE_MEMORY_PATHS = {
  standing: "/run/loadweir/state/probe.json",
  proven: "/var/lib/loadweir/probe/proven.json",
} as const;

/** The memory of the probe. Nothing here throws. */
export interface ProbeMemory {
  /** What an agent before has left. */
  readonly recall: () => ProbeState;
  /** Keeps what the next agent is to know. A disk that is slow or full holds nobody up. */
  readonly keep: (state: ProbeState) => void;
}

/**
 * Opens the memory of one boot.
 *
 * @param report Told what could not be read or kept; undefined once it could again
 */
export function openProbeMemory(
  { bootId, bootMs, report, paths = PROBE_MEMORY_PATHS }: {
    readonly bootId: string;
    /** Milliseconds since boot. */
    readonly bootMs: () => number;
    readonly report: (problem: string | undefined) => void;
    readonly paths?: Readonly<Record<keyof typeof PROBE_MEMORY_PATHS, string>>;
  },
): ProbeMemory {
  let kept: ReadonlySet<string> | undefined;
  /** One write at a time: they share the name of the new file. */
  let isKeeping = false;
  const problems = new Map<string, string | undefined>();

  /** Each file is mended on its own: one that can be written hides nothing of the other. */
  function note(path: string, problem: string | undefined): void {
    problems.set(path, problem);
    report([...problems.values()].find((one) => one !== undefined));
  }

  function read<T>(path: string, parse: (text: string, source: string) => T): T | undefined {
    return maybeKept(path, parse, (problem) => note(path, problem));
  }

  /** What was not kept is tried again with the next state. */
  async function keepProven(sites: ReadonlySet<string>): Promise<void> {
    if (isKeeping) return;
    isKeeping = true;
    const problem = await maybeNotKept(sites);
    isKeeping = false;
    if (problem === undefined) kept = sites;
    note(paths.proven, problem);
  }

  async function maybeNotKept(sites: ReadonlySet<string>): Promise<string | undefined> {
    const folder = paths.proven.slice(0, paths.proven.lastIndexOf("/"));
    try {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      return `Cannot make ${folder}: ${describeFileError(error, folder)}`;
    }
    const outcome = await writeInBackground(paths.proven, renderProvenSites(sites));
    return outcome.kind === "failed" ? outcome.error : undefined;
  }

  return {
    recall(): ProbeState {
      kept = read(paths.proven, parseProvenSites) ?? new Set();
      return stateFrom(read(paths.standing, parseInMemory), kept, bootId, bootMs());
    },
    keep({ standing, provenSites }: ProbeState): void {
      if (kept === undefined || !isSame(kept, provenSites)) void keepProven(provenSites);
      if (standing?.phase !== "in") {
        removeQuietly(paths.standing);
        return;
      }
      // Lost with the host: it would be of another boot.
      const text = renderInMemory({ bootId, inAtBootMs: Math.round(bootMs()) });
      const outcome = writeAtomically(paths.standing, text, { durable: false });
      note(paths.standing, outcome.kind === "failed" ? outcome.error : undefined);
    },
  };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((key) => other.has(key));
}
