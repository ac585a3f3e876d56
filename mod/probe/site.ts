/**
 * A site that is probed, as its configuration names it.
 *
 *     http://www.mywebsite.com          GET / of www.mywebsite.com, port 80, asked of 127.0.0.1
 *     https://bücher.example:8443/a?b   GET /a?b of xn--bcher-kva.example, port 8443, asked of 127.0.0.1
 *     http://[::1]:8080/                GET / of [::1], asked of ::1 itself
 *
 * @see https://www.rfc-editor.org/rfc/rfc3986
 */

import { toASCII } from "punycode/punycode.es6.js";
import { quote } from "../errors.ts";
import { hostText, maybeIpVersion } from "../ip_address.ts";

/** What a URL says of a site. */
export interface SiteUrl {
  /** As it was written. */
  readonly url: string;
  readonly isHttps: boolean;
  /** Name in lower case as DNS has it, or an address, that of IPv6 without its brackets. */
  readonly host: string;
  readonly port: number;
  /** Path with query, ready for a request. */
  readonly path: string;
  /** Where the site is asked for unless something else is said: this host, or the address that the URL names. */
  readonly address: string;
}

/** A site that is probed. */
export interface SiteTarget extends SiteUrl {
  /** What the site is called in verdicts. */
  readonly name: string;
  /** What its page must hold, compared as bytes of UTF-8. */
  readonly expectedText: string;
  /** From the first attempt to connect to the end. */
  readonly deadlineMs: number;
}

/** Deadline of one look. The seed's wget had it too. */
export const SITE_DEADLINE_MS = 4_000;

/** Where sites are asked for: this host. */
export const SITE_ADDRESS = "127.0.0.1";

/** A URL that was read, or what is wrong with it, to follow `URL is "…": `. */
export type SiteUrlReading =
  | { readonly kind: "ok"; readonly value: SiteUrl }
  | { readonly kind: "refused"; readonly problem: string };

const PARTS = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^#]*)(?:#.*)?$/is;

const AUTHORITY = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;

/** A label of a name. Underscores are in no host name of a standard, and in many of real hosts. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const NAME_LIMIT = 253;

/** Longer than any address that a server takes. */
const URL_LIMIT = 4_096;

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Reads a URL. Never throws. */
export function readSiteUrl(url: string): SiteUrlReading {
  // deno-lint-ignore no-control-regex
  if (/[\s\u0000-\u001f\u007f]/.test(url)) {
    return refused("it holds blanks or control characters, expected none");
  }
  if (url.length > URL_LIMIT) return refused(`it is longer than ${URL_LIMIT} characters`);
  const [, scheme = "", authority = "", rest = ""] = PARTS.exec(url) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== "http" && protocol !== "https") return refused(problemOfScheme(url, protocol));
  if (authority.includes("@")) return refused("it holds a user, expected a host after http:// or https://");
  const [, written = "", portText] = AUTHORITY.exec(authority) ?? [];
  const host = maybeHost(written);
  if (host === undefined) return refused(`its host is ${quote(written)}, expected a name or an address`);
  const port = portText === undefined || portText === "" ? DEFAULT_PORTS[protocol] : Number(portText);
  if (!/^\d{0,5}$/.test(portText ?? "") || port < 1 || port > 65_535) {
    return refused(`its port is ${quote(portText ?? "")}, expected a number from 1 to 65535`);
  }
  const address = maybeIpVersion(host) === undefined ? SITE_ADDRESS : host;
  return {
    kind: "ok",
    value: { url, isHttps: protocol === "https", host, port, path: pathOf(rest), address },
  };
}

/** The site as `Host` has it: with the port where it is not the usual one. */
export function authorityOf({ host, port, isHttps }: Pick<SiteUrl, "host" | "port" | "isHttps">): string {
  return hostText(host) + (port === DEFAULT_PORTS[isHttps ? "https" : "http"] ? "" : `:${port}`);
}

function refused(problem: string): SiteUrlReading {
  return { kind: "refused", problem };
}

function problemOfScheme(url: string, scheme: string): string {
  if (scheme !== "") return `its scheme is ${quote(scheme)}, expected http or https`;
  return `it does not begin with http:// or https://, expected one such as ${quote(`http://${url}`)}`;
}

/** A name as DNS has it, or an address without brackets; undefined for what is neither. */
function maybeHost(written: string): string | undefined {
  if (written.startsWith("[")) {
    const address = written.slice(1, -1);
    return maybeIpVersion(address) === 6 ? address.toLowerCase() : undefined;
  }
  const name = asciiOf(written.normalize("NFKC").toLowerCase()).replace(/\.$/, "");
  if (maybeIpVersion(name) === 4) return name;
  const labels = name.split(".");
  // A last label of digits is a damaged address, not a name.
  const isName = labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  return isName && name.length <= NAME_LIMIT ? name : undefined;
}

/** A name with other letters in their form for DNS; empty where it has none. */
function asciiOf(name: string): string {
  try {
    return toASCII(name);
  } catch {
    return "";
  }
}

/** A path as it can stand in a request: what is not ASCII is escaped, what is escaped stays. */
function pathOf(rest: string): string {
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return path.toWellFormed().replace(/[^!-~]+|["<>\\^`{|}]/gu, encodeURIComponent);
}
