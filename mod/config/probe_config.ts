/** The settings of the probe: what is looked at, when the host is taken out, and how that is published. */

import type { PingMode } from "../drain/ping_outcome.ts";
import type { PingScope } from "../drain/scope.ts";
import type { CheckAction } from "../probe/check.ts";
import type { DatabaseAt } from "./probe_values.ts";
import type { Levels } from "../probe/thresholds.ts";

/** Who may see the status page, from nobody to everybody. */
export const PAGE_ACCESS = ["off", "loopback", "everywhere"] as const;

/** One of {@linkcode PAGE_ACCESS}. */
export type PageAccess = typeof PAGE_ACCESS[number];

/** Settings of the probe; its sites have sections of their own. */
export interface ProbeConfig {
  /** From one look to the next. */
  readonly probeTickMs: number;
  /** Bad looks in a row until a check has failed. */
  readonly probeFallCount: number;
  /** Good looks in a row until it is well again. */
  readonly probeRiseCount: number;
  /** Shortest time out; repeated drains multiply it. */
  readonly probeMinHoldMs: number;
  /** What it grows to at most. */
  readonly probeMinHoldCapMs: number;
  /** Other hosts behind the same balancer: IPv4 addresses, where loadweir answers `/healthz`. */
  readonly probePeers: readonly string[];
  /** With so many of them out, this host stays in; 0 is no limit. */
  readonly probeDrainLimit: number;

  /** How echo requests are left unanswered while the host is out; `auto` is nft where it works, else sysctl. */
  readonly icmpMode: PingMode;
  /** Whose echo requests, where nft is used. */
  readonly icmpScope: PingScope;
  /** Where HAProxy's agent-check is answered: IP literals. */
  readonly agentCheckAddresses: readonly string[];
  /** Weight said there while crawlers are blocked, in percent. */
  readonly crawlerBlockWeightPercent: number;
  /** Where pages are served, those of balancers and the metrics: IP literals. */
  readonly httpAddresses: readonly string[];
  /** Who may see the status page there: nobody, who asks from this host, or everybody. */
  readonly pageAccess: PageAccess;
  /** What keepalived's track file says of a host that is out, below 0; 0 is no such file. */
  readonly trackFileValue: number;
  /** Whether the metrics are also a file of node_exporter. */
  readonly metricsTextfile: boolean;

  readonly checkNginx: CheckAction;
  readonly checkFpmDead: CheckAction;
  readonly checkFpmExhausted: CheckAction;
  readonly checkSwap: CheckAction;
  readonly checkSystemFiles: CheckAction;
  readonly checkProcessFiles: CheckAction;
  readonly checkTcpMemory: CheckAction;
  readonly checkTcpOrphans: CheckAction;
  readonly checkListenOverflows: CheckAction;
  readonly checkConntrack: CheckAction;
  readonly checkRunaways: CheckAction;
  readonly checkServerErrors: CheckAction;
  readonly checkDatabase: CheckAction;

  readonly systemFilesLevels: Levels;
  readonly processFilesLevels: Levels;
  readonly tcpOrphansLevels: Levels;
  readonly listenOverflowsLevels: Levels;
  readonly conntrackLevels: Levels;
  readonly serverErrorsLevels: Levels;
  /** The access log whose errors are counted. */
  readonly accessLogPath: string;
  /** Field of its lines that is the status, from 1; 0 is nginx's combined format. */
  readonly accessLogField: number;
  /** The database of this host; undefined looks for a usual socket. */
  readonly databaseAt: DatabaseAt | undefined;
}
