/** Writes recordings: a trace that grows line by line. */

import { recordOfSample } from "../mod/recording/record_of_sample.ts";
import type { Clock } from "./clock.ts";
import type { Sampler } from "./sampler.ts";

/** Where recordings are kept; the one folder that a recording may be written to. */
export const RECORDINGS = "/var/lib/loadweir/recordings";

/** What is recorded, and how. */
export interface RecordingOptions {
  /** Folder to make; it must not be there yet. */
  readonly folder: string;
  /** Time between two samples. */
  readonly everyMs: number;
  /** Length of the recording. */
  readonly forMs: number;
  /** Ends it early; what was written stays. */
  readonly signal: AbortSignal;
  /** Told after each sample. */
  readonly progress: (samples: number, leftMs: number) => void;
}

/** What a recording came to. */
export interface Recording {
  readonly samples: number;
  readonly tracePath: string;
}

/**
 * Records samples until the time is over.
 *
 * @throws {Deno.errors.AlreadyExists} If there is a recording in this folder
 */
export async function recordSamples(
  clock: Clock,
  sampler: Sampler,
  { folder, everyMs, forMs, signal, progress }: RecordingOptions,
): Promise<Recording> {
  const tracePath = `${folder}/trace.jsonl`;
  using trace = Deno.openSync(tracePath, { write: true, createNew: true });
  const encoder = new TextEncoder();
  const startMs = clock.monotonicMs();
  let samples = 0;
  let dueMs = startMs;
  while (!signal.aborted && dueMs - startMs <= forMs) {
    const sample = await sampler.take("gate");
    trace.writeSync(encoder.encode(`${JSON.stringify(recordOfSample(sample, startMs))}\n`));
    samples += 1;
    progress(samples, Math.max(0, startMs + forMs - clock.monotonicMs()));
    dueMs += everyMs;
    if (dueMs - startMs <= forMs) await clock.sleep(dueMs - clock.monotonicMs(), signal);
  }
  return { samples, tracePath };
}
