/**
 * Publishes in a world what a test plays, and prints what it tells: `outlets_program.ts HTTP AGENT`, addresses with
 * commas between them. The test plays by a file: `in`, `drained`, `starting`, `late`, or `in block`.
 */

import { systemClock } from "../adapters/clock.ts";
import { openDiagnostics } from "../adapters/diagnostics.ts";
import { openOutlets, type OutletPlan } from "../adapters/outlets/outlets.ts";
import { maybeText } from "../adapters/quiet_file.ts";
import { DEFAULT_WEIGHTS } from "../mod/probe/outlets/agent_line.ts";
import type { Published } from "../mod/probe/outlets/published.ts";
import { DEFAULT_TRACK_DRAINED } from "../mod/probe/outlets/track_value.ts";
import { aVerdict } from "../mod/testing/probe.ts";

const PLAY = "/run/loadweir/state/play";
const TICK_MS = 200;

function published(): Published {
  const [phase = "", block] = (maybeText(PLAY) ?? "starting").trim().split(" ");
  const verdict = phase === "drained"
    ? aVerdict({ phase, reason: "check-failed", text: "swap: 1.20 % of swap free" })
    : aVerdict({ phase: phase === "starting" ? phase : "in" });
  return {
    verdict,
    ageMs: phase === "late" ? 60_000 : 0,
    tickMs: TICK_MS,
    crawlerBlock: block !== undefined,
  };
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

const { tellChange } = await openDiagnostics(print);
const [http = "", agent = ""] = Deno.args;
const plan: OutletPlan = {
  httpAddresses: http.split(",").filter((address) => address !== ""),
  agentAddresses: agent.split(",").filter((address) => address !== ""),
  weights: DEFAULT_WEIGHTS,
  trackDrainedValue: DEFAULT_TRACK_DRAINED,
};
const outlets = openOutlets(() => plan, {
  clock: systemClock,
  published,
  tellChange,
});
const ticks = setInterval(outlets.publish, TICK_MS);
Deno.addSignalListener("SIGTERM", async () => {
  clearInterval(ticks);
  await outlets.close();
  print("closed");
  Deno.exit(0);
});
