/**
 * `loadweir block-pings` and `allow-pings`: what a person, or a script of theirs, asks for.
 *
 * They say nothing when nothing changes. What they silence is theirs: an agent that runs beside them neither renews nor ends
 * it, and they do not end what the agent has silenced.
 */

import { durationType } from "../../mod/config/values.ts";
import { PING_MODES, type PingMode, type PingOutcome } from "../../mod/drain/ping_outcome.ts";
import { readBootId, readUptimeMs } from "../boot.ts";
import { createClock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { openIcmp } from "../drain/icmp.ts";
import { isRoot } from "../is_root.ts";
import { chooseSource } from "../source.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { complain, print } from "./output.ts";

const FOR = durationType(1_000, 7 * 86_400_000);

const MODES = PING_MODES.filter((mode) => mode !== "off");

/** Stops answering pings, until it is allowed again, the time is over or the host is booted. */
export function blockPings(args: Arguments): Promise<ExitCode> {
  return switchPings(args, true);
}

/** Ends what `block-pings` did. */
export function allowPings(args: Arguments): Promise<ExitCode> {
  return switchPings(args, false);
}

async function switchPings(args: Arguments, silent: boolean): Promise<ExitCode> {
  const mode = modeOf(args);
  const forMs = silent ? timeOf(args, "for", FOR) : undefined;
  if (forMs !== undefined && mode !== "nft") {
    throw new UsageError("--for needs --mode nft: nothing else ends by itself");
  }
  return await pingsByHand(mode, silent, forMs === undefined ? undefined : Math.ceil(forMs / 1000));
}

/**
 * Says once, as a person, that pings be answered or not, and what came of it; nothing when nothing changed. Needs root.
 *
 * @param expiresS Seconds until silence by nft ends by itself; undefined is never
 */
export async function pingsByHand(mode: PingMode, silent: boolean, expiresS?: number): Promise<ExitCode> {
  if (!isRoot()) {
    complain("This script must be run by root.");
    return EXIT.failed;
  }
  const outcome = await wantByHand(mode, silent, expiresS);
  if (outcome.kind === "failed") {
    complain(`loadweir: ${outcome.text}`);
    return EXIT.failed;
  }
  if (!silent && outcome.pings === "found-silent") complain(`loadweir: ${outcome.text}`);
  if (outcome.changed) print(`ICMP ping requests are now ${silent ? "being blocked" : "allowed"}.\n`);
  return EXIT.ok;
}

/** Never rejects. */
async function wantByHand(mode: PingMode, silent: boolean, expiresS?: number): Promise<PingOutcome> {
  const { source } = chooseSource(undefined, undefined);
  const clock = createClock(readUptimeMs(source));
  const boot = readBootId(source, clock.monotonicMs(), clock.wallMs());
  const icmp = openIcmp({ mode, owner: "by-hand", expiresS, boot }, { run: runCommand, clock, source });
  return await icmp.want(silent);
}

function modeOf(args: Arguments): PingMode {
  const word = args.value("mode") ?? "auto";
  const mode = MODES.find((known) => known === word);
  if (mode === undefined) {
    throw new UsageError(`--mode is ${JSON.stringify(word)}, expected ${MODES.join(", ")}`);
  }
  return mode;
}
