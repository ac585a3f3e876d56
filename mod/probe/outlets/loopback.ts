/** Whether a peer is this host itself. */

/**
 * Whether an address of a peer is one of loopback, which no other host can have: 127.0.0.0/8, ::1, and the former as a
 * socket of IPv6 writes it. Never throws.
 *
 * @param address IP address as the runtime writes it
 */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address);
}
