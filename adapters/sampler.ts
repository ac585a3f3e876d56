/** Takes the samples of the ladder; one implementation for each kind of source. */

import type { Needs } from "../mod/ladder/ladder.ts";
import type { Sample } from "../mod/ladder/sample.ts";
import type { BackupSettings } from "./backup_watch.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import { createKernelCallSampler } from "./kernel_call_sampler.ts";
import type { ProcessReader } from "./process_reader.ts";
import { createProcRootSampler } from "./proc_root_sampler.ts";
import type { Source } from "./source.ts";

/** Takes one sample after another; it remembers the CPU times of the one before. */
export interface Sampler {
  /**
   * Looks at the system now.
   *
   * @param needs What the evaluation needs: the load alone costs two small reads and no fork
   * @returns A sample in which whatever could not be read says so. Never throws
   */
  readonly take: (needs: Needs) => Promise<Sample>;
}

/** What a sampler works with. */
export interface SamplerPorts {
  readonly clock: Clock;
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  readonly backups: BackupSettings;
}

/** The sampler for a source. */
export function createSampler(source: Source, ports: SamplerPorts): Sampler {
  switch (source.kind) {
    case "proc-root":
      return createProcRootSampler(source.root, ports);
    case "kernel-calls":
      return createKernelCallSampler(ports);
  }
}
