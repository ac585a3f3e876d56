/**
 * Silence by a table of our own in nftables, which ends by itself when it is not renewed.
 *
 * While pings are to be answered no program runs. While they are not, one does on each call: it renews the table, and its
 * echo of what the kernel has taken is the look at it. Renewing less often would not be cheaper, because whether somebody
 * has flushed the rules only nft can tell.
 */

import { isSilent, NFT_TABLES, renderAnswer, renderSilence, renderTry } from "../../mod/drain/nft_script.ts";
import { mechanismOk, type MechanismOutcome } from "../../mod/drain/ping_outcome.ts";
import type { PingOwner } from "../../mod/drain/claims.ts";
import type { PingScope } from "../../mod/drain/scope.ts";
import type { RunCommand } from "../command.ts";
import { maybeProblem, type PingMechanism } from "./mechanism.ts";

const NFT = "/usr/sbin/nft";

/** A transaction takes some 20 ms, most of it waiting for the kernel; this is below the time between two calls. */
const DEADLINE_MS = 3_000;

/** What nft says of a table that is not there. */
const NO_TABLE = /No such file or directory/;

/** What is said where there is no nft, or no kernel that knows it. */
const NO_NFT = /could not be started|not supported/;

/** How pings are silenced by nft. */
export interface NftOptions {
  readonly owner: PingOwner;
  readonly scope: PingScope;
  /** Seconds from one call until silence ends by itself; undefined is never. */
  readonly expiresS: number | undefined;
}

/** What is known of the table. */
type Table = "unknown" | "there" | "absent";

/** Opens the way by nft. */
export function openNft(run: RunCommand, { owner, scope, expiresS }: NftOptions): PingMechanism {
  const table = NFT_TABLES[owner];
  let state: Table = "unknown";

  /** Whether the table silences now, as one that was left by an agent before may. */
  async function look(): Promise<"silent" | "there" | "absent" | { readonly problem: string }> {
    const args = ["list", "table", "inet", table];
    const result = await run(NFT, args, { deadlineMs: DEADLINE_MS });
    const problem = maybeProblem([NFT, ...args], result);
    if (problem === undefined) return isSilent(result.stdout, scope) ? "silent" : "there";
    return NO_TABLE.test(result.stderr) ? "absent" : { problem };
  }

  async function renew(): Promise<MechanismOutcome> {
    if (state === "unknown") {
      const seen = await look();
      if (typeof seen === "object") return { kind: "failed", error: seen.problem };
      // A table that does not expire is right as it is.
      if (seen === "silent" && expiresS === undefined) return mechanismOk(false);
      return await make(false, seen !== "silent", "");
    }
    if (state === "absent") return await make(false, true, "");
    const renewed = await make(true, false, "");
    if (renewed.kind === "ok" || !NO_TABLE.test(renewed.error)) return renewed;
    return await make(false, true, `somebody had removed table inet ${table}, it is there again`);
  }

  async function make(isThere: boolean, changed: boolean, note: string): Promise<MechanismOutcome> {
    const args = ["-e", "-f", "-"];
    const stdin = renderSilence({ table, scope, expiresS }, isThere);
    const result = await run(NFT, args, { deadlineMs: DEADLINE_MS, stdin });
    const problem = maybeProblem([NFT, ...args], result);
    if (problem !== undefined) {
      if (result.timedOut) state = "unknown";
      return { kind: "failed", error: problem };
    }
    state = "there";
    return isSilent(result.stdout, scope) ? mechanismOk(changed, note) : {
      kind: "failed",
      error:
        `table inet ${table} was set, and the kernel does not echo all of it; nft list table inet ${table} shows it`,
    };
  }

  return {
    name: "nft",
    silence: renew,
    async answer(): Promise<MechanismOutcome> {
      if (state === "absent") return mechanismOk(false);
      const seen = state === "there" ? "silent" : await look();
      if (typeof seen === "object") {
        // Where nft does not work nothing of it can be there, and what expires is gone in a moment.
        if (expiresS === undefined && !isNftMissing(seen.problem)) {
          return { kind: "failed", error: seen.problem };
        }
        state = "absent";
        return mechanismOk(false);
      }
      if (seen !== "absent") {
        const args = ["-f", "-"];
        const result = await run(NFT, args, { deadlineMs: DEADLINE_MS, stdin: renderAnswer(table) });
        const problem = maybeProblem([NFT, ...args], result);
        if (problem !== undefined && !NO_TABLE.test(result.stderr)) return { kind: "failed", error: problem };
      }
      state = "absent";
      return mechanismOk(seen === "silent");
    },
  };
}

/** Whether a problem says that there is no nft, or no kernel that knows it, which no later try changes. Never throws. */
export function isNftMissing(problem: string): boolean {
  return NO_NFT.test(problem);
}

/** Why nft cannot silence pings here; undefined when it can. It is tried, and leaves nothing behind. Never rejects. */
export async function whyNoNft(run: RunCommand, scope: PingScope): Promise<string | undefined> {
  const args = ["-f", "-"];
  const result = await run(NFT, args, { deadlineMs: DEADLINE_MS, stdin: renderTry(scope) });
  return maybeProblem([NFT, ...args], result);
}
