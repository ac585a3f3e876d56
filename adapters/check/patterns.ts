/** Looks at which live processes each pattern matches now. */

import type { MatchFinding, PatternFinding, PatternsFinding } from "../../mod/check/findings.ts";
import type { Config } from "../../mod/config/config.ts";
import { type Backup, findBackups } from "../../mod/processes/backup.ts";
import type { ProcessInfo, ProcessTable } from "../../mod/processes/process.ts";
import { findRunaways } from "../../mod/processes/runaways.ts";
import { excludeProtected } from "../../mod/processes/spared.ts";
import { redactArguments } from "../../mod/recording/redact.ts";

/**
 * Holds the patterns of a configuration against a process table. Never throws.
 *
 * @param runningBackups What the sampler calls running, the marker's process included
 */
export function lookAtPatterns(
  { processes, selfPid }: ProcessTable,
  config: Config,
  runningBackups: readonly string[],
): PatternsFinding {
  const patterns = { engines: config.backupEngines, orchestrators: config.backupOrchestrators };
  const { running, undecided } = findBackups(processes, patterns);
  const runaways = findRunaways(processes, config.runawayNames);
  const { spared } = excludeProtected(runaways, { table: processes, selfPid, backups: running });
  const reasons = new Map(spared.map(({ process, reason }) => [process.pid, reason]));
  const { backupMarkerPath: path } = config;
  return {
    backups: [...patterns.engines, ...patterns.orchestrators].map((pattern) =>
      backupFinding(pattern, running)
    ),
    runaways: config.runawayNames.map((pattern) => ({
      pattern,
      matches: runaways.filter(({ comm }) => comm === pattern)
        .map((process) => matchOf(process, reasons.get(process.pid))),
    })),
    undecidedPids: undecided.map(({ pid }) => pid),
    marker: path === undefined
      ? undefined
      : { path, running: runningBackups.some((name) => name.startsWith(`${path} (`)) },
  };
}

function backupFinding(pattern: string, running: readonly Backup[]): PatternFinding {
  const matches = running.filter((backup) => backup.pattern === pattern);
  return { pattern, matches: matches.map(({ process }) => matchOf(process, undefined)) };
}

function matchOf({ pid, comm, argv }: ProcessInfo, spared: string | undefined): MatchFinding {
  const words = redactArguments(argv ?? [], (pool) => pool);
  return { pid, program: words.length === 0 ? comm : words.join(" "), spared };
}
