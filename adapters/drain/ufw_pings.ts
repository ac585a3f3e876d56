/**
 * Silence by ufw's own rules, as block-pings has always done it: for hosts whose people want to see it there.
 *
 * It does not reach a pinger that goes on with the id it had: ufw accepts what conntrack knows before it looks at these
 * lines. It outlives a reboot, so an agent that never comes back leaves the host silent. A reload takes seconds, in which
 * single packets are lost, so it is for hosts that are drained seldom.
 */

import { FAMILIES, type Family } from "../../mod/drain/family.ts";
import { messageOf } from "../../mod/errors.ts";
import { mechanismOk, type MechanismOutcome } from "../../mod/drain/ping_outcome.ts";
import { acceptEcho, countEchoLines, dropEcho, originalOf, UFW_FILES } from "../../mod/drain/ufw_rules.ts";
import { describeFileError, type WriteOutcome } from "../atomic_file.ts";
import type { MechanismPorts, PingMechanism } from "./mechanism.ts";
import { keepOriginal, removeIfThere, replaceKeepingOwner } from "./rules_file.ts";
import { maybeReloadProblem, maybeRulesProblem, whyNoUfw } from "./ufw_reload.ts";

/** Longer than the reload of another one who silences. */
const LOCK_DEADLINE_MS = 75_000;

/** The rules of one family, and what they were before an edit of ours. */
interface Rules {
  readonly family: Family;
  readonly path: string;
  readonly text: string;
  readonly original: string | undefined;
}

/** Opens the way by ufw. */
export function openUfw({ run, claims, lock }: MechanismPorts): PingMechanism {
  /** Whether something of ours may be there. */
  let mayBeOurs = true;
  /** Whether somebody else may have silenced the host by the same rules. */
  let mayBeFound = true;

  async function change(
    act: (rules: readonly Rules[]) => Promise<MechanismOutcome>,
  ): Promise<MechanismOutcome> {
    const held = await lock(LOCK_DEADLINE_MS);
    if (held.kind === "failed") return held;
    try {
      return await act(readRules());
    } catch (error) {
      return { kind: "failed", error: whyFailed(error) };
    } finally {
      held.close();
    }
  }

  /** Writes down that the rules are edited or loaded, before they are. */
  function claim(): WriteOutcome {
    const own = claims.own();
    mayBeOurs = true;
    return own.ufw ? { kind: "ok" } : claims.write({ ...own, ufw: true });
  }

  async function drop(rules: readonly Rules[]): Promise<MechanismOutcome> {
    const isNew = !claims.own().ufw;
    const texts = new Map(rules.map(({ path, text, family }) => [path, dropEcho(text, family)]));
    const refused = whyNoUfw() ?? await maybeRulesProblem(run, texts);
    if (refused !== undefined) return { kind: "failed", error: refused };
    const written = claim();
    if (written.kind === "failed") return written;
    for (const { path, text } of rules) {
      const wanted = texts.get(path) ?? text;
      if (wanted === text) continue;
      keepOriginal(path, originalOf(path));
      try {
        replaceKeepingOwner(path, wanted);
      } catch (error) {
        // Kept beside a file that is as it was, it would say that this was edited.
        removeIfThere(originalOf(path));
        throw error;
      }
    }
    const problem = await maybeReloadProblem(run);
    if (problem === undefined) {
      return mechanismOk(true, isNew ? "" : "somebody had put the rules back, they are edited again");
    }
    const back = await accept(readRules());
    return {
      kind: "failed",
      error: `${problem}; ${back.kind === "ok" ? "the rules are as they were" : back.error}`,
    };
  }

  async function accept(rules: readonly Rules[]): Promise<MechanismOutcome> {
    if (claims.others().ufw) {
      const written = claims.write({ ...claims.own(), ufw: false });
      return written.kind === "failed" ? written : mechanismOk(false, "by hand", true);
    }
    // From here on the files tell nothing any more. Rules that nobody remembers are better than silence.
    claim();
    for (const { family, path, text, original } of rules) {
      if (original === undefined) continue;
      const wanted = acceptEcho(text, original, family);
      // The original itself comes back, with its times and all.
      if (wanted === original && wanted !== text) Deno.renameSync(originalOf(path), path);
      else if (wanted !== text) replaceKeepingOwner(path, wanted);
      removeIfThere(originalOf(path));
    }
    // What is off is loaded as it is now, when it is switched on.
    if (whyNoUfw() === undefined) {
      const problem = await maybeRulesProblem(run, new Map()) ?? await maybeReloadProblem(run);
      if (problem !== undefined) return { kind: "failed", error: problem };
    }
    const written = claims.write({ ...claims.own(), ufw: false });
    if (written.kind === "failed") return written;
    mayBeOurs = false;
    return mechanismOk(true);
  }

  return {
    name: "ufw",
    async silence(): Promise<MechanismOutcome> {
      let rules: readonly Rules[];
      try {
        rules = readRules();
      } catch (error) {
        return { kind: "failed", error: whyFailed(error) };
      }
      const counts = rules.map(({ text, family }) => countEchoLines(text, family));
      if (counts.every(({ accept, drop }) => accept + drop === 0)) {
        return {
          kind: "failed",
          error: "ufw's rules have no line for echo requests, choose another mechanism",
        };
      }
      const isOurs = claims.own().ufw;
      if (counts.some((count) => count.accept > 0)) return await change(drop);
      const isKept = rules.some(({ original }) => original !== undefined);
      // An edit of ours from before a reboot, or of the other one of us, is one to take back later.
      if (isKept && !isOurs) {
        const written = claim();
        if (written.kind === "failed") return written;
      }
      return mechanismOk(false, "", !isKept && !isOurs);
    },
    async answer(): Promise<MechanismOutcome> {
      if (!mayBeOurs && !mayBeFound) return mechanismOk(false);
      const own = claims.own();
      let rules: readonly Rules[] = [];
      try {
        rules = readRules();
      } catch (error) {
        // No ufw, nothing of ours.
        if (!(error instanceof Deno.errors.NotFound)) return { kind: "failed", error: whyFailed(error) };
        if (own.ufw) claims.write({ ...own, ufw: false });
      }
      const isEdited = rules.some(({ original }) => original !== undefined);
      if (rules.length > 0 && (isEdited || own.ufw)) return await change(accept);
      mayBeOurs = false;
      mayBeFound = whyNoUfw() === undefined && rules.some(isDropping);
      return mechanismOk(
        false,
        mayBeFound ? "ufw's rules drop echo requests, which was not set here" : "",
        mayBeFound,
      );
    },
  };
}

function isDropping({ text, family }: Rules): boolean {
  const { accept, drop } = countEchoLines(text, family);
  return accept === 0 && drop > 0;
}

/** @throws What `Deno.readTextFileSync` throws, but for an original that is not there */
function readRules(): readonly Rules[] {
  return FAMILIES.map((family) => {
    const path = UFW_FILES[family];
    return {
      family,
      path,
      text: Deno.readTextFileSync(path),
      original: maybeText(originalOf(path)),
    };
  });
}

function maybeText(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function whyFailed(error: unknown): string {
  const message = messageOf(error);
  return `Cannot edit ufw's rules: ${
    describeFileError(error, /\/etc\/ufw\/[\w.-]+/.exec(message)?.[0] ?? "/etc/ufw")
  }`;
}
