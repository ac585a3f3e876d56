/** Addresses of IP as text. */

/** A byte without leading zeros, which some read as octal. */
const BYTE = /^(?:0|[1-9]\d{0,2})$/;

const GROUP = /^[0-9a-fA-F]{1,4}$/;

/**
 * Which version of IP a text is an address of; undefined for names and for what is no address, as one with a zone.
 * Never throws.
 *
 * @param text `127.0.0.1` or `::1`, without brackets
 * @see https://www.rfc-editor.org/rfc/rfc4291#section-2.2
 */
export function maybeIpVersion(text: string): 4 | 6 | undefined {
  if (isIpv4(text)) return 4;
  return isIpv6(text) ? 6 : undefined;
}

function isIpv4(text: string): boolean {
  const bytes = text.split(".");
  return bytes.length === 4 && bytes.every((byte) => BYTE.test(byte) && Number(byte) <= 255);
}

function isIpv6(text: string): boolean {
  // The last 32 bits may be written as in IPv4.
  const [, start, last] = /^(.*:)([\d.]+)$/.exec(text) ?? [];
  const plain = start !== undefined && last !== undefined && isIpv4(last) ? `${start}0:0` : text;
  const [left = "", right, ...more] = plain.split("::");
  const groups = [...groupsOf(left), ...groupsOf(right ?? "")];
  return more.length === 0 && groups.every((group) => GROUP.test(group)) &&
    (right === undefined ? groups.length === 8 : groups.length <= 7);
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}

/** An address and a port as one text: `127.0.0.1:80`, `[::1]:80`. */
export function endpointText(address: string, port: number): string {
  return `${hostText(address)}:${port}`;
}

/** A host as it stands before a port: an address of IPv6 in brackets. */
export function hostText(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
