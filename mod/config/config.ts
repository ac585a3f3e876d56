/** The settings that loadweir runs by: checked, complete, and with the unit in each name. */

import type { PressureConfig } from "./pressure_config.ts";
import type { ProbeConfig } from "./probe_config.ts";

/** Which host conventions apply: `boa` also reads BOA's settings, `auto` does so where they exist. */
export type Profile = "auto" | "generic" | "boa";

/** What the second witness may do: say that nothing wants the CPU, or also keep MAX and CRIT from acting. */
export type WitnessRule = "advise" | "require";

/** What happens at the end of the longest hold: the web is given back, or only an alert is raised. */
export type MaxHoldRule = "resume" | "alert";

/** Who starts the web tier after a pause: loadweir itself, or the watchdogs of the host. */
export type Resumer = "agent" | "watchdog";

/** Which incidents are mailed. */
export type IncidentReport = "OFF" | "CRIT" | "ALL";

/**
 * One complete configuration. Every value is within its range, spiderRatio < maxRatio < critRatio, and what pressure goes
 * by does not contradict itself (pressure_plausibility.ts).
 *
 * Load ratios are per CPU: 6.1 is a load average of 12.2 on two CPUs.
 */
export interface Config extends ProbeConfig, PressureConfig {
  readonly profile: Profile;
  /** Where a proc file system is mounted for reading; undefined is to look for one. */
  readonly procfsPath: string | undefined;
  /** Nice value of the agent itself, -20 to 19. */
  readonly niceness: number;

  /** SPIDER begins above this load per CPU. */
  readonly spiderRatio: number;
  /** MAX begins above this load per CPU. */
  readonly maxRatio: number;
  /** CRIT begins above this load per CPU. */
  readonly critRatio: number;
  /** Backend tasks wait above this load per CPU. */
  readonly taskRatio: number;
  /** The web is given back below this part of maxRatio, more than 0 and less than 1. */
  readonly resumeFraction: number;
  /**
   * A running backup exempts from MAX and CRIT from this share of CPU time spent waiting for the disk, in
   * percent.
   */
  readonly iowaitMinPercent: number;
  /** From one pass to the next. */
  readonly intervalMs: number;
  /** From a pass that tripped a tier to the look that confirms it. */
  readonly recheckMs: number;
  readonly witness: WitnessRule;

  /** How long the web may stay paused; 0 is without end. */
  readonly maxHoldMs: number;
  readonly onMaxHold: MaxHoldRule;
  readonly resumeBy: Resumer;

  /** Programs that are a backup, by exact name. */
  readonly backupEngines: readonly string[];
  /** Scripts that run a backup, by name or by absolute path. */
  readonly backupOrchestrators: readonly string[];
  /** A file that holds the pid of a running backup; undefined is none. */
  readonly backupMarkerPath: string | undefined;

  /** Processes that CRIT ends, by exact name. */
  readonly runawayNames: readonly string[];

  readonly incidentReport: IncidentReport;
  /** Where incidents are mailed to; empty is nowhere. */
  readonly incidentEmail: string;
  /** The log of incidents; undefined is the usual place of the profile. */
  readonly incidentLogPath: string | undefined;
  /** So long after a boot nothing is mailed; 0 is no such time. */
  readonly incidentUptimeGraceMs: number;
  /** Whether a mail also shows processes and CPU figures. */
  readonly incidentAttach: boolean;

  /** How long a hook may run, but for `tasks`. */
  readonly hookDeadlineMs: number;
  /** How long the hook `tasks` may run. */
  readonly tasksDeadlineMs: number;
  /** The hooks `fanout` and `proc-control` run every so many passes; 0 goes by the number of CPUs. */
  readonly fanoutEveryPasses: number;
}

/** The name of one setting inside the program. */
export type ConfigField = keyof Config;
