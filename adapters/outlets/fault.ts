/** A fault that comes and goes with each connection: told when it begins, and as over once it has stayed away. */

import type { Clock } from "../clock.ts";

/** One such fault. */
export interface Fault {
  /** It is there. */
  readonly happened: (line: string) => void;
  /** It was not there this time. */
  readonly passed: () => void;
}

/** @param calmMs How long it has to stay away until it is over: whoever causes it shall not fill the log */
export function watchFault(
  subject: string,
  calmMs: number,
  { clock, tellChange }: {
    readonly clock: Clock;
    readonly tellChange: (subject: string, line: string | undefined) => void;
  },
): Fault {
  let lastMs: number | undefined;
  return {
    happened(line): void {
      lastMs = clock.monotonicMs();
      tellChange(subject, line);
    },
    passed(): void {
      if (lastMs === undefined || clock.monotonicMs() - lastMs < calmMs) return;
      lastMs = undefined;
      tellChange(subject, undefined);
    },
  };
}
