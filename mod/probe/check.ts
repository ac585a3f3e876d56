/** The checks of the probe: what each is called, what it may do, and what one look of it can say. */

/** A row of the table of checks. */
interface CheckRow {
  /** What is wrong when it fails, for people. */
  readonly failing: string;
  /** What happens when it fails, unless the configuration says otherwise. */
  readonly action: CheckAction;
  /** It looks at what a deliberate pause of the web stops, so that it says nothing while that lasts. */
  readonly isOfWeb: boolean;
  /** Bad looks in a row until it has failed, where that is not the configured number. */
  readonly fallCount?: number;
}

/** What a check that fails may do: nothing, as it is not looked at; say so; or take the host out. */
export type CheckAction = "off" | "warn" | "drain";

/** The actions, from the weakest. */
export const CHECK_ACTIONS: readonly CheckAction[] = ["off", "warn", "drain"];

/** Every check of the host, as {@linkcode HostCheck} names them. The sites are checks of their own besides. */
export const HOST_CHECKS = {
  "nginx": { failing: "nginx has no master", action: "drain", isOfWeb: true },
  "fpm-dead": { failing: "php-fpm does not take connections", action: "drain", isOfWeb: true, fallCount: 2 },
  "fpm-exhausted": {
    failing: "all workers of php-fpm are busy and requests wait",
    action: "drain",
    isOfWeb: true,
  },
  "swap": { failing: "memory and swap are used up", action: "drain", isOfWeb: false },
  "system-files": { failing: "the system is running out of open files", action: "drain", isOfWeb: false },
  "process-files": { failing: "a server is running out of open files", action: "drain", isOfWeb: true },
  "tcp-memory": { failing: "TCP is running out of memory", action: "drain", isOfWeb: false },
  "tcp-orphans": { failing: "too many connections are without a process", action: "drain", isOfWeb: false },
  // The average over a minute is its own confirmation.
  "listen-overflows": {
    failing: "connections are lost in full queues",
    action: "drain",
    isOfWeb: false,
    fallCount: 1,
  },
  "conntrack": { failing: "the table of connections is full", action: "drain", isOfWeb: false },
  "runaways": { failing: "processes of cron pile up", action: "warn", isOfWeb: false },
  // Two stretches of half a minute are its own confirmation.
  "server-errors": { failing: "the sites answer with errors", action: "drain", isOfWeb: true, fallCount: 1 },
  // One database for all hosts would take all of them out at once.
  "database": { failing: "the database does not answer", action: "warn", isOfWeb: false },
} as const satisfies Readonly<Record<string, CheckRow>>;

/** Name of a check of the host. */
export type HostCheck = keyof typeof HOST_CHECKS;

/** The names, in the order in which they are reported. */
export const HOST_CHECK_NAMES = Object.keys(HOST_CHECKS) as readonly HostCheck[];

/** One check: of the host, or of the site of that name. */
export type CheckId = HostCheck | `site:${string}`;

/** How bad what was seen is: worth a warning, or worth taking the host out if the configuration lets it. */
export type Severity = "warn" | "drain";

/** Figures behind a result, by a name that says the unit. */
export type CheckNumbers = Readonly<Record<string, number>>;

/** What one look said. Unknown is neither: nothing is decided on it. */
export type CheckResult =
  | { readonly state: "ok"; readonly evidence: string; readonly numbers: CheckNumbers }
  | {
    readonly state: "bad";
    readonly severity: Severity;
    /** What was seen and where the threshold is, one line. */
    readonly evidence: string;
    readonly numbers: CheckNumbers;
  }
  | { readonly state: "unknown"; readonly evidence: string };

/** A result without fault. */
export function fine(evidence: string, numbers: CheckNumbers = {}): CheckResult {
  return { state: "ok", evidence, numbers };
}

/** A fault. */
export function bad(severity: Severity, evidence: string, numbers: CheckNumbers = {}): CheckResult {
  return { state: "bad", severity, evidence, numbers };
}

/** A look that said nothing, and why. */
export function unknown(evidence: string): CheckResult {
  return { state: "unknown", evidence };
}

/** The table's row of a check. */
export function rowOf(id: CheckId): CheckRow {
  return isSite(id) ? SITE : HOST_CHECKS[id];
}

/** The check of a site. */
export function siteCheck(name: string): `site:${string}` {
  return `site:${name}`;
}

/** Whether a check is the active probe of a site. */
export function isSite(id: CheckId): id is `site:${string}` {
  return id.startsWith("site:");
}

const SITE: CheckRow = { failing: "the site does not answer as expected", action: "drain", isOfWeb: true };

/**
 * The worst of some results, the first of those that are equally bad: what a check of many parts says of the
 * host. A part that is unknown outweighs all but one that is worth a drain: it may be worth one itself, and
 * what was found so before is not taken back by not being seen.
 *
 * @returns Undefined for no results. Never throws
 */
export function maybeWorst(results: readonly CheckResult[]): CheckResult | undefined {
  return results.reduce<CheckResult | undefined>(
    (worst, result) => worst === undefined || rankOf(result) > rankOf(worst) ? result : worst,
    undefined,
  );
}

/** From what speaks most against a drain to what speaks most for it. */
function rankOf(result: CheckResult): number {
  switch (result.state) {
    case "ok":
      return 0;
    case "unknown":
      return 2;
    case "bad":
      return result.severity === "warn" ? 1 : 3;
  }
}
