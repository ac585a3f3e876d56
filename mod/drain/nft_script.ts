/**
 * The nftables table that drops echo requests to this host, as scripts for `nft -f -`.
 *
 *     table inet loadweir {
 *       set silent { type inet_proto; flags timeout; elements = { icmp timeout 15s, icmpv6 timeout 15s } }
 *       chain input {
 *         type filter hook input priority -300; policy accept;
 *         iifname "lo" accept
 *         icmp type echo-request meta l4proto @silent drop
 *         icmpv6 type echo-request meta l4proto @silent drop
 *       }
 *     }
 *
 * - The input hook sees what is for this host and nothing that it forwards. A drop is final there, wherever other tables
 *   accept, also for a ping that conntrack knows; -300 is before all of them, so none counts what is dropped.
 * - Of ICMPv6 only type 128 is matched: neighbours and routers are heard.
 * - The rules bite while the set has an element, and that expires. Each refresh puts a whole new table in place of the old
 *   one in one transaction, since adding an element that is there does not prolong its life. So whatever others did to
 *   the table is put right as well, and no instant lets a ping through.
 *
 * @see https://wiki.nftables.org/wiki-nftables/index.php/Netfilter_hooks
 */

import { FAMILIES, type Family } from "./family.ts";
import { isEverybody, type PingScope } from "./scope.ts";

/** Names of the tables: each of those who silence has one, and touches no other. */
export const NFT_TABLES = { agent: "loadweir", "by-hand": "loadweir_by_hand" } as const;

/** Where it is tried whether all this works here; never there for others to see. */
const TRIED_TABLE = "loadweir_try";

const PROTOCOLS: Readonly<Record<Family, string>> = { ipv4: "icmp", ipv6: "icmpv6" };
const SOURCES: Readonly<Record<Family, string>> = { ipv4: "ip saddr", ipv6: "ip6 saddr" };

/** A table that drops echo requests. */
export interface SilenceTable {
  readonly table: string;
  readonly scope: PingScope;
  /** Seconds until pings are answered again by themselves; undefined is never. */
  readonly expiresS: number | undefined;
}

/**
 * The script that makes or renews a table in one transaction.
 *
 * @param isThere Whether it is known to be there: then the script fails where somebody has removed it
 */
export function renderSilence({ table, scope, expiresS }: SilenceTable, isThere: boolean): string {
  const life = expiresS === undefined ? "" : ` timeout ${expiresS}s`;
  const rules = silencedFamilies(scope).map((family) => {
    const from = scope[family].length === 0 ? "" : `${SOURCES[family]} { ${scope[family].join(", ")} } `;
    return `    ${from}${PROTOCOLS[family]} type echo-request meta l4proto @silent drop\n`;
  });
  return [
    isThere ? "" : `add table inet ${table}\n`,
    `delete table inet ${table}\n`,
    `table inet ${table} {\n`,
    `  set silent { type inet_proto; flags timeout; elements = { icmp${life}, icmpv6${life} } }\n`,
    "  chain input {\n",
    "    type filter hook input priority -300; policy accept;\n",
    '    iifname "lo" accept\n',
    ...rules,
    "  }\n}\n",
  ].join("");
}

/** The script that removes a table; it fails where there is none. */
export function renderAnswer(table: string): string {
  return `delete table inet ${table}\n`;
}

/** A script that needs of nft and the kernel all that silence needs, and leaves nothing behind. */
export function renderTry(scope: PingScope): string {
  return renderSilence({ table: TRIED_TABLE, scope, expiresS: 1 }, false) + renderAnswer(TRIED_TABLE);
}

/** The families whose pings are dropped: with a scope, those that it names. */
export function silencedFamilies(scope: PingScope): readonly Family[] {
  return isEverybody(scope) ? FAMILIES : FAMILIES.filter((family) => scope[family].length > 0);
}

/**
 * Whether a table drops echo requests at this time, as `nft list table` or the echo of a transaction tells: each family
 * has its rule, and the set its elements. One that has expired is not listed. Never throws.
 */
export function isSilent(text: string, scope: PingScope): boolean {
  const dropped = text.split("\n").filter((line) => /\becho-request\b.*\bdrop\b/.test(line)).length;
  const elements = [...text.matchAll(/(?:elements = |element inet \S+ silent )\{([^}]*)\}/g)]
    .map(([, words = ""]) => words).join(" ");
  return dropped >= silencedFamilies(scope).length && /(?<!-)\bicmp\b/.test(elements) &&
    /\b(?:ipv6-icmp|icmpv6)\b/.test(elements);
}
