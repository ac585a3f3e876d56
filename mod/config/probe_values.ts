/** The types of value that only the probe has: addresses, levels, and what a site is. */

import type { Levels } from "../probe/thresholds.ts";
import { maybeAbsolutePath, namesType, RATIO, type ValueType } from "./values.ts";

/** Whether a text is an IPv4 or IPv6 address as it stands. */
function isIpAddress(text: string): boolean {
  const octets = text.split(".");
  if (
    octets.length === 4 && octets.every((octet) => /^(?:0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256)
  ) {
    return true;
  }
  if (!/^[\da-f:]{2,39}$/i.test(text) || /:::|^:[^:]|[^:]:$/.test(text)) return false;
  const halves = text.split("::");
  const groups = halves.flatMap((half) => half === "" ? [] : half.split(":"));
  if (!groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  return halves.length === 2 ? groups.length < 8 : halves.length === 1 && groups.length === 8;
}

/** An IP address, or empty for none. Names are no addresses: looking one up can hang. */
export const MAYBE_IP_ADDRESS: ValueType<string> = {
  name: "IP address",
  expected: "an IPv4 or IPv6 address, or nothing",
  maybeRead: (text) => text === "" || isIpAddress(text) ? { value: text.toLowerCase() } : undefined,
  render: (address) => address,
};

/** An IP address. */
export const IP_ADDRESS: ValueType<string> = {
  ...MAYBE_IP_ADDRESS,
  expected: "an IPv4 or IPv6 address",
  maybeRead: (text) => text === "" ? undefined : MAYBE_IP_ADDRESS.maybeRead(text),
};

/** IP addresses, separated by commas or blanks; empty is none. */
export function ipAddressesType(limit: number): ValueType<readonly string[]> {
  return namesType(
    `at most ${limit} IPv4 or IPv6 addresses separated by commas`,
    (text, all) => isIpAddress(text) && all.length <= limit,
  );
}

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
  render: quoted,
};

/** A text as a settings file has to have it. */
function quoted(text: string): string {
  const isPlain = text === text.trim() && !/^["']|\s[;#]|^[;#]/.test(text);
  if (isPlain) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}
