/**
 * Whose pings are not answered: everybody's, or those from some addresses alone, as those of the load balancers.
 *
 *     192.0.2.10, 198.51.100.0/24, 2001:db8::/48
 */

import { quote } from "../errors.ts";
import { failed, ok, type Reading } from "../reading.ts";

/** Addresses and prefixes by family; both empty is everybody. */
export interface PingScope {
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/** Everybody. */
export const EVERYBODY: PingScope = { ipv4: [], ipv6: [] };

const EXPECTED = "an IPv4 or IPv6 address or prefix, as 192.0.2.10 or 2001:db8::/48, without host bits";

/**
 * Reads a list of addresses and prefixes. Names are refused, and so is a prefix with bits set behind it, which would mean
 * another range than it says. An address twice counts once. Never throws.
 */
export function parseScope(words: readonly string[]): Reading<PingScope> {
  const scope = { ipv4: new Set<string>(), ipv6: new Set<string>() };
  for (const word of words) {
    const [address = "", length, ...rest] = word.split("/");
    const family = address.includes(":") ? "ipv6" : "ipv4";
    const bits = family === "ipv4" ? maybeBitsV4(address) : maybeBitsV6(address);
    if (bits === undefined || rest.length > 0 || !isPrefix(bits, length)) {
      return failed(`${quote(word)} is no scope, expected ${EXPECTED}`);
    }
    scope[family].add(word);
  }
  return ok({ ipv4: withoutCovered([...scope.ipv4], "ipv4"), ipv6: withoutCovered([...scope.ipv6], "ipv6") });
}

/** Whether everybody is meant. */
export function isEverybody({ ipv4, ipv6 }: PingScope): boolean {
  return ipv4.length === 0 && ipv6.length === 0;
}

/** The address as a string of 32 bits. */
function maybeBitsV4(address: string): string | undefined {
  const parts = address.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return undefined;
  }
  return parts.map((part) => Number(part).toString(2).padStart(8, "0")).join("");
}

/** The address as a string of 128 bits. */
function maybeBitsV6(address: string): string | undefined {
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half) => half === "" ? [] : half.split(":"));
  const groups = [...head ?? [], ...tail ?? []];
  const missing = 8 - groups.length;
  // A pair of colons stands for at least one group.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return [...head ?? [], ...Array<string>(missing).fill("0"), ...tail ?? []]
    .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0")).join("");
}

/** Whether a prefix of this length holds no set bit behind it; an address alone has no length. */
function isPrefix(bits: string, length: string | undefined): boolean {
  if (length === undefined) return true;
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || Number(length) > bits.length) return false;
  return !bits.slice(Number(length)).includes("1");
}

/** Without those that another one holds: nft refuses ranges that overlap. */
function withoutCovered(words: readonly string[], family: keyof PingScope): readonly string[] {
  const prefixes = words.map((word) => {
    const [address = "", length] = word.split("/");
    const bits = (family === "ipv4" ? maybeBitsV4(address) : maybeBitsV6(address)) ?? "";
    return { word, prefix: length === undefined ? bits : bits.slice(0, Number(length)) };
  });
  return prefixes.filter(({ prefix }, index) =>
    !prefixes.some((other, place) =>
      place !== index && prefix.startsWith(other.prefix) && (other.prefix !== prefix || place < index)
    )
  ).map(({ word }) => word);
}
