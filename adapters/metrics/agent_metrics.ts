/** The metrics of an armed agent: what is counted while it runs, a page of them, and a file. */

import type { Config } from "../../mod/config/config.ts";
import type { Ledger } from "../../mod/hold/ledger.ts";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import { countEvent, countPass, NO_COUNTS } from "../../mod/metrics/counts.ts";
import { METRICS_TYPE } from "../../mod/metrics/exposition.ts";
import { type MetricFacts, metricsText } from "../../mod/metrics/metrics.ts";
import { TEXTFILE_PATH } from "../../mod/metrics/textfile.ts";
import type { HttpPages } from "../../mod/probe/outlets/reply.ts";
import type { Pass } from "../agent.ts";
import { writeInBackground } from "../atomic_file.ts";
import type { Clock } from "../clock.ts";
import { deadlineOf } from "../deadline.ts";
import { ownUsage } from "./own_process.ts";
import { keepTextfile } from "./textfile.ts";

/** What metrics are made of. All of it is asked when somebody wants them, and only hands out what is there. */
export interface MetricsPorts {
  readonly clock: Clock;
  readonly version: string;
  readonly config: () => Config;
  readonly rules: () => LadderRules;
  readonly ledger: () => Ledger;
  readonly isConfigUsable: () => boolean;
  readonly verdict: () => MetricFacts["verdict"];
  readonly pressure: () => MetricFacts["pressure"];
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Metrics. Nothing of it throws or rejects. */
export interface AgentMetrics {
  /** Counts an evaluation. */
  readonly pass: (pass: Pass) => void;
  /** Counts an event. */
  readonly note: (event: IncidentEvent) => void;
  /** The page, by its path. */
  readonly pages: HttpPages;
  /** Keeps the file, where it is wanted, until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** How long an end waits for a disk. */
const CLOSE_DEADLINE_MS = 2_000;

/** Opens metrics that have counted nothing. */
export function openMetrics(ports: MetricsPorts): AgentMetrics {
  const { clock, version, config, rules, ledger, isConfigUsable, verdict, pressure, tellChange } = ports;
  const startedWallMs = clock.wallMs();
  let counts = NO_COUNTS;

  function render(): string {
    return metricsText({
      version,
      startedWallMs,
      own: ownUsage(),
      isConfigUsable: isConfigUsable(),
      counts,
      nowMs: clock.monotonicMs(),
      nowWallMs: clock.wallMs(),
      rules: rules(),
      ledger: ledger(),
      verdict: verdict(),
      pressure: pressure(),
    });
  }

  return {
    pass({ sample, decision, lateMs }: Pass): void {
      counts = countPass(counts, { sample, decision, lateMs }, ledger().hold !== undefined);
    },
    note(event: IncidentEvent): void {
      counts = countEvent(counts, event);
    },
    pages: new Map([["/metrics", {
      reply: () => ({ status: 200, type: METRICS_TYPE, body: render() }),
      readsHost: false,
    }]]),
    async run(signal: AbortSignal): Promise<void> {
      const kept = keepTextfile({
        clock,
        isWanted: () => config().metricsTextfile,
        render,
        write: (text) => writeInBackground(TEXTFILE_PATH, text, { durable: false, mode: 0o644 }),
        remove: () => Deno.remove(TEXTFILE_PATH).catch(() => {}),
        tellChange,
      }, signal);
      const ended = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => ended.resolve(), { once: true });
      await Promise.race([kept, ended.promise]);
      await deadlineOf(CLOSE_DEADLINE_MS, kept);
    },
  };
}
