/** Unit files and init scripts, and which of them are about nginx or php-fpm. */

import { baseName } from "../processes/program.ts";
import type { UnitState } from "./systemctl.ts";
import {
  maybeConfPath,
  maybeKindOfProgram,
  maybeKindOfService,
  phpVersionKey,
  type WebKind,
} from "./web_program.ts";

/** A unit file or an init script. */
export interface ServiceFile {
  /** As its manager calls it: `php8.4-fpm.service`, `php84-fpm`. */
  readonly name: string;
  readonly path: string;
  /** What it starts, program first; undefined where that cannot be read from it. */
  readonly command: readonly string[] | undefined;
  /** How systemd sees it; undefined where that is not known. */
  readonly state: UnitState | undefined;
}

/** A file that is about nginx or php-fpm. */
export interface WebServiceFile extends ServiceFile {
  readonly kind: WebKind;
  /** The nginx or php-fpm that it starts; undefined where that is not known. */
  readonly program: string | undefined;
  /** The configuration that its command names; undefined when it names none or is not known. */
  readonly confPath: string | undefined;
  /** See {@linkcode variantOf}. */
  readonly variant: string;
}

/**
 * A file as one of nginx or php-fpm, by the program it starts where that is one of them, else by its name.
 *
 * @returns Undefined when it is about neither, or a template, which starts nothing by itself
 */
export function maybeWebServiceFile(file: ServiceFile): WebServiceFile | undefined {
  const [started = "", ...args] = file.command ?? [];
  const startedKind = maybeKindOfProgram(started);
  const stem = file.name.replace(/\.service$/, "");
  const kind = startedKind ?? maybeKindOfService(stem);
  if (kind === undefined || stem.endsWith("@")) return undefined;
  const program = startedKind === undefined ? undefined : started;
  const variant = kind === "php-fpm" && program !== undefined ? variantOf(kind, program) : "";
  return {
    ...file,
    kind,
    program,
    confPath: program === undefined ? undefined : maybeConfPath(kind, args),
    variant: variant === "" ? variantOf(kind, stem) : variant,
  };
}

/**
 * What tells services of one kind apart: for php-fpm the version in its path or name (`84`, empty when there
 * is none), for nginx the name of its binary.
 */
export function variantOf(kind: WebKind, pathOrName: string): string {
  return kind === "nginx" ? baseName(pathOrName) : phpVersionKey(pathOrName);
}
