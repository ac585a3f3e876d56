/** The table of the probe's settings, a part of that of all. */

import { PING_MODES } from "../drain/ping_outcome.ts";
import { EVERYBODY } from "../drain/scope.ts";
import { TEXTFILE_PATH } from "../metrics/textfile.ts";
import { CHECK_ACTIONS, type CheckAction, HOST_CHECKS, type HostCheck } from "../probe/check.ts";
import { DEFAULT_PROBE_RULES } from "../probe/rules.ts";
import { DEFAULT_THRESHOLDS, type Levels } from "../probe/thresholds.ts";
import { type ConfigKey, inSection } from "./config_key.ts";
import { PAGE_ACCESS, type ProbeConfig } from "./probe_config.ts";
import { levelsType, listenAddressesType, MAYBE_DATABASE, peersType, PING_SCOPE } from "./probe_values.ts";
import { choiceType, durationType, integerType, NGINX_LOG_PATH, YES_OR_NO } from "./values.ts";

/** Peers that are asked on each look: more of them would be asked in turn, and each answer be too old. */
const PEER_LIMIT = 32;

/** Addresses that one outlet listens on. */
const ADDRESS_LIMIT = 8;

/** Every setting of the probe, in the order of the documentation. */
export const PROBE_KEYS: { readonly [F in keyof ProbeConfig]: ConfigKey<ProbeConfig[F]> } = {
  probeTickMs: {
    ...inSection("probe", "tick", "from one look of the probe to the next"),
    type: durationType(1_000, 60_000),
    fallback: DEFAULT_PROBE_RULES.tickMs,
  },
  probeFallCount: {
    ...inSection("probe", "fall", "bad looks in a row until a check has failed"),
    type: integerType(1, 100),
    fallback: DEFAULT_PROBE_RULES.fallCount,
    unit: "looks",
  },
  probeRiseCount: {
    ...inSection("probe", "rise", "good looks in a row until a check is well again"),
    type: integerType(1, 100),
    fallback: DEFAULT_PROBE_RULES.riseCount,
    unit: "looks",
  },
  probeMinHoldMs: {
    ...inSection("probe", "min_hold", "shortest time out, times the number of drains of late"),
    type: durationType(1_000, 3_600_000),
    fallback: DEFAULT_PROBE_RULES.minHoldMs,
  },
  probeMinHoldCapMs: {
    ...inSection("probe", "min_hold_cap", "what the shortest time out grows to at most"),
    type: durationType(1_000, 3_600_000),
    fallback: DEFAULT_PROBE_RULES.minHoldCapMs,
  },
  probePeers: {
    ...inSection("probe", "peers", "other hosts behind the balancer, asked for their /healthz"),
    type: peersType(PEER_LIMIT),
    fallback: [],
  },
  probeDrainLimit: {
    ...inSection("probe", "drain_limit", "with so many peers out this host stays in; 0 is no limit"),
    type: integerType(0, PEER_LIMIT),
    fallback: 0,
    unit: "peers",
  },
  icmpMode: {
    ...inSection("outlets", "icmp", "how echo requests are left unanswered while the host is out"),
    type: choiceType(PING_MODES),
    fallback: "auto",
  },
  icmpScope: {
    ...inSection("outlets", "icmp_from", "whose echo requests, where nft is used; empty is everybody's"),
    type: PING_SCOPE,
    fallback: EVERYBODY,
  },
  agentCheckAddresses: {
    ...inSection("outlets", "agent_check", "addresses of HAProxy's agent-check, port 9808"),
    type: listenAddressesType(ADDRESS_LIMIT),
    fallback: [],
  },
  crawlerBlockWeightPercent: {
    ...inSection("outlets", "crawler_block_weight", "weight said there while crawlers are blocked"),
    type: integerType(1, 100),
    fallback: 50,
    unit: "percent",
  },
  httpAddresses: {
    ...inSection("outlets", "http", "addresses of /healthz, /livez, /metrics and the status page, port 9807"),
    type: listenAddressesType(ADDRESS_LIMIT),
    fallback: [],
  },
  pageAccess: {
    ...inSection(
      "outlets",
      "page",
      "who may see the status page there: who asks from this host, or everybody",
    ),
    type: choiceType(PAGE_ACCESS),
    fallback: "loopback",
  },
  trackFileValue: {
    ...inSection(
      "outlets",
      "track_file",
      "what keepalived's track file says of a host that is out; 0 is none",
    ),
    type: integerType(-253, 0),
    fallback: 0,
  },
  metricsTextfile: {
    ...inSection("outlets", "metrics_textfile", `whether the metrics are also in ${TEXTFILE_PATH}`),
    type: YES_OR_NO,
    fallback: false,
  },
  checkNginx: checkKey("nginx", "nginx", "nginx without a master"),
  checkFpmDead: checkKey("fpm-dead", "fpm_dead", "a pool of php-fpm that takes no connections"),
  checkFpmExhausted: checkKey(
    "fpm-exhausted",
    "fpm_exhausted",
    "a pool of php-fpm with all workers busy and requests waiting",
  ),
  checkSwap: checkKey("swap", "swap", "memory and swap used up"),
  checkSystemFiles: checkKey("system-files", "system_files", "open files of the system running out"),
  checkProcessFiles: checkKey("process-files", "process_files", "open files of a server running out"),
  checkTcpMemory: checkKey("tcp-memory", "tcp_memory", "memory of TCP running out"),
  checkTcpOrphans: checkKey("tcp-orphans", "tcp_orphans", "connections without a process"),
  checkListenOverflows: checkKey("listen-overflows", "listen_overflows", "connections lost in full queues"),
  checkConntrack: checkKey("conntrack", "conntrack", "the table of connections running full"),
  checkRunaways: checkKey("runaways", "runaways", "processes of cron piling up"),
  checkServerErrors: checkKey("server-errors", "server_errors", "sites that answer with errors"),
  checkDatabase: checkKey("database", "database", "a database that does not answer"),
  systemFilesLevels: levelsKey(
    "system_files_at",
    "open files of the system",
    DEFAULT_THRESHOLDS.systemFilesPercent,
  ),
  processFilesLevels: levelsKey(
    "process_files_at",
    "open files of a server",
    DEFAULT_THRESHOLDS.processFilesPercent,
  ),
  tcpOrphansLevels: levelsKey(
    "tcp_orphans_at",
    "connections without a process",
    DEFAULT_THRESHOLDS.tcpOrphansPercent,
  ),
  listenOverflowsLevels: {
    ...levelsKey(
      "listen_overflows_at",
      "connections lost, over a minute",
      DEFAULT_THRESHOLDS.listenOverflowsPerS,
    ),
    unit: "per second",
  },
  conntrackLevels: levelsKey("conntrack_at", "the table of connections", DEFAULT_THRESHOLDS.conntrackPercent),
  serverErrorsLevels: levelsKey(
    "server_errors_at",
    "answers that are errors",
    DEFAULT_THRESHOLDS.serverErrorsPercent,
  ),
  accessLogPath: {
    ...inSection("checks", "access_log", "access log whose errors are counted"),
    type: NGINX_LOG_PATH,
    fallback: "/var/log/nginx/access.log",
  },
  accessLogField: {
    ...inSection("checks", "access_log_field", "field of its lines that is the status; 0 is combined"),
    type: integerType(0, 50),
    fallback: 0,
    unit: "",
  },
  databaseAt: {
    ...inSection("checks", "database_at", "the database of this host; empty looks for one"),
    type: MAYBE_DATABASE,
    fallback: undefined,
  },
};

function checkKey(check: HostCheck, key: string, help: string): ConfigKey<CheckAction> {
  return {
    ...inSection("checks", key, `${help}: what it may do`),
    type: choiceType(CHECK_ACTIONS),
    fallback: HOST_CHECKS[check].action,
  };
}

function levelsKey(key: string, help: string, fallback: Levels): ConfigKey<Levels> {
  return {
    ...inSection("checks", key, `${help}: where it warns and drains`),
    type: levelsType(),
    fallback,
    unit: "percent",
  };
}
