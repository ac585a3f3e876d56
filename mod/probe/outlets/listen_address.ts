/**
 * Where the verdict can be asked for: fixed ports, at addresses that the configuration names.
 *
 *     0.0.0.0        192.0.2.17        127.0.0.1        ::        ::1
 *
 * The runtime takes a network with a port for IPv4, `0.0.0.0/0:9807`, and none for IPv6, so that of IPv6 only
 * two addresses can be granted beforehand: all of this host's, and loopback.
 */

import { quote } from "../../errors.ts";
import { maybeIpVersion } from "../../ip_address.ts";

/** Port of the pages. */
export const HTTP_PORT = 9807;

/** Port of HAProxy's agent-check, which is no HTTP and so has one of its own. */
export const AGENT_PORT = 9808;

/** The addresses of IPv6 that can be listened on. */
export const IPV6_ADDRESSES: readonly string[] = ["::", "::1"];

/**
 * Why a text is no address that can be listened on; undefined where it is one. Names are none: to look one up
 * takes the network. Never throws.
 */
export function maybeAddressProblem(text: string): string | undefined {
  if (maybeIpVersion(text) === 4 || IPV6_ADDRESSES.includes(text)) return undefined;
  return text.includes(":")
    ? `${quote(text)} cannot be listened on, of IPv6 only :: (all addresses) and ::1 can`
    : `${quote(text)} is no IP address, expected one such as 127.0.0.1, 0.0.0.0 (all of IPv4) or ::`;
}
