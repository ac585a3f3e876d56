/**
 * Whether this host answers pings: the one outlet that a balancer which only pings can see.
 *
 * The wish is absolute and said again on each tick. What is silenced by somebody else stays silent, and what was silenced
 * here is answered again, whoever of us comes to it: the same process, or one that is started after it was killed.
 */

import type { PingOwner } from "../../mod/drain/claims.ts";
import {
  type MechanismName,
  mechanismOk,
  type MechanismOutcome,
  type PingMode,
  type PingOutcome,
  pingOutcome,
} from "../../mod/drain/ping_outcome.ts";
import { EVERYBODY, isEverybody, type PingScope } from "../../mod/drain/scope.ts";
import { messageOf } from "../../mod/errors.ts";
import { openClaims } from "./claims_file.ts";
import type { MechanismPorts, PingMechanism } from "./mechanism.ts";
import { isNftMissing, openNft, whyNoNft } from "./nft_pings.ts";
import { takePingLock } from "./pings_lock.ts";
import { openSysctl } from "./sysctl_pings.ts";
import { openUfw } from "./ufw_pings.ts";

/** How pings are to be silenced. */
export interface IcmpOptions {
  readonly mode: PingMode;
  /** Whose pings are not answered. Default: everybody's. Only nft can tell them apart. */
  readonly scope?: PingScope;
  /** For whom. Each has silence of its own, which the other does not end. */
  readonly owner: PingOwner;
  /** Seconds from one wish for silence until it ends by itself, under nft; undefined is never. */
  readonly expiresS: number | undefined;
  /** A word that is another one after each boot. */
  readonly boot: string;
  /** What must have ended before the first wish: the switch of the same owner that this one replaces. Never rejects. */
  readonly after?: Promise<unknown>;
}

/** What it takes. */
export interface IcmpPorts extends Pick<MechanismPorts, "run" | "clock" | "source"> {
  /** The ways besides nft. Default: those of this host. */
  readonly others?: readonly PingMechanism[];
}

/**
 * The switch. Its functions never reject, and one call waits for the one before. While one is waited for, the newest wish
 * counts, and whoever had an older one is told what came of that.
 */
export interface Icmp {
  /** Makes it so, or looks whether it still is. Say it on each tick. */
  readonly want: (silent: boolean) => Promise<PingOutcome>;
  /** Ends all silence of this owner, and takes away what serves it: for a clean stop. */
  readonly release: () => Promise<PingOutcome>;
}

/** Ticks that silence outlives the agent, under nft. */
const LIFE_TICKS = 3;

/** How long silence of an agent lasts when it is not renewed, in seconds: three ticks. */
export function expiryOf(tickMs: number): number {
  return Math.ceil(LIFE_TICKS * tickMs / 1000);
}

/** What is in use, and why that is not nft. */
interface Choice {
  readonly name: MechanismName;
  readonly why: string;
}

