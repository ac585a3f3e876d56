/**
 * Which program or script a process really is.
 *
 * A script run by an interpreter shows the interpreter first, and its comm is the script's name or the
 * interpreter's, after how it was started (`#!` line, `env`, or by hand):
 *
 *     /usr/bin/python3 /usr/bin/duplicity full /srv file:///bk     comm duplicity or python3
 *     /bin/bash -eu /var/xdrago/mysql_backup.sh                    comm mysql_backup.sh or bash
 *     nginx: worker process                                        comm nginx
 *
 * Wrappers (`env`, `nice`, `ionice`, `nohup`, `timeout`, `sudo`, `flock`, `strace`) are not seen through:
 * they become the program or have it as a child, and either is a process of its own.
 */

import { interpreterOf, scriptOf } from "./interpreter.ts";

/** What a process runs. */
export interface Program {
  /** The program as it was started: its path or name as written; the part before the colon for a title. */
  readonly path: string;
  /** Its base name, without the dash of a login shell. */
  readonly name: string;
  /**
   * The script that an interpreter runs, as written, or the module after python's `-m`. Undefined when the
   * program is no interpreter, or one that runs inline code (`-c`, `-e`) or reads its commands from a
   * terminal or pipe.
   */
  readonly script: string | undefined;
}

/** One binary with many programs in it; the program is its first argument: `busybox sh script`. */
const BUSYBOX = "busybox";

/**
 * A title that a program wrote over its arguments, by the convention of setproctitle(3): `nginx: worker
 * process`. The colon belongs to the first word, which holds no slash; split at blanks by `ps` it stands
 * alone.
 */
const TITLE = /^([\w.+-]+):(?: |$)/;

/**
 * Whether a process of this comm or program name may be running somebody's script: then only its arguments
 * tell which.
 *
 * @param name A comm or the base name of a program, as `python3.11`
 */
export function isInterpreter(name: string): boolean {
  return name === BUSYBOX || interpreterOf(name) !== undefined;
}

/**
 * Reads from the arguments what a process runs. Never throws.
 *
 * @param argv The arguments, or the title as one argument
 * @returns Undefined without arguments: a zombie, a kernel thread, or a process that wiped them
 */
export function programOf(argv: readonly string[]): Program | undefined {
  const [path, ...args] = argv;
  if (path === undefined || path === "") return undefined;
  const title = TITLE.exec(path)?.[1];
  if (title !== undefined) return { path: title, name: title, script: undefined };
  const name = baseName(path.startsWith("-") ? path.slice(1) : path);
  if (name === BUSYBOX && args.length > 0) return programOf(args);
  const interpreter = interpreterOf(name);
  return { path, name, script: interpreter === undefined ? undefined : scriptOf(args, interpreter) };
}

/** The path, as written, of what a process is: its script where an interpreter runs one, else its program. */
export function identityOf(program: Program): string {
  return program.script ?? program.path;
}

/** What follows the last slash; the whole text when nothing does. Never throws. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1) || path;
}
