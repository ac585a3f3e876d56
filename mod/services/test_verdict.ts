/**
 * What a test of a configuration says: `nginx -t`, `php-fpm -t`.
 *
 *     2026/11/30 09:23:48 [emerg] 212#212: unknown directive "limt_req" in /etc/nginx/x.conf:2
 *     nginx: configuration file /etc/nginx/nginx.conf test failed
 *
 *     [30-Nov-2026 09:23:48] ERROR: [/etc/php/8.2/fpm/php-fpm.conf:2] unknown entry 'foo'
 *     [30-Nov-2026 09:23:48] ERROR: FPM initialization failed
 *
 * A test that fails says less than it seems: it is made with the rights, the memory and the mounts of the agent, and the
 * service has its own. What the agent is refused, the service may do; folders that systemd makes for a service are not
 * there while it does not run, and some are not seen from outside of it; an `opcache.preload` may need what only the
 * service may do. So a configuration is broken only where the program itself says so, and why.
 */

/** How a test ended. */
export interface TestEnd {
  /** 128 and more when a signal ended it, 127 when it could not be started. */
  readonly code: number;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** `unknown`: the test could not be made, or says nothing about the service. */
export type TestVerdict = "sound" | "broken" | "unknown";

/** From here on a shell or a signal speaks, and not the program. */
const NOT_BY_ITSELF = 126;

/** The last word of a test that fails. */
const FAILED = /\btest failed\b|\bFPM initialization failed\b/;

/** What nginx and php-fpm call the errors that keep them from starting, to the end of the line. */
const CAUSES = /(?:\[emerg\]|\bERROR:) .*/g;

/** What is refused to the one who makes the test, or is short for it. */
const REFUSED =
  /\b(?:Read-only file system|Operation not permitted|Permission denied|Cannot allocate memory|Too many open files)\b/;

/** Where a service may have folders that the agent does not see, or that are there only while it runs. */
const OWN_PLACE = /["'(](?:(?:\/var)?\/(?:run|tmp)|\/dev)\//;

const NOT_FOUND = /\bNo such file or directory\b/;

/** Judges a test by how it ended. Never throws. */
export function testVerdict({ code, stderr, timedOut }: TestEnd): TestVerdict {
  if (timedOut || code >= NOT_BY_ITSELF) return "unknown";
  if (code === 0) return "sound";
  const causes = causesIn(stderr);
  return FAILED.test(stderr) && causes.length > 0 && !causes.some(isOfTheTester) ? "broken" : "unknown";
}

/**
 * Why nginx or php-fpm does not start, as it says it in what it printed or in its journal, without what stands before it:
 * `[emerg] 212#212: unknown directive "limt_req" in /etc/nginx/x.conf:3`. Never throws.
 */
export function causesIn(text: string): readonly string[] {
  return text.match(CAUSES) ?? [];
}

function isOfTheTester(line: string): boolean {
  return REFUSED.test(line) || (NOT_FOUND.test(line) && OWN_PLACE.test(line));
}
