/** `loadweir status`: where this host stands now. */

import { loadFigure, type Thresholds, thresholdsOf } from "../../mod/config/thresholds.ts";
import { percentsOf, type Tier, tierOf } from "../../mod/ladder/tier.ts";
import type { LoadSample } from "../../mod/ladder/sample.ts";
import { formatLoad } from "../../mod/load_percent.ts";
import { maybeValue, type Reading, whyMissing } from "../../mod/reading.ts";
import { durationText } from "../../mod/report/duration.ts";
import { probeLines } from "../../mod/report/probe.ts";
import { holdLines } from "../../mod/report/hold.ts";
import { readBootId } from "../boot.ts";
import { type AgedState, readState, STATE_PATH } from "../state_file.ts";
import { timestamp } from "../../mod/report/timestamp.ts";
import { memoryText } from "../../mod/report/memory.ts";
import { renderLadder, row } from "../../mod/report/panel.ts";
import { readMemory } from "../memory.ts";
import { readPressureState } from "../pressure/pressure_state_file.ts";
import { describeSource } from "../source.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT } from "./exit_code.ts";
import { type Host, openHost } from "./host.ts";
import { complain, print } from "./output.ts";
import { notesOf } from "./notes.ts";

/** What `--exit-code` ends with. */
const TIER_EXIT: Readonly<Record<Tier, number>> = { normal: 0, spider: 10, max: 20, crit: 30 };

/** Prints the status; the exit code says the tier where that is asked for. */
export async function status(args: Arguments): Promise<number> {
  const host = await openHost(args);
  const sample = await host.sampler.take("load");
  host.processes.close();
  const { load } = sample;
  const seen = load.kind === "ok" ? load.value : undefined;
  const nowBootMs = host.clock.monotonicMs();
  const bootId = readBootId(host.source, nowBootMs, host.clock.wallMs());
  const agent = readState(STATE_PATH, { bootMs: nowBootMs, bootId });
  const pressure = maybeValue(readPressureState({ bootMs: nowBootMs, bootId }));
  if (args.has("json")) {
    const record = {
      ...statusRecord(host, seen, sample.wallMs),
      agent: agentRecord(agent),
      pressure: pressure?.record ?? null,
    };
    print(`${JSON.stringify(record)}\n`);
  } else {
    const lines = [
      ...agentLines(agent, nowBootMs, pressure?.brief ?? []),
      ...statusLines(host, seen, whyMissing(load)),
    ];
    print(`${lines.join("\n")}\n`);
    for (const note of notesOf(host)) complain(`loadweir: ${note}`);
  }
  if (!args.has("exit-code")) return EXIT.ok;
  return seen === undefined ? EXIT.failed : TIER_EXIT[tierOf(percentsOf(seen), host.settings.rules)];
}

/** An agent whose last pass is longer ago than this many intervals does not watch any more. */
const STALE_INTERVALS = 6;

function agentLines(
  agent: Reading<AgedState>,
  nowBootMs: number,
  pressure: readonly string[],
): readonly string[] {
  if (agent.kind === "absent") return [row("agent", "none has run since the host was booted")];
  if (agent.kind === "failed") return [row("agent", `unknown: ${agent.error}`)];
  const { state, ageMs } = agent.value;
  const isStale = ageMs === undefined || ageMs > STALE_INTERVALS * Math.max(state.intervalMs, 5_000);
  const age = ageMs === undefined ? "of another boot" : `${durationText(ageMs)} ago`;
  const agentText = state.endedWallMs !== undefined
    ? `ended at ${timestamp(state.endedWallMs)}`
    : isStale
    ? `gone: its last pass was ${age}`
    : `pid ${state.pid}, since ${timestamp(state.startedWallMs)}, last pass ${age}`;
  const lines = [
    row("agent", agentText),
    ...holdLines(state, nowBootMs).map((text, index) => row(index === 0 ? "HOLD" : "", text)),
  ];
  lines.push(
    ...probeLines(state.probe, nowBootMs).map((text, index) => row(index === 0 ? "probe" : "", text)),
  );
  lines.push(...pressure.map((text, index) => row(index === 0 ? "pressure" : "", text)));
  if (state.crawlerBlock) lines.push(row("crawlers", "blocked"));
  if (state.markers.length > 0) lines.push(row("markers", state.markers.join(", ")));
  for (const [label, events] of [["actions", state.lastActions], ["errors", state.lastErrors]] as const) {
    events.forEach(({ wallMs, text }, index) =>
      lines.push(row(index === 0 ? label : "", `${timestamp(wallMs)} ${text}`))
    );
  }
  return [...lines, ""];
}

function agentRecord(agent: Reading<AgedState>): unknown {
  return agent.kind === "ok" ? { ageMs: agent.value.ageMs ?? null, ...agent.value.state } : null;
}

function statusLines(
  host: Host,
  load: LoadSample | undefined,
  whyUnknown: string | undefined,
): readonly string[] {
  const { rules, config } = host.settings;
  const ladder = row("ladder", renderLadder(rules, load?.cpuCount));
  const source = row("source", describeSource(host.source));
  if (load === undefined) return [row("tier", `UNKNOWN: ${whyUnknown}`), ladder, source];
  const percents = percentsOf(load);
  const { load1Percent, load5Percent } = percents;
  const { taskPercent } = thresholdsOf(config);
  const tasks = percents.higherPercent > taskPercent ? "wait" : "may run";
  return [
    row("tier", tierOf(percents, rules).toUpperCase()),
    row(
      "load",
      `1m ${formatLoad(load.load1Hundredths)} = ${load1Percent.toFixed(1)} %   ` +
        `5m ${formatLoad(load.load5Hundredths)} = ${load5Percent.toFixed(1)} %   of ${load.cpuCount} CPUs`,
    ),
    ladder,
    row("memory", memoryText(readMemory(host.source))),
    row("tasks", `${tasks}: TASK > ${taskPercent} % (load ${loadFigure(taskPercent, load.cpuCount)})`),
    source,
  ];
}

function statusRecord(host: Host, load: LoadSample | undefined, wallMs: number): Record<string, unknown> {
  const { rules, config } = host.settings;
  const percents = load && percentsOf(load);
  const thresholds: Thresholds = thresholdsOf(config);
  return {
    ts: timestamp(wallMs),
    tier: percents === undefined ? "unknown" : tierOf(percents, rules),
    load1: load === undefined ? null : load.load1Hundredths / 100,
    load5: load === undefined ? null : load.load5Hundredths / 100,
    cpus: load?.cpuCount ?? null,
    load1Pct: percents?.load1Percent ?? null,
    load5Pct: percents?.load5Percent ?? null,
    thresholdsPct: {
      spider: thresholds.spiderPercent,
      max: thresholds.maxPercent,
      crit: thresholds.critPercent,
      task: thresholds.taskPercent,
      resume: thresholds.resumePercent,
    },
    source: host.source.name,
    notes: notesOf(host),
  };
}
