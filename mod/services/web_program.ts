/**
 * What names, paths and command lines tell of nginx and php-fpm: which of the two, which version, which
 * configuration.
 *
 *     nginx version: nginx/1.22.1                                   what `nginx -v` says, to standard error
 *     PHP 8.2.32 (fpm-fcgi) (built: Jul 30 2026 10:11:12)           what `php-fpm8.2 -v` says
 */

import { ParseError, quote } from "../errors.ts";
import { baseName } from "../processes/program.ts";
import { isWebTierName } from "../processes/web_tier.ts";

/** The two programs that serve the web. */
export type WebKind = "nginx" | "php-fpm";

/**
 * Service names of php-fpm: `php-fpm`, `php8.4-fpm` (Debian), `php84-fpm` (BOA), `php84-php-fpm` (Remi),
 * `php-fpm8.4`, and with what hosting panels put before them: `plesk-php84-fpm`.
 */
const FPM_SERVICE = /^(?:[a-z]+-)?php(?:\d[\d.]*)?(?:-php)?-fpm(?:\d[\d.]*)?$/;

const NGINX_SERVICE = /^nginx(?:-debug)?$/;

/** Where a name or path tells the version of PHP: `php8.4`, `php84`, `php/8.4`, `php-fpm8.4`. */
const PHP_VERSION = /php(?:-fpm|\/)?(\d+)(?:\.(\d+))?/;

/** `nginx version: nginx/1.22.1`, `openresty/1.21.4.1`, `Tengine/2.3.2`. */
const NGINX_VERSION = /^\S+ version: ([\w.+-]+)\/([\w.+~-]+)/m;

const FPM_VERSION = /^PHP (\d[\w.+~-]*) \(fpm-fcgi\)/m;

/** Numbers of the signals that end them: SIGINT, SIGQUIT, SIGKILL, SIGTERM. */
export const ENDING_SIGNALS: readonly number[] = [2, 3, 9, 15];

/** Which of the two a service of this name is, without its `.service`; undefined when neither. */
export function maybeKindOfService(name: string): WebKind | undefined {
  if (NGINX_SERVICE.test(name)) return "nginx";
  return FPM_SERVICE.test(name) ? "php-fpm" : undefined;
}

/** Which of the two a program of this path is; undefined when neither. */
export function maybeKindOfProgram(path: string): WebKind | undefined {
  const name = baseName(path);
  if (!isWebTierName(name)) return undefined;
  return name.startsWith("nginx") ? "nginx" : "php-fpm";
}

/**
 * The PHP version that a name or path tells, as digits alone, so that `8.4` and `84` are equal; empty when it
 * tells none.
 */
export function phpVersionKey(text: string): string {
  const [, major = "", minor = ""] = PHP_VERSION.exec(text) ?? [];
  return major + minor;
}

/**
 * The configuration file that a command line names.
 *
 * @param args The arguments after the program
 * @returns Undefined when it names none, so that the program takes its default
 */
export function maybeConfPath(kind: WebKind, args: readonly string[]): string | undefined {
  const flags = kind === "nginx" ? ["-c"] : ["-y", "--fpm-config"];
  for (const [index, word] of args.entries()) {
    if (flags.includes(word)) return args[index + 1];
    const long = flags.find((flag) => flag.startsWith("--") && word.startsWith(`${flag}=`));
    if (long !== undefined) return word.slice(long.length + 1);
  }
  return undefined;
}

/**
 * Reads the version from what `nginx -v` or `php-fpm -v` printed. Warnings may stand before it.
 *
 * @returns `1.22.1`, or with its name where the program is one that nginx was made into: `openresty 1.21.4.1`
 * @throws {ParseError} If no line tells a version
 */
export function parseVersion(kind: WebKind, text: string, source: string): string {
  const [, name = "", version = ""] = kind === "nginx"
    ? NGINX_VERSION.exec(text) ?? []
    : ["", "PHP", FPM_VERSION.exec(text)?.[1] ?? ""];
  if (version === "") {
    const expected = kind === "nginx" ? "nginx version: nginx/1.22.1" : "PHP 8.2.1 (fpm-fcgi)";
    throw new ParseError(source, `is ${quote(text.trim())}, expected a line like ${quote(expected)}`);
  }
  return kind === "nginx" && name !== "nginx" ? `${name} ${version}` : version;
}
