/**
 * The pools of a php-fpm, from what `php-fpm -tt` prints to standard error.
 *
 *     [29-Nov-2026 23:36:11] NOTICE: [global]
 *     [29-Nov-2026 23:36:11] NOTICE: \tlog_level = NOTICE
 *     [29-Nov-2026 23:36:11] NOTICE: [www]
 *     [29-Nov-2026 23:36:11] NOTICE: \tlisten = /run/php/php8.2-fpm.sock
 *     [29-Nov-2026 23:36:11] NOTICE: \tpm.max_children = 5
 *     [29-Nov-2026 23:36:11] NOTICE: \tpm.status_path = undefined
 *
 * It is printed as notices: with a `log_level` of warning or higher there is nothing to read, and exit code 0.
 *
 * @see https://www.php.net/manual/en/install.fpm.configuration.php
 */

import { ParseError, quote } from "./errors.ts";

/** Where a pool waits for connections. */
export type FpmListen =
  | { readonly kind: "unix"; readonly path: string }
  /** Without a host it is every address. The host may be a name; an IPv6 address is without its brackets. */
  | { readonly kind: "tcp"; readonly host: string | undefined; readonly port: number }
  /** A path that is not absolute: what it is relative to is not told here. */
  | { readonly kind: "unclear"; readonly text: string };

/** What is taken of a pool's configuration. */
export interface FpmPoolConf {
  readonly name: string;
  readonly listen: FpmListen;
  readonly processManager: "static" | "dynamic" | "ondemand";
  /** At least 1. */
  readonly maxChildrenCount: number;
  /** Undefined where the pool shows no status page. */
  readonly statusPath: string | undefined;
  /** A socket of its own for the status page, which answers also while all workers are busy. Since PHP 8.0. */
  readonly statusListen: FpmListen | undefined;
  /** How many connections may wait; undefined is as many as the kernel allows. */
  readonly backlogCount: number | undefined;
}

const LINE = /^\[[^\]]*\] NOTICE: (?:\[(.+)\]|\t([^=]+?) = (.*))$/;

/** Settings by name; a pool's settings for PHP, such as `php_admin_value[error_log]`, are among them. */
type Settings = ReadonlyMap<string, string>;

/**
 * Reads the pools, in their order.
 *
 * @param stderr All that was printed
 * @param source The command, for errors
 * @throws {ParseError} If there is no pool, or if a pool has no usable `listen`, `pm` or `pm.max_children`
 */
export function parseFpmPools(stderr: string, source = "php-fpm -tt"): readonly FpmPoolConf[] {
  const sections: { readonly name: string; readonly settings: Map<string, string> }[] = [];
  for (const line of stderr.split("\n")) {
    const [, name, key, value] = LINE.exec(line) ?? [];
    if (name !== undefined) sections.push({ name, settings: new Map() });
    else if (key !== undefined && value !== undefined) sections.at(-1)?.settings.set(key, value);
  }
  const pools = sections.filter(({ name }) => name !== "global");
  if (pools.length === 0) {
    throw new ParseError(
      source,
      `is ${quote(stderr.trim())}, expected pools; with a log_level above notice php-fpm prints none`,
    );
  }
  return pools.map(({ name, settings }) => poolOf(name, settings, source));
}

function poolOf(name: string, settings: Settings, source: string): FpmPoolConf {
  function refuse(key: string, expected: string): never {
    const seen = settings.get(key);
    const says = seen === undefined ? "is missing" : `is ${quote(seen)}`;
    throw new ParseError(source, `${key} of pool ${quote(name)} ${says}, expected ${expected}`);
  }

  function listenOf(key: string): FpmListen | undefined {
    const text = maybeSet(settings, key);
    return text === undefined ? undefined : parseFpmListen(text);
  }

  const processManager = settings.get("pm");
  if (processManager !== "static" && processManager !== "dynamic" && processManager !== "ondemand") {
    return refuse("pm", "static, dynamic or ondemand");
  }
  const maxChildren = settings.get("pm.max_children") ?? "";
  if (!/^[1-9]\d{0,8}$/.test(maxChildren)) refuse("pm.max_children", "a whole number from 1");
  const backlog = settings.get("listen.backlog") ?? "";
  return {
    name,
    listen: listenOf("listen") ?? refuse("listen", "a socket"),
    processManager,
    maxChildrenCount: Number(maxChildren),
    statusPath: maybeSet(settings, "pm.status_path"),
    statusListen: listenOf("pm.status_listen"),
    backlogCount: /^\d{1,9}$/.test(backlog) ? Number(backlog) : undefined,
  };
}

/** php-fpm prints what nobody set as `undefined`. */
function maybeSet(settings: Settings, key: string): string | undefined {
  const text = settings.get(key);
  return text === undefined || text === "" || text === "undefined" ? undefined : text;
}

/** What a value of `listen` means: a path, a port, or a host and a port. Never throws. */
export function parseFpmListen(text: string): FpmListen {
  if (text.startsWith("/")) return { kind: "unix", path: text };
  const [, inBrackets, name, digits] =
    /^(?:(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]+|\*)):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port < 1 || port > 65_535) return { kind: "unclear", text };
  return { kind: "tcp", host: inBrackets ?? (name === "*" ? undefined : name), port };
}
