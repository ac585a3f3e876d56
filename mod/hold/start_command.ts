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

/** Switches of php-fpm that name its configuration, in the next word. */
const FPM_CONFIG: ReadonlySet<string> = new Set(["-y", "--fpm-config"]);

/** Switches of php-fpm that make it serve, or name its configuration. */
const FPM_SERVING = /^(?:-F|-D|-O|-t|--test|--(?:no)?daemonize|--force-stderr|-y|--fpm-config(?:=.*)?)$/;

/** The command that tests its configuration and changes nothing; undefined where the program is not known. */
export function maybeTestCommand({ kind, program, args, confPath }: ServiceRef): Command | undefined {
  if (program === undefined) return undefined;
  if (kind === "nginx") return [program, "-t", "-q", ...servingArguments(args)];
  return [
    program,
    "-t",
    ...testedArguments(args),
    ...confPath === undefined ? [] : ["--fpm-config", confPath],
  ];
}

/** The command that starts it as a daemon, by hand; undefined where the program is not known. */
export function maybeStartCommand({ kind, program, args }: ServiceRef): Command | undefined {
  if (program === undefined) return undefined;
  return kind === "nginx" ? [program, ...servingArguments(args)] : [program, "--daemonize", ...args];
}

/**
 * The arguments of a php-fpm that decide how its configuration is read, as its prefix and its `php.ini`: without what
 * makes it serve, the configuration itself, and what only the shell or systemd could fill in.
 */
function testedArguments(args: readonly string[]): readonly string[] {
  return args.filter((word, index) =>
    !FPM_SERVING.test(word) && !word.startsWith("$") && !FPM_CONFIG.has(args[index - 1] ?? "")
  );
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
