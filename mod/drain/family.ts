/** The two kinds of ping: ICMP echo over IPv4, ICMPv6 echo over IPv6. */

/** An address family. */
export type Family = "ipv4" | "ipv6";

/** Both, in the order in which they are told. */
export const FAMILIES: readonly Family[] = ["ipv4", "ipv6"];

/** As people write them. */
export const FAMILY_NAMES: Readonly<Record<Family, string>> = { ipv4: "IPv4", ipv6: "IPv6" };
