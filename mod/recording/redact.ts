/**
 * Takes out of a command line what a recording must not hold: arguments carry passwords, addresses and customers' names.
 *
 * What stays is what the rules go by: the program, the script that an interpreter runs, and the role in the titles of
 * nginx and php-fpm.
 */

import { baseName, identityOf, programOf } from "../processes/program.ts";

/** Titles of servers, up to where they name files or sites. */
const TITLE =
  /^(nginx: (?:master process|worker process(?: is shutting down)?|cache \w+ process)|php-fpm: master process)/;

/** A pool's name often is a site's or a customer's. */
const POOL = /^php-fpm: pool /;

/**
 * The arguments that a recording keeps.
 *
 * @param poolName A stand-in for the name of a php-fpm pool; the same one for the same pool
 * @returns At most two: the names of the program and of the script it runs, without their folders. Never throws
 */
export function redactArguments(
  argv: readonly string[],
  poolName: (pool: string) => string,
): readonly string[] {
  const [first] = argv;
  if (first === undefined) return [];
  const title = argv.join(" ").trimEnd();
  if (POOL.test(title)) return [`php-fpm: pool ${poolName(title.replace(POOL, ""))}`];
  const role = TITLE.exec(title)?.[1];
  if (role !== undefined) return [role];
  // Other titles that a process wrote over its arguments are one text with blanks; their first word names the program.
  const program = programOf(argv);
  const name = baseName(first.split(" ", 1)[0] ?? "");
  return program?.script === undefined ? [name] : [name, baseName(identityOf(program))];
}
