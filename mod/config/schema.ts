/**
 * The one table of settings: what each is called, what it may be, what applies without it.
 *
 * Reading, checking, help texts and documentation all come from here. A new setting is a field of Config and
 * a row here, or in the table of the probe or of pressure.
 */

import type { Config, ConfigField, IncidentReport } from "./config.ts";
import type { ConfigKey } from "./config_key.ts";
import { PRESSURE_KEYS } from "./pressure_keys.ts";
import { PROBE_KEYS } from "./probe_keys.ts";
import {
  choiceType,
  durationType,
  FRACTION,
  integerType,
  MAYBE_LOG_PATH,
  MAYBE_MAIL_ADDRESS,
  MAYBE_PATH,
  PERCENT,
  PROCESS_NAMES,
  PROGRAM_NAMES,
  RATIO,
  SCRIPTS,
  YES_OR_NO,
} from "./values.ts";

/** Spellings of earlier BOA releases; second.sh maps them the same way. */
const OLDER_REPORTS: ReadonlyMap<string, IncidentReport> = new Map([
  ["NO", "OFF"],
  ["YES", "CRIT"],
  ["MINI", "CRIT"],
]);

/** Every setting, in the order of the documentation. Defaults of the ladder are those of BOA's second.sh. */
export const CONFIG_KEYS: { readonly [F in ConfigField]: ConfigKey<Config[F]> } = {
  profile: {
    section: "agent",
    key: "profile",
    type: choiceType(["auto", "generic", "boa"]),
    fallback: "auto",
    unit: "",
    help: "conventions of this host; auto is boa where /root/.barracuda.cnf exists",
    barracuda: [],
  },
  procfsPath: {
    section: "agent",
    key: "procfs",
    type: MAYBE_PATH,
    fallback: undefined,
    unit: "",
    help: "read-only mount of /proc to read from; empty looks for one",
    barracuda: [],
  },
  niceness: {
    section: "agent",
    key: "nice",
    type: integerType(-20, 19),
    fallback: 0,
    unit: "nice value",
    help: "priority of the agent itself where it is set; lower runs sooner",
    barracuda: ["_B_NICE"],
  },
  spiderRatio: {
    section: "ladder",
    key: "spider",
    type: RATIO,
    fallback: 2.1,
    unit: "load per CPU",
    help: "above it crawlers are turned away",
    barracuda: ["_CPU_SPIDER_RATIO"],
  },
  maxRatio: {
    section: "ladder",
    key: "max",
    type: RATIO,
    fallback: 6.1,
    unit: "load per CPU",
    help: "above it the web is paused",
    barracuda: ["_CPU_MAX_RATIO"],
  },
  critRatio: {
    section: "ladder",
    key: "crit",
    type: RATIO,
    fallback: 8.1,
    unit: "load per CPU",
    help: "above it runaways are ended and the web is paused",
    barracuda: ["_CPU_CRIT_RATIO"],
  },
  taskRatio: {
    section: "ladder",
    key: "task",
    type: RATIO,
    fallback: 3.1,
    unit: "load per CPU",
    help: "above it backend tasks should wait",
    barracuda: ["_CPU_TASK_RATIO"],
  },
  resumeFraction: {
    section: "ladder",
    key: "resume_fraction",
    type: FRACTION,
    fallback: 0.8,
    unit: "part of max",
    help: "the web is given back once both loads are below this part of max",
    barracuda: ["_RESUME_FRACTION"],
  },
  iowaitMinPercent: {
    section: "ladder",
    key: "iowait_min",
    type: PERCENT,
    fallback: 10,
    unit: "% of CPU time",
    help: "a running backup is left alone when at least this much waits for the disk",
    barracuda: ["_LOAD_IOWAIT_MIN"],
  },
  intervalMs: {
    section: "ladder",
    key: "interval",
    type: durationType(100, 60_000),
    fallback: 5000,
    unit: "",
    help: "time from one pass to the next",
    barracuda: [],
  },
  recheckMs: {
    section: "ladder",
    key: "recheck",
    // Independent of the interval: a re-check answers to the pass that asked for it, whatever comes after.
    type: durationType(100, 300_000),
    fallback: 9000,
    unit: "",
    help: "time from a pass that tripped a tier to the look that confirms it",
    barracuda: [],
  },
  witness: {
    section: "ladder",
    key: "witness",
    type: choiceType(["advise", "require"]),
    fallback: "advise",
    unit: "",
    help: "when nothing wants the CPU at a high load: say so, or also do not act",
    barracuda: [],
  },
  maxHoldMs: {
    section: "web",
    key: "max_hold",
    type: durationType(1000, 86_400_000, "no limit"),
    fallback: 1_800_000,
    unit: "",
    help: "longest pause of the web",
    barracuda: [],
  },
  onMaxHold: {
    section: "web",
    key: "on_max_hold",
    type: choiceType(["resume", "alert"]),
    fallback: "resume",
    unit: "",
    help: "at the end of the longest pause: give the web back, or only raise an alert",
    barracuda: [],
  },
  resumeBy: {
    section: "web",
    key: "resume",
    type: choiceType(["agent", "watchdog"]),
    fallback: "agent",
    unit: "",
    help: "who starts the web after a pause: loadweir, or the host's watchdogs first",
    barracuda: [],
  },
  backupEngines: {
    section: "backup",
    key: "engines",
    type: PROGRAM_NAMES,
    fallback: ["mydumper", "duplicity"],
    unit: "",
    help: "programs that are a backup, by exact name",
    barracuda: [],
  },
  backupOrchestrators: {
    section: "backup",
    key: "orchestrators",
    type: SCRIPTS,
    fallback: ["backboa", "duobackboa", "multiback", "mysql_backup.sh", "mysql_cluster_backup.sh"],
    unit: "",
    help: "scripts that run a backup, by name or absolute path",
    barracuda: [],
  },
  backupMarkerPath: {
    section: "backup",
    key: "marker",
    type: MAYBE_PATH,
    fallback: "/run/boa_sql_cluster_backup.pid",
    unit: "",
    help: "file with the pid of a running backup; empty is none",
    barracuda: [],
  },
  runawayNames: {
    section: "runaways",
    key: "names",
    type: PROCESS_NAMES,
    fallback: ["php", "drush.php", "wget", "curl"],
    unit: "",
    help: "processes that crit ends, by exact name; empty is none",
    barracuda: [],
  },
  incidentReport: {
    section: "incident",
    key: "report",
    type: choiceType(["OFF", "CRIT", "ALL"], OLDER_REPORTS),
    fallback: "CRIT",
    unit: "",
    help: "which incidents are mailed",
    barracuda: ["_INCIDENT_REPORT", "_INCIDENT_EMAIL_REPORT"],
  },
  incidentEmail: {
    section: "incident",
    key: "email",
    type: MAYBE_MAIL_ADDRESS,
    fallback: "",
    unit: "",
    help: "where incidents are mailed to; empty is nowhere",
    barracuda: ["_MY_EMAIL"],
  },
  incidentLogPath: {
    section: "incident",
    key: "log",
    type: MAYBE_LOG_PATH,
    fallback: undefined,
    unit: "",
    help: "log of incidents; empty is /var/log/loadweir/incident.log, or BOA's own log",
    barracuda: [],
  },
  incidentUptimeGraceMs: {
    section: "incident",
    key: "uptime_grace",
    type: durationType(1000, 86_400_000, "none"),
    // Of BOA's monitors: a host that boots is busy, and nobody wants to be told.
    fallback: 900_000,
    unit: "",
    help: "nothing is mailed so long after a boot",
    barracuda: [],
  },
  incidentAttach: {
    section: "incident",
    key: "attach",
    type: YES_OR_NO,
    fallback: true,
    unit: "",
    help: "whether a mail also shows processes and CPU figures",
    barracuda: [],
  },
  hookDeadlineMs: {
    section: "hooks",
    key: "deadline",
    type: durationType(100, 3_600_000),
    fallback: 30_000,
    unit: "",
    help: "longest run of a hook, but for tasks",
    barracuda: [],
  },
  tasksDeadlineMs: {
    section: "hooks",
    key: "tasks_deadline",
    type: durationType(100, 86_400_000),
    fallback: 3_600_000,
    unit: "",
    help: "longest run of the hook tasks",
    barracuda: [],
  },
  fanoutEveryPasses: {
    section: "hooks",
    key: "fanout_every",
    type: integerType(0, 1000),
    fallback: 0,
    unit: "passes",
    help: "how often fanout and proc-control run; 0 is each pass, each 6th on one CPU",
    barracuda: [],
  },
  ...PROBE_KEYS,
  ...PRESSURE_KEYS,
};

/** All fields, in the order of the table. */
export const CONFIG_FIELDS: readonly ConfigField[] = Object.keys(CONFIG_KEYS) as ConfigField[];

/** What applies when nobody set anything. */
export function defaultConfig(): Config {
  return configOf((field) => CONFIG_KEYS[field].fallback);
}

/** The configuration that a function gives field by field. */
export function configOf(valueOf: <F extends ConfigField>(field: F) => Config[F]): Config {
  return Object.fromEntries(CONFIG_FIELDS.map((field) => [field, valueOf(field)])) as unknown as Config;
}

/** The names of all sections, in the order of the table. */
export function sectionNames(): readonly string[] {
  return [...new Set(CONFIG_FIELDS.map((field) => CONFIG_KEYS[field].section))];
}

/** The field that a key of a section sets, or undefined when there is no such key. */
export function maybeFieldOf(section: string, key: string): ConfigField | undefined {
  return CONFIG_FIELDS.find((field) =>
    CONFIG_KEYS[field].section === section && CONFIG_KEYS[field].key === key
  );
}
