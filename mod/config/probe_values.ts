/** The types of value that only the probe has: addresses, databases, levels, and what a site is. */

import { parseScope, type PingScope } from "../drain/scope.ts";
import { maybeAddressProblem } from "../probe/outlets/listen_address.ts";
import type { Levels } from "../probe/thresholds.ts";
import { maybeAbsolutePath, namesType, RATIO, renderText, type ValueType } from "./values.ts";

/** Addresses that can be listened on, separated by commas or blanks; empty is none. */
export function listenAddressesType(limit: number): ValueType<readonly string[]> {
  return namesType(
    `at most ${limit} addresses such as 127.0.0.1, 192.0.2.10, 0.0.0.0 or ::, separated by commas`,
    (text, all) => maybeAddressProblem(text) === undefined && all.length <= limit,
  );
}

/** IPv4 addresses of other hosts, separated by commas or blanks; empty is none. The sandbox grants no others. */
export function peersType(limit: number): ValueType<readonly string[]> {
  return namesType(
    `at most ${limit} IPv4 addresses separated by commas`,
    (text, all) =>
      !text.includes(":") && !text.startsWith("0.") && maybeAddressProblem(text) === undefined &&
      all.length <= limit,
  );
}

/** Whose echo requests: addresses and prefixes, separated by commas or blanks; empty is everybody's. */
export const PING_SCOPE: ValueType<PingScope> = {
  name: "addresses",
  expected: "addresses or prefixes such as 192.0.2.10, 2001:db8::/48, or nothing for everybody",
  maybeRead: (text) => {
    const scope = parseScope(text.split(/[\s,]+/).filter((word) => word !== ""));
    return scope.kind === "ok" ? { value: scope.value } : undefined;
  },
  render: ({ ipv4, ipv6 }) => [...ipv4, ...ipv6].join(", "),
};

/** A database of this host. */
export interface DatabaseAt {
  readonly kind: "mysql" | "postgresql";
  /** A socket by its path, or a port of loopback. */
  readonly at: string | number;
}

/** A database by its kind and its socket or port, or empty for none. */
export const MAYBE_DATABASE: ValueType<DatabaseAt | undefined> = {
  name: "database",
  expected: "as mysql:/run/mysqld/mysqld.sock or postgresql:5432, or nothing",
  maybeRead: (text) => {
    if (text === "") return { value: undefined };
    const [, kind, place = ""] = /^(mysql|postgresql):(.+)$/.exec(text) ?? [];
    if (kind !== "mysql" && kind !== "postgresql") return undefined;
    const at = /^[1-9]\d{0,4}$/.test(place) && Number(place) < 65_536
      ? Number(place)
      : maybeAbsolutePath(place);
    return at === undefined ? undefined : { value: { kind, at } };
  },
  render: (database) => database === undefined ? "" : `${database.kind}:${database.at}`,
};

/** Two levels of one figure, the higher one the one that drains: `70/90`. */
export function levelsType(): ValueType<Levels> {
  return {
    name: "levels",
    expected: "two numbers above 0, the second one not lower, such as 70/90",
    maybeRead: (text) => {
      const [warn, drain, ...more] = text.split("/").map((part) => RATIO.maybeRead(part.trim())?.value);
      if (warn === undefined || drain === undefined || more.length > 0 || drain < warn) return undefined;
      return { value: { warn, drain } };
    },
    render: ({ warn, drain }) => `${warn}/${drain}`,
  };
}

/** An URL of a site. */
const SITE_URL_FORM =
  /^https?:\/\/(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:]+\])(?::\d{1,5})?(?:[/?][^\s"#\\^`{|}<>]*)?$/i;

/** Where a site is asked for, without a user and a fragment. */
export const SITE_URL: ValueType<string> = {
  name: "URL",
  expected: "an URL as https://www.example.org/health, without a user",
  maybeRead: (text) => SITE_URL_FORM.test(text) ? { value: text } : undefined,
  render: (url) => url,
};

/** Longest text that is looked for. */
const TEXT_LIMIT = 1_000;

/** What a page must hold, as it stands. */
export const PAGE_TEXT: ValueType<string> = {
  name: "text",
  expected: `a text of 1 to ${TEXT_LIMIT} characters that only a working site shows, without both " and '`,
  maybeRead: (text) => {
    const isOne = text.length > 0 && text.length <= TEXT_LIMIT && !(text.includes('"') && text.includes("'"));
    return isOne ? { value: text } : undefined;
  },
  render: renderText,
};
