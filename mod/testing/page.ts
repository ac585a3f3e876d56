/** What a status page is made of, for tests: an hour of a host that is played through the rules. */

import type { LadderState } from "../ladder/state.ts";
import { INITIAL_STATE, isDue } from "../ladder/state.ts";
import { step } from "../ladder/ladder.ts";
import type { Decision } from "../ladder/decision.ts";
import { type CheckTimes, followChecks } from "../page/check_standing.ts";
import { createLoadHistory } from "../page/load_history.ts";
import type { PageInput } from "../page/page_of_now.ts";
import { noteDecision, notePressure, type RecentEvaluation } from "../page/recent.ts";
import { NO_METRICS } from "../pressure/metrics.ts";
import { initialPressure, type PressureEvaluation, pressureStep } from "../pressure/pressure.ts";
import { DEFAULT_THRESHOLDS, type PressureRules } from "../pressure/rules.ts";
import type { ProcessGroup } from "../pressure/sample.ts";
import { bad } from "../probe/check.ts";
import { absent, ok } from "../reading.ts";
import { BUSY_GATE, DEFAULT_RULES, loadOf } from "./climb.ts";
import { lookAt, probe, resultsWith, SITE } from "./probe.ts";
import { HOLDING_STATE } from "./state.ts";

/** When the pages of tests are asked for: 2026-11-30T10:00:04Z. */
export const PAGE_WALL_MS = 1_796_032_804_000;

/** The same in milliseconds since boot. */
const NOW_MS = 90_000_000;

const HOUR_S = 3_600;

/** Load in percent at a second of the hour. */
export type LoadCourse = (second: number) => { readonly load1: number; readonly load5: number };

/** A host that serves: some ups and downs far below SPIDER. */
export const CALM_COURSE: LoadCourse = (second) => ({
  load1: 42 + 16 * Math.sin(second / 210) + 9 * Math.sin(second / 47),
  load5: 42 + 10 * Math.sin((second - 120) / 210),
});

/** A host that is overrun nine minutes ago, and paused. */
export const OVERRUN_COURSE: LoadCourse = (second) => {
  const calm = CALM_COURSE(second);
  const sinceS = second - 2_700;
  if (sinceS < 0) return calm;
  const load1 = sinceS < 400 ? 720 * (1 - Math.exp(-sinceS / 130)) : 690 * Math.exp(-(sinceS - 400) / 420);
  const load5 = sinceS < 500 ? 600 * (1 - Math.exp(-sinceS / 196.7)) : 552.8 - (sinceS - 500) * 0.1;
  return { load1: Math.max(calm.load1, load1), load5: Math.max(calm.load5, load5) };
};

/** All that a page shows after an hour of such a load, with a site that does not answer and a busy php-fpm. */
export function pageInput(course: LoadCourse, rest: Partial<PageInput> = {}): PageInput {
  const history = createLoadHistory();
  let recent: readonly RecentEvaluation[] = [];
  let state: LadderState = INITIAL_STATE;
  let decision: Decision | undefined;
  let passMs = 0;
  let holdText = "";
  const beginMs = NOW_MS - HOUR_S * 1_000;
  const wallOf = (bootMs: number): number => PAGE_WALL_MS - NOW_MS + bootMs;
  for (let second = 0; second <= HOUR_S - 2; second++) {
    const monotonicMs = beginMs + second * 1_000;
    if (!isDue(state, monotonicMs)) continue;
    const { load1, load5 } = course(second);
    const load = loadOf(Math.round(load1), Math.round(load5));
    const sample = { monotonicMs, wallMs: wallOf(monotonicMs), load: ok(load), gate: BUSY_GATE };
    ({ state, decision } = step(state, sample, DEFAULT_RULES));
    const { load1Percent, load5Percent, overPercent, paused, actions } = decision;
    if (actions.includes("pause-web")) {
      holdText = `load 1m ${load1Percent?.toFixed(1)} %, 5m ${
        load5Percent?.toFixed(1)
      } % over ${overPercent} %`;
    }
    history.note({ atMs: monotonicMs, load1Percent, load5Percent, isHeld: paused });
    recent = noteDecision(recent, decision, DEFAULT_RULES, sample.wallMs);
    passMs = monotonicMs;
  }
  const isHeld = decision?.paused ?? false;
  const pressure = aPressure(NOW_MS - 3_000, wallOf(NOW_MS - 3_000));
  recent = notePressure(recent, pressure);
  const verdicts = probe(
    [-40, -35, -30, -25, -20, -15, -10, -5].map((seconds) =>
      lookAt(NOW_MS + seconds * 1_000, {
        results: resultsWith({ [SITE]: bad("drain", "status 502 after 31 ms, expected 200") }),
        webPaused: isHeld,
      })
    ),
  ).map(({ verdict }) => verdict);
  return {
    version: "0.1.0",
    host: "web-3",
    source: "/run/loadweir/proc (bind mount)",
    nowBootMs: NOW_MS,
    nowWallMs: PAGE_WALL_MS,
    rules: DEFAULT_RULES,
    state: {
      ...HOLDING_STATE,
      writtenBootMs: passMs,
      writtenWallMs: wallOf(passMs),
      startedWallMs: wallOf(beginMs),
      load1Percent: decision?.load1Percent,
      load5Percent: decision?.load5Percent,
      markers: decision?.markers ?? [],
      crawlerBlock: decision?.crawlerBlock,
      hold: !isHeld || state.hold === undefined ? undefined : {
        reason: "max",
        text: holdText,
        sinceBootMs: state.hold.sinceMs,
        phase: "held",
        services: ["php8.2-fpm.service", "nginx.service"],
        endsBootMs: state.hold.sinceMs + DEFAULT_RULES.maxHoldMs,
      },
      lastActions: !isHeld ? [] : [
        { wallMs: PAGE_WALL_MS - 700_000, text: "Crawlers are blocked" },
        { wallMs: PAGE_WALL_MS - 500_000, text: "Web paused; php8.2-fpm.service, nginx.service" },
      ],
      lastErrors: !isHeld
        ? []
        : [{ wallMs: PAGE_WALL_MS - 490_000, text: "Mail not sent; no mailer is installed" }],
    },
    decision,
    spans: history.spans(NOW_MS),
    verdict: verdicts.at(-1),
    checkTimes: verdicts.reduce(followChecks, new Map() as CheckTimes),
    pressure,
    isPressureWatched: true,
    recent,
    ...rest,
  };
}

