/**
 * Where instances tell their figures:
 *
 *     http://127.0.0.1:9101/metrics
 *     http://[::1]:9101/metrics
 *     unix:/run/loadweir/metrics/web.sock:/metrics
 *
 * Addresses alone, and of this host alone: the sandbox neither looks names up nor connects elsewhere. All instances of a
 * template have one text, in which `%i` is the index and `%p` the port: `http://127.0.0.1:%p/metrics`.
 */

import { endpointText } from "../ip_address.ts";
import { METRICS_FOLDER, type MetricsAddress, type PressureConfig } from "./pressure_config.ts";
import { maybeAbsolutePath, type ValueType } from "./values.ts";

const TCP = /^http:\/\/(?:(127\.0\.0\.1)|\[(::1)\])(?::([1-9]\d{0,4}))?(\/.*)?$/;
const UNIX = /^unix:([^:]+):(\/.*)$/;

/** Printable ASCII that may stand in a request without being written otherwise. */
const PAGE = /^\/[\w!$%&'()*+,\-./:;=?@[\]~]*$/;

/** The kernel keeps 108 bytes with the NUL at the end (sun_path of unix(7)). */
const SOCKET_PATH_LIMIT = 107;

/** Where no port is written. */
const HTTP_PORT = 80;

/** What an address is, to follow the word "expected". */
const FORM = "http://127.0.0.1:PORT/PATH, http://[::1]:PORT/PATH or " +
  `unix:${METRICS_FOLDER}/NAME.sock:/PATH, with no other addresses or names such as localhost`;

/** Where one instance tells its figures. */
export const METRICS_ADDRESS: ValueType<MetricsAddress> = {
  name: "address",
  expected: FORM,
  maybeRead: (text) => {
    const value = maybeAddress(text);
    return value === undefined ? undefined : { value };
  },
  render: ({ at, path }) =>
    at.kind === "tcp" ? `http://${endpointText(at.host, at.port)}${path}` : `unix:${at.path}:${path}`,
};

/** Where the instances of a template tell their figures, or empty for nowhere. */
export const TIER_METRICS: ValueType<string> = {
  name: "address",
  expected: `${FORM}, with %i for the index or %p for the port, or nothing`,
  maybeRead: (text) => {
    if (text === "") return { value: text };
    // What it comes to with the indices and ports that there will be is looked at where those are known.
    const sample = maybeAddress(expand(text, 1, HTTP_PORT));
    return /%[ip]/.test(text) && sample !== undefined ? { value: text } : undefined;
  },
  render: (text) => text,
};

/**
 * Where the instance with an index tells its figures. Never throws.
 *
 * @param index From 1
 * @returns Undefined where `[tier] metrics` is empty, or comes to no address with this index
 */
export function tierAddressOf(
  { tierMetrics, tierBasePort }: Pick<PressureConfig, "tierMetrics" | "tierBasePort">,
  index: number,
): MetricsAddress | undefined {
  return maybeAddress(expand(tierMetrics, index, tierBasePort + index));
}

function expand(text: string, index: number, port: number): string {
  return text.replaceAll("%i", String(index)).replaceAll("%p", String(port));
}

function maybeAddress(text: string): MetricsAddress | undefined {
  const [isTcp, ipv4, ipv6, port = String(HTTP_PORT), page = "/"] = TCP.exec(text) ?? [];
  const host = ipv4 ?? ipv6;
  if (isTcp !== undefined && host !== undefined) {
    if (!PAGE.test(page) || Number(port) > 65_535) return undefined;
    return { at: { kind: "tcp", host, port: Number(port) }, path: page };
  }
  const [, socket = "", path = ""] = UNIX.exec(text) ?? [];
  const plain = maybeAbsolutePath(socket);
  const isSocket = plain !== undefined && plain === socket && plain.startsWith(`${METRICS_FOLDER}/`) &&
    /^[\w.@/-]+$/.test(plain) && plain.length <= SOCKET_PATH_LIMIT;
  return isSocket && PAGE.test(path) ? { at: { kind: "unix", path: plain }, path } : undefined;
}
