/**
 * Silence by the kernel's own switches. It outlives the agent, and others set it back: `ufw reload` does. So it is looked
 * at on each call, which takes two small reads where there is a proc root, and written down before it is set.
 */

import { messageOf } from "../../mod/errors.ts";
import { ECHO_SYSCTLS, parseEchoIgnored, sysctlPath, writeArguments } from "../../mod/drain/echo_sysctl.ts";
import { FAMILIES, type Family, FAMILY_NAMES } from "../../mod/drain/family.ts";
import { mechanismOk, type MechanismOutcome } from "../../mod/drain/ping_outcome.ts";
import { absent, failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import type { Source } from "../source.ts";
import { type MechanismPorts, type PingMechanism, runFirst } from "./mechanism.ts";

const PROGRAMS = ["/usr/sbin/sysctl", "/sbin/sysctl"];

const DEADLINE_MS = 3_000;

/** Whoever holds the lock only sets a switch, or reloads ufw. */
const LOCK_DEADLINE_MS = 3_000;

/** The switches; absent where the kernel has none. */
export type EchoSwitches = Readonly<Record<Family, Reading<boolean>>>;

/** Opens the way by the switches. */
export function openSysctl({ run, source, claims, lock }: MechanismPorts): PingMechanism {
  let isFirst = true;
  const otherText = claims.owner === "agent" ? "by block-pings" : "by the agent that drains this host";

  async function set(families: readonly Family[], isIgnored: boolean): Promise<string | undefined> {
    if (families.length === 0) return undefined;
    const { problem } = await runFirst(run, PROGRAMS, writeArguments(families, isIgnored), {
      deadlineMs: DEADLINE_MS,
    });
    const now = await readSwitches(run, source);
    const wrong = families.filter((family) => maybeValue(now[family]) !== isIgnored);
    if (wrong.length === 0) return undefined;
    const seen = wrong.map((family) => `${ECHO_SYSCTLS[family]} is not ${isIgnored ? 1 : 0}`).join(" and ");
    return `${seen} after ${problem ?? "it was set"}`;
  }

  async function silence(): Promise<MechanismOutcome> {
    const switches = await readSwitches(run, source);
    const broken = FAMILIES.map((family) => switches[family]).find((reading) => reading.kind === "failed");
    if (broken?.kind === "failed") return { kind: "failed", error: broken.error };
    const known = FAMILIES.filter((family) => switches[family].kind === "ok");
    if (known.length === 0) {
      return { kind: "failed", error: `this kernel has no ${ECHO_SYSCTLS.ipv4}, choose another mechanism` };
    }
    const answering = known.filter((family) => maybeValue(switches[family]) === false);
    const own = claims.own();
    const unclaimed = known.filter((family) => !own.sysctl.includes(family));
    const note = noteOf(answering.some((family) => own.sysctl.includes(family)), switches);
    if (answering.length === 0 && unclaimed.length === 0) return mechanismOk(false, note);
    // One that another of us has set is ours as well; one that a stranger has set is not.
    const others = claims.others().sysctl;
    const wanted = unclaimed.filter((family) => answering.includes(family) || others.includes(family));
    if (answering.length === 0 && wanted.length === 0) {
      return mechanismOk(false, note, unclaimed.length === known.length);
    }
    const held = await lock(LOCK_DEADLINE_MS);
    if (held.kind === "failed") return held;
    try {
      if (wanted.length > 0) {
        const written = claims.write({ ...own, sysctl: [...own.sysctl, ...wanted] });
        if (written.kind === "failed") {
          return {
            kind: "failed",
            error: `${written.error}; pings go on, since nobody would know who stopped them`,
          };
        }
      }
      const problem = await set(answering, true);
      if (problem === undefined) return mechanismOk(answering.length > 0, note);
      // What could not be set is not ours: whoever sets it later means it.
      const now = await readSwitches(run, source);
      claims.write({
        ...own,
        sysctl: claims.own().sysctl.filter((family) =>
          own.sysctl.includes(family) || maybeValue(now[family]) !== false
        ),
      });
      return { kind: "failed", error: problem };
    } finally {
      held.close();
    }
  }

  async function answer(): Promise<MechanismOutcome> {
    const own = claims.own();
    if (own.sysctl.length === 0) return await foundSilent();
    const held = await lock(LOCK_DEADLINE_MS);
    if (held.kind === "failed") return held;
    try {
      const others = claims.others().sysctl;
      const switches = await readSwitches(run, source);
      const silent = own.sysctl.filter((family) =>
        !others.includes(family) && switches[family].kind !== "absent" &&
        maybeValue(switches[family]) !== false
      );
      const problem = await set(silent, false);
      if (problem !== undefined) return { kind: "failed", error: problem };
      const written = claims.write({ ...own, sysctl: [] });
      if (written.kind === "failed") return written;
      return mechanismOk(silent.length > 0, "", own.sysctl.some((family) => others.includes(family)));
    } finally {
      held.close();
    }
  }

  /** Whether others keep pings from being answered. Asked of a program once, of a proc root each time. */
  async function foundSilent(): Promise<MechanismOutcome> {
    if (source.kind === "kernel-calls" && !isFirst) return mechanismOk(false);
    isFirst = false;
    const switches = await readSwitches(run, source);
    const silent = FAMILIES.filter((family) => maybeValue(switches[family]) === true);
    const others = silent.length === 0 ? [] : claims.others().sysctl;
    const note = silent.map((family) =>
      `${ECHO_SYSCTLS[family]} is 1, ${others.includes(family) ? otherText : "which was not set here"}`
    ).join("; ");
    return mechanismOk(false, note, silent.length > 0);
  }

  return { name: "sysctl", silence, answer };
}

/** Reads the switches, from the proc root where there is one, else by one program. Never rejects. */
export async function readSwitches(run: RunCommand, source: Source): Promise<EchoSwitches> {
  if (source.kind === "proc-root") {
    return { ipv4: readSwitch("ipv4", source.root), ipv6: readSwitch("ipv6", source.root) };
  }
  const args = FAMILIES.map((family) => ECHO_SYSCTLS[family]);
  const { result, problem } = await runFirst(run, PROGRAMS, args, { deadlineMs: DEADLINE_MS });
  return { ipv4: switchOf("ipv4", result, problem), ipv6: switchOf("ipv6", result, problem) };
}

function readSwitch(family: Family, root: string): Reading<boolean> {
  const path = `${root}/${sysctlPath(family)}`;
  try {
    return ok(parseEchoIgnored(Deno.readTextFileSync(path), path));
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? absent(whyAbsent(family)) : failed(messageOf(error));
  }
}

/** What sysctl(8) printed of one switch; it goes on with the others where it lacks one. */
function switchOf(
  family: Family,
  { stdout, stderr, timedOut }: CommandResult,
  problem: string | undefined,
): Reading<boolean> {
  const name = ECHO_SYSCTLS[family];
  const line = stdout.split("\n").find((printed) => printed.startsWith(`${name} = `));
  try {
    if (line !== undefined) return ok(parseEchoIgnored(line.slice(`${name} = `.length), `sysctl ${name}`));
  } catch (error) {
    return failed(messageOf(error));
  }
  const isAbsent = !timedOut &&
    stderr.split("\n").some((printed) =>
      printed.includes(`/${sysctlPath(family)}:`) && printed.includes("No such file or directory")
    );
  return isAbsent ? absent(whyAbsent(family)) : failed(problem ?? `sysctl ${name} printed nothing`);
}

function whyAbsent(family: Family): string {
  return `this kernel has no ${ECHO_SYSCTLS[family]}`;
}

function noteOf(wasSetBack: boolean, switches: EchoSwitches): string {
  const missing = FAMILIES.filter((family) => switches[family].kind === "absent");
  return [
    ...wasSetBack ? ["somebody had set it back, it is set again"] : [],
    ...missing.map((family) => `${FAMILY_NAMES[family]} is as it was: ${whyAbsent(family)}`),
  ].join("; ");
}