const PRESSURE_RULES: PressureRules = {
  thresholds: DEFAULT_THRESHOLDS,
  mode: "observe",
  windowMs: 15_000,
  neededSamples: 12,
  evaluateMs: 5_000,
  warmupMs: 10_000,
  startTimeoutMs: 30_000,
  failureBackoffMs: 180_000,
  latencyTargetMs: undefined,
  minFreeMiB: 512,
  rssBudgetMiB: undefined,
  cpuBudget: 8,
  minInstances: 1,
  maxInstances: 4,
  instances: [],
  template: { cpus: 1, loops: 1, connectionLimit: undefined },
  runsByAnswer: false,
  drains: true,
  apps: [{ name: "php", class: "php", cpus: 4, queue: "php-fpm" }],
};

/** An evaluation of two instances with room, and a php-fpm without. */
export function aPressure(atMs: number, wallMs: number): PressureEvaluation {
  let state = initialPressure();
  let latest: PressureEvaluation | undefined;
  for (let second = -40; second <= 0; second++) {
    const group = (pid: number, cpu: number): ProcessGroup => [{
      pid,
      ppid: 1,
      startTicks: 100,
      cpuTicks: Math.round((second + 60) * cpu * 100),
      reapedTicks: 0,
      rssKib: 140 * 1_024,
    }];
    const { state: next, evaluation } = pressureStep(state, {
      monotonicMs: atMs + second * 1_000,
      uptimeMs: atMs + second * 1_000,
      wallMs: wallMs + second * 1_000,
      instances: [["web@1", 0.41], ["web@2", 0.38]].map(([name, cpu], index) => ({
        name: `${name}`,
        group: ok(group(100 + index, Number(cpu))),
        metrics: ok({ ...NO_METRICS, lag: { kind: "p99" as const, ms: 6 }, inflightCount: 9 }),
      })),
      apps: [{
        name: "php",
        group: ok(group(200, 3.9)),
        allowedCpus: undefined,
        pools: [{ name: "www", maxCount: 5, busyCount: 5, waitingCount: 37, limitReachedCount: undefined }],
        queueWait: absent("nothing exports it"),
      }],
      host: {
        cpuCount: 8,
        idleS: ok((second + 60) * 3),
        memTotalKib: ok(8 << 20),
        memAvailableKib: ok(4 << 20),
        psiCpuPercent: ok(12.5),
        psiMemoryPercent: ok(0),
        socketsCount: ok(400),
      },
      isScaling: false,
      outcome: undefined,
      isHeld: false,
    }, PRESSURE_RULES);
    state = next;
    latest = evaluation ?? latest;
  }
  if (latest === undefined) throw new Error("there was no evaluation");
  return latest;
}
