/** What the probe decides by, from a configuration. */

import type { ProbeConfig } from "../config/probe_config.ts";
import type { SiteConfig } from "../config/site.ts";
import { DEFAULT_PROBE_RULES, type ProbeRules } from "./rules.ts";
import type { ProbeThresholds } from "./thresholds.ts";

/** The rules of a configuration and its sites. */
export function probeRulesOf(config: ProbeConfig, sites: readonly SiteConfig[]): ProbeRules {
  return {
    fallCount: config.probeFallCount,
    riseCount: config.probeRiseCount,
    tickMs: config.probeTickMs,
    minHoldMs: config.probeMinHoldMs,
    minHoldCapMs: Math.max(config.probeMinHoldMs, config.probeMinHoldCapMs),
    repeatWindowMs: DEFAULT_PROBE_RULES.repeatWindowMs,
    actions: {
      "nginx": config.checkNginx,
      "fpm-dead": config.checkFpmDead,
      "fpm-exhausted": config.checkFpmExhausted,
      "swap": config.checkSwap,
      "system-files": config.checkSystemFiles,
      "process-files": config.checkProcessFiles,
      "tcp-memory": config.checkTcpMemory,
      "tcp-orphans": config.checkTcpOrphans,
      "listen-overflows": config.checkListenOverflows,
      "conntrack": config.checkConntrack,
      "runaways": config.checkRunaways,
      "server-errors": config.checkServerErrors,
      "database": config.checkDatabase,
    },
    sites: sites.map(({ name, url, text, action }) => ({
      name,
      key: JSON.stringify([name, url, text]),
      action,
    })),
  };
}

/** The levels of a configuration. */
export function probeThresholdsOf(config: ProbeConfig): ProbeThresholds {
  return {
    systemFilesPercent: config.systemFilesLevels,
    processFilesPercent: config.processFilesLevels,
    tcpOrphansPercent: config.tcpOrphansLevels,
    listenOverflowsPerS: config.listenOverflowsLevels,
    conntrackPercent: config.conntrackLevels,
    serverErrorsPercent: config.serverErrorsLevels,
  };
}

/** Whether the host is probed at all: a site is, or somebody is told. */
export function isProbeWanted(config: ProbeConfig, sites: readonly SiteConfig[]): boolean {
  const { agentCheckAddresses, httpAddresses, trackFileValue } = config;
  return sites.length > 0 || agentCheckAddresses.length > 0 || httpAddresses.length > 0 || trackFileValue < 0;
}
