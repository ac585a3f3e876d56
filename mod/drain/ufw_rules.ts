/**
 * The echo-request lines of ufw's `before.rules` and `before6.rules`, as block-pings and allow-pings have always edited them.
 *
 *     -A ufw-before-input -p icmp --icmp-type echo-request -j ACCEPT
 *     -A ufw6-before-input -p icmpv6 --icmpv6-type echo-request -j ACCEPT
 *
 * Only the input chains count: the same lines stand there for what is forwarded and, with IPv6, for what the host sends.
 *
 * @see https://manpages.debian.org/bookworm/ufw/ufw-framework.8.en.html
 */

import type { Family } from "./family.ts";

/** The files that are edited. */
export const UFW_FILES: Readonly<Record<Family, string>> = {
  ipv4: "/etc/ufw/before.rules",
  ipv6: "/etc/ufw/before6.rules",
};

/** All files that a reload loads, with the family of their rules: one mistake in any of them leaves the host half closed. */
export const UFW_LOADED: readonly (readonly [path: string, family: Family])[] = [
  ["/etc/ufw/before.rules", "ipv4"],
  ["/etc/ufw/before6.rules", "ipv6"],
  ["/etc/ufw/after.rules", "ipv4"],
  ["/etc/ufw/after6.rules", "ipv6"],
  ["/etc/ufw/user.rules", "ipv4"],
  ["/etc/ufw/user6.rules", "ipv6"],
];

/** The chain of each family through which packets for the host go. */
export const UFW_CHAINS: Readonly<Record<Family, string>> = {
  ipv4: "ufw-before-input",
  ipv6: "ufw6-before-input",
};

/** Where the file stays as it was before the edit. */
export function originalOf(path: string): string {
  return `${path}.loadweir-original`;
}

/** Where the edited text is until it takes its place. */
export function newNameOf(path: string): string {
  return `${path}.loadweir-new`;
}

const ECHO_LINES: Readonly<Record<Family, RegExp>> = {
  ipv4: /^(-A ufw-before-input .*--icmp-type echo-request .*-j )(ACCEPT|DROP)([ \t\r]*)$/gm,
  ipv6: /^(-A ufw6-before-input .*--icmpv6-type echo-request .*-j )(ACCEPT|DROP)([ \t\r]*)$/gm,
};

/** How many lines accept echo requests to the host, and how many drop them. */
export function countEchoLines(
  text: string,
  family: Family,
): { readonly accept: number; readonly drop: number } {
  const targets = [...text.matchAll(echoLines(family))].map(([, , target]) => target);
  return {
    accept: targets.filter((target) => target === "ACCEPT").length,
    drop: targets.filter((target) => target === "DROP").length,
  };
}

/** The text with every line that accepts echo requests dropping them; nothing else changes. */
export function dropEcho(text: string, family: Family): string {
  return text.replace(echoLines(family), "$1DROP$3");
}

/**
 * Takes an edit back: the original where nothing else was changed since, else the text of now with those lines
 * accepting again that accepted in the original. What somebody else changed stays.
 */
export function acceptEcho(text: string, original: string, family: Family): string {
  if (text === dropEcho(original, family)) return original;
  const accepting = new Set([...original.matchAll(echoLines(family))].map(([line]) => line.trimEnd()));
  return text.replace(echoLines(family), (line, rule: string, _target: string, end: string) => {
    const accepted = `${rule}ACCEPT`;
    return accepting.has(accepted) ? `${accepted}${end}` : line;
  });
}

/** Whether ufw is on, as the text of `ufw.conf` says. */
export function isUfwEnabled(conf: string): boolean {
  return /^[ \t]*ENABLED[ \t]*=[ \t]*["']?yes["']?[ \t]*$/im.test(conf);
}

/**
 * Whether rules drop echo requests to the host: the text of a file, or what `iptables -S` prints of those in force.
 * Undefined where no rule is about them. The first one decides.
 */
export function maybeDropsEcho(rules: string, family: Family): boolean | undefined {
  const line = rules.split("\n").find((rule) =>
    rule.startsWith(`-A ${UFW_CHAINS[family]} `) && /--icmp(?:v6)?-type (?:8|128|echo-request) /.test(rule)
  );
  return line === undefined ? undefined : /-j DROP\b/.test(line);
}

function echoLines(family: Family): RegExp {
  return new RegExp(ECHO_LINES[family]);
}
