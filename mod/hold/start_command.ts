/**
 * The commands that test the configuration of a service and start it.
 *
 * @see https://nginx.org/en/docs/switches.html
 * @see https://www.php.net/manual/en/install.fpm.configuration.php
 */

import type { ServiceRef } from "./service_ref.ts";

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** Switches of nginx that do something else than serve. */
const OTHER_WORK: ReadonlySet<string> = new Set(["-t", "-T", "-v", "-V", "-q"]);

/** In the directives of `-g`: it would stay in the foreground, and end with the one that started it. */
const FOREGROUND = /\bdaemon\s+off\s*;\s*/g;

/** The command that tests its configuration and changes nothing; undefined where the program is not known. */
export function maybeTestCommand({ kind, program, args, confPath }: ServiceRef): Command | undefined {
  if (program === undefined) return undefined;
  if (kind === "nginx") return [program, "-t", "-q", ...servingArguments(args)];
  return [program, "-t", ...confPath === undefined ? [] : ["--fpm-config", confPath]];
}

/** The command that starts it as a daemon, by hand; undefined where the program is not known. */
export function maybeStartCommand({ kind, program, args }: ServiceRef): Command | undefined {
  if (program === undefined) return undefined;
  return kind === "nginx" ? [program, ...servingArguments(args)] : [program, "--daemonize", ...args];
}

/** The arguments of an nginx without what makes it stay in the foreground or do something else than serve. */
function servingArguments(args: readonly string[]): readonly string[] {
  const serving: string[] = [];
  for (const [index, word] of args.entries()) {
    const previous = args[index - 1];
    if (word === "-s" || previous === "-s" || OTHER_WORK.has(word)) continue;
    if (previous !== "-g") {
      serving.push(word);
      continue;
    }
    const directives = word.replace(FOREGROUND, "").trim();
    if (directives === "") serving.pop();
    else serving.push(directives);
  }
  return serving;
}
