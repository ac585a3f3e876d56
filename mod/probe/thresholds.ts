/** From where on a check warns, and from where on it may take the host out. */

/** Two levels of one figure, both to be gone over. */
export interface Levels {
  readonly warn: number;
  readonly drain: number;
}

/** Levels of every check that compares a figure. Percentages are 0 to 100. */
export interface ProbeThresholds {
  /** Open files of the system, of those there may be. As the rules of node_exporter. */
  readonly systemFilesPercent: Levels;
  /** Open files of a server, of its own soft limit. 95 as netdata, which clears at 85. */
  readonly processFilesPercent: Levels;
  /** Connections without a process, of those there may be. The kernel counts one up to four times. */
  readonly tcpOrphansPercent: Levels;
  /** Connections lost in full queues, a second, over a minute. As netdata. */
  readonly listenOverflowsPerS: Levels;
  /** Entries in the table of connections, of those there may be. */
  readonly conntrackPercent: Levels;
  /** Answers with a status of 500 and higher, of all answers. */
  readonly serverErrorsPercent: Levels;
}

/** Levels where nobody configured any. */
export const DEFAULT_THRESHOLDS: ProbeThresholds = {
  systemFilesPercent: { warn: 70, drain: 90 },
  processFilesPercent: { warn: 85, drain: 95 },
  tcpOrphansPercent: { warn: 25, drain: 50 },
  listenOverflowsPerS: { warn: 1, drain: 5 },
  conntrackPercent: { warn: 75, drain: 95 },
  serverErrorsPercent: { warn: 5, drain: 50 },
};
