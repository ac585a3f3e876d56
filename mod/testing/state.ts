/** States of an agent for tests. */

import type { AgentState } from "../report/state.ts";

/** The state of an agent that holds the web at MAX. */
export const HOLDING_STATE: AgentState = {
  pid: 812,
  bootId: "6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab",
  writtenBootMs: 812_000,
  writtenWallMs: 1_796_155_865_000,
  startedWallMs: 1_796_150_000_000,
  endedWallMs: undefined,
  intervalMs: 5_000,
  tier: "max",
  load1Percent: 671.5,
  load5Percent: 455,
  cpuCount: 2,
  thresholds: { spiderPercent: 210, maxPercent: 610, critPercent: 810, resumePercent: 488 },
  markers: ["max_load"],
  crawlerBlock: true,
  hold: {
    reason: "max",
    text: "load1 671.5 % over 610 %",
    sinceBootMs: 800_000,
    phase: "held",
    services: ["php8.2-fpm.service", "nginx.service"],
    endsBootMs: 2_600_000,
  },
  futileAtPercent: undefined,
  probe: {
    phase: "drained",
    reason: "web-paused",
    text: "",
    sinceBootMs: 812_000,
    lookedBootMs: 850_000,
    checks: [{ id: "swap", evidence: "bad: 1.20 % of swap free" }],
  },
  lastActions: [{ wallMs: 1_796_155_853_000, text: "paused nginx.service" }],
  lastErrors: [{ wallMs: 1_796_155_860_000, text: "Cannot send mail: no mailer" }],
};
