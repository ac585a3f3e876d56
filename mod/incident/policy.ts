/**
 * Whether an incident is mailed, and if not, why.
 *
 * The levels are those of BOA's second.sh. INFO is never mailed, so that CRIT and ALL come to the same here;
 * OFF mails nothing. While a host has just booted or is being upgraded it is busy, and nobody wants to be
 * told.
 */

import type { Config } from "../config/config.ts";
import { durationText } from "../report/duration.ts";

/** What of the configuration decides. */
export type MailPolicy = Pick<Config, "incidentReport" | "incidentEmail" | "incidentUptimeGraceMs">;

/** What of the host decides. */
export interface HostCalm {
  /** Since the boot; undefined where it could not be read, which holds nothing back. */
  readonly uptimeMs: number | undefined;
  /** What else is going on, such as an upgrade: one reason each, in words. */
  readonly busyWith: readonly string[];
}

/**
 * A file whose presence, or absence, on a BOA host says that it has not settled.
 *
 * lfd is csf's daemon, which BOA starts last of all.
 */
export interface CalmFile {
  readonly path: string;
  /** Whether it is there on a host that has settled. */
  readonly expected: boolean;
  /** Counts only where this file is there too. */
  readonly ifThere?: string;
  readonly reason: string;
}

/** What holds mails back on a BOA host; its `lock.inc` looks at the same. */
export const BOA_CALM_FILES: readonly CalmFile[] = [
  {
    path: "/run/octopus_install_run.pid",
    expected: false,
    reason: "Octopus is being installed or upgraded",
  },
  { path: "/run/boa_run.pid", expected: false, reason: "BOA is being installed or upgraded" },
  { path: "/run/boa_wait.pid", expected: false, reason: "BOA asks its monitors to wait" },
  {
    path: "/var/aegir/.drush/hm.alias.drushrc.php",
    expected: true,
    reason: "the Hostmaster site is not installed yet",
  },
  {
    path: "/run/lfd.pid",
    expected: true,
    ifThere: "/etc/csf/csf.conf",
    reason: "the firewall (csf and lfd) is not up yet",
  },
];

/** Why an ALERT is not mailed now, in words; undefined when it is. Never throws. */
export function whyNotMailed(policy: MailPolicy, calm: HostCalm): string | undefined {
  if (policy.incidentReport === "OFF") return "[incident] report is OFF";
  if (policy.incidentEmail === "") return "[incident] email is empty";
  const { incidentUptimeGraceMs: graceMs } = policy;
  if (calm.uptimeMs !== undefined && calm.uptimeMs < graceMs) {
    return `the host booted less than ${durationText(graceMs)} ago`;
  }
  return calm.busyWith.length === 0 ? undefined : calm.busyWith.join("; ");
}

/**
 * Where incidents are logged: in BOA's own log on its hosts, because that is where people look. Never throws.
 */
export function incidentLogPath(config: Pick<Config, "incidentLogPath">, isBoa: boolean): string {
  const usual = isBoa ? "/var/log/boa/high.load.incident.log" : "/var/log/loadweir/incident.log";
  return config.incidentLogPath ?? usual;
}
