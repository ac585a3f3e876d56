/** What the sandbox says of a connection, asked before it is tried: refused by it, it looks as if nobody listened. */

import { LOOPBACK_ADDRESSES } from "../../mod/permissions.ts";
import { endpointText } from "../../mod/ip_address.ts";

/** Why a connection is not granted, with the cure; undefined where it is. Never throws. */
export function maybeRefusedConnection(address: string, port: number): string | undefined {
  const host = endpointText(address, port);
  if (Deno.permissions.querySync({ name: "net", host }).state === "granted") return undefined;
  return `this binary may not connect to ${host}, only to ${
    LOOPBACK_ADDRESSES.join(" and ")
  }: probe the site at one of them`;
}