/** Opens the switch; nothing is looked at before the first wish. */
export function openIcmp(
  { mode, scope = EVERYBODY, owner, expiresS, boot, after = Promise.resolve() }: IcmpOptions,
  { run, clock, source, others: given }: IcmpPorts,
): Icmp {
  const ports: MechanismPorts = {
    run,
    clock,
    source,
    claims: openClaims(owner, boot),
    lock: (deadlineMs) => takePingLock(`pings ${owner}`, clock, deadlineMs),
  };
  const nft = openNft(run, { owner, scope, expiresS });
  const mechanisms: readonly PingMechanism[] = [nft, ...given ?? [openSysctl(ports), openUfw(ports)]];
  let chosen: Choice | undefined;
  /** Something else than nft is in use, though nft is here: it failed, as on a host that is out of memory. */
  let isStandIn = false;
  let last = after;
  /** The wish whose turn has not come: there is no more than one, however long a program takes. */
  let next: { act: () => Promise<PingOutcome>; readonly outcome: Promise<PingOutcome> } | undefined;

  async function choose(): Promise<Choice | undefined> {
    if (mode === "off") return undefined;
    if (mode !== "auto") return { name: mode, why: "" };
    if (chosen !== undefined) return chosen;
    const why = await whyNoNft(run, scope);
    isStandIn = why !== undefined && !isNftMissing(why);
    return chosen = why === undefined
      ? { name: "nft", why: "" }
      : { name: "sysctl", why: `nft cannot: ${why}` };
  }

  async function silence(): Promise<PingOutcome> {
    let choice = await choose();
    if (choice === undefined) return await answer();
    // What nft could not do a moment ago it may do now, and its silence alone ends by itself.
    let outcome = await silenceBy(isStandIn ? "nft" : choice.name);
    if (isStandIn && outcome.kind === "ok") {
      choice = chosen = { name: "nft", why: "" };
      isStandIn = false;
    } else if (outcome.kind === "failed" && mode === "auto" && (isStandIn || choice.name === "nft")) {
      // The host is to be drained all the same.
      choice = chosen = { name: "sysctl", why: `nft cannot now: ${outcome.error}` };
      isStandIn = true;
      outcome = await silenceBy(choice.name);
    }
    const { name, why } = choice;
    // First the new way, then the end of an older one.
    const others = outcome.kind === "ok" ? await answerBy(mechanisms.filter((way) => way.name !== name)) : [];
    return pingOutcome({
      wanted: "silent",
      mechanism: name,
      outcome,
      otherChanged: others.some(isChanged),
      notes: [
        why,
        name === "nft" || isEverybody(scope) ? "" : `for everybody, since ${name} knows no scope`,
        ...others.map(([other, end]) => end.kind === "failed" ? `${other}: ${end.error}` : ""),
      ],
    });
  }

  async function silenceBy(name: MechanismName): Promise<MechanismOutcome> {
    return await mechanisms.find((way) => way.name === name)?.silence() ?? mechanismOk(false);
  }

  async function answer(): Promise<PingOutcome> {
    const mechanism = (await choose())?.name;
    const ends = await answerBy(mechanisms);
    if (isStandIn) {
      chosen = undefined;
      isStandIn = false;
    }
    const failures = ends.flatMap(([name, end]) => end.kind === "failed" ? [`${name}: ${end.error}`] : []);
    const found = ends.map(([, end]) => end).find((end) => end.kind === "ok" && end.foundSilent);
    const outcome: MechanismOutcome = failures.length > 0
      ? { kind: "failed", error: failures.join("; ") }
      : found ?? mechanismOk(false);
    return pingOutcome({
      wanted: "answered",
      mechanism,
      outcome,
      otherChanged: ends.some(isChanged),
      notes: [],
    });
  }

  function inTurn(act: () => Promise<PingOutcome>): Promise<PingOutcome> {
    if (next !== undefined) {
      next.act = act;
      return next.outcome;
    }
    const outcome = last.then(() => {
      const newest = next?.act ?? act;
      next = undefined;
      return newest();
    }).catch(unexpected);
    next = { act, outcome };
    last = outcome;
    return outcome;
  }

  return { want: (silent) => inTurn(silent ? silence : answer), release: () => inTurn(answer) };
}

/** What one mechanism came to. */
type End = readonly [name: MechanismName, outcome: MechanismOutcome];

async function answerBy(ways: readonly PingMechanism[]): Promise<readonly End[]> {
  const ends: End[] = [];
  for (const way of ways) ends.push([way.name, await way.answer()]);
  return ends;
}

function isChanged([, outcome]: End): boolean {
  return outcome.kind === "ok" && outcome.changed;
}

/** A fault of this program: the next tick tries again. */
function unexpected(error: unknown): PingOutcome {
  return {
    kind: "failed",
    pings: "unknown",
    mechanism: undefined,
    changed: false,
    text: `Cannot switch pings: ${messageOf(error)}`,
  };
}
