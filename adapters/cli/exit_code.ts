/** What the process ends with; the same numbers mean the same for every verb. */
export const EXIT = {
  /** Yes, or all is well. */
  ok: 0,
  /** No, or it failed. */
  failed: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Not now: try again later, as sysexits.h has it (EX_TEMPFAIL). */
  tryLater: 75,
  /** This host cannot be guarded. */
  unsuitable: 3,
} as const;

/** One of the exit codes. */
export type ExitCode = typeof EXIT[keyof typeof EXIT];

/** What each of them means, for people. */
export const EXIT_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, "yes, or all is well"],
  [EXIT.failed, "no, or it failed"],
  [EXIT.usage, "command line or configuration is wrong"],
  [EXIT.unsuitable, "this host cannot be guarded"],
  [EXIT.tryLater, "not now, try again later"],
];
