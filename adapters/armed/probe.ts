/** The probe of an armed agent: its looks, its verdict, and all who are told of it. */

import type { Config } from "../../mod/config/config.ts";
import type { SiteConfig } from "../../mod/config/site.ts";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import { isProbeWanted, probeRulesOf, probeThresholdsOf } from "../../mod/probe/config_rules.ts";
import type { ProbeByHand } from "../../mod/probe/input.ts";
import type { HttpPages } from "../../mod/probe/outlets/reply.ts";
import type { ProbeVerdict } from "../../mod/probe/verdict.ts";
import { createHostFiles } from "../check/host_files.ts";
import type { Clock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { deadlineOf } from "../deadline.ts";
import { expiryOf, type Icmp, openIcmp } from "../drain/icmp.ts";
import { openOutlets, type OutletPlan } from "../outlets/outlets.ts";
import { createChecks } from "../probe/checks.ts";
import { createHostChecks } from "../probe/host_checks.ts";
import { countPeersOut } from "../probe/peers.ts";
import type { ProcessReader } from "../process_reader.ts";
import { renewed } from "../renewed.ts";
import type { Source } from "../source.ts";
import { openProbeKeeper } from "./probe_keeper.ts";
import { openProbeMemory } from "./probe_memory.ts";

/** What the probe works with. */
export interface ProbePorts {
  readonly clock: Clock;
  readonly source: Source;
  readonly processes: ProcessReader;
  /** The settings of now: they may be read again while the agent runs. */
  readonly config: () => Config;
  readonly sites: () => readonly SiteConfig[];
  /** Whether there is more than one pass in which anybody could be told something that lasts. */
  readonly isLasting: () => boolean;
  readonly version: string;
  readonly bootId: string;
  readonly webPaused: () => boolean;
  readonly crawlerBlock: () => boolean;
  readonly byHand: () => ProbeByHand | undefined;
  /** Pages that the HTTP outlet serves besides its own. */
  readonly pages: HttpPages;
  /** Takes each verdict. */
  readonly note: (verdict: ProbeVerdict) => void;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** The probe. Nothing of it rejects. */
export interface Probe {
  /** Whether anybody would be told that this host is out. */
  readonly isWanted: () => boolean;
  /** Undefined where nothing is probed. */
  readonly verdict: () => ProbeVerdict | undefined;
  /** Something was decided that is to be known at once. */
  readonly wake: () => void;
  /** Looks until the signal aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Puts the host back, as far as it was this agent that took it out. */
  readonly close: () => Promise<void>;
}

/**
 * Longer than HAProxy takes to ask again, and than a reload of ufw and the look after it: a reload that dies with its
 * agent leaves the host closed. What else is ended has shorter deadlines of its own.
 */
const CLOSE_DEADLINE_MS = 80_000;

/** Part of a tick over which hosts that fail at the same moment ask their peers, so that the second one sees the first. */
const ASK_SPREAD = 0.2;

/** Part of a tick that a peer may take to answer. It has to connect and to answer, and may be asked twice, within a tick. */
const PEER_SHARE = 0.19;

/** Opens the probe; it looks once it runs. */
export function openProbe(ports: ProbePorts): Probe {
  const { clock, source, processes, config, sites, version, bootId: boot, tellChange } = ports;
  const isWanted = (): boolean => ports.isLasting() && isProbeWanted(config(), sites());
  const ending: Promise<unknown>[] = [];

  const checks = renewed(
    () => ({ sites: sites(), settings: checkSettingsOf(config()) }),
    (plan) => {
      const host = createHostChecks(
        { run: runCommand, source, clock, processes, host: createHostFiles() },
        plan.settings,
      );
      return createChecks(plan.sites, { clock, version, host, tellChange });
    },
    (old) => old.close(),
  );
  const outlets = renewed(
    () => "outlets",
    () =>
      openOutlets(() => outletPlanOf(config()), {
        clock,
        tellChange,
        published: () => keeper.published(),
        pages: ports.pages,
      }),
    (old) => void ending.push(old.close()),
  );
  // Both would claim the same silence: what the old one lets go of last would be known to nobody.
  let released: Promise<unknown> = Promise.resolve();
  const icmp = renewed(
    () => ({ mode: config().icmpMode, scope: config().icmpScope, expiresS: expiryOf(config().probeTickMs) }),
    (plan) =>
      openIcmp({ ...plan, owner: "agent", boot, after: released }, { run: runCommand, clock, source }),
    (old) => void ending.push(released = old.release()),
  );

  const keeper = openProbeKeeper({
    ...ports,
    random: Math.random,
    memory: openProbeMemory({
      bootId: boot,
      bootMs: clock.monotonicMs,
      report: (problem) => tellChange("memory of the probe", problem),
    }),
    rules: () => isWanted() ? probeRulesOf(config(), sites()) : undefined,
    look: (wanted, deadlineMs) => checks.current().look(wanted, deadlineMs),
    async drainLimitReached(): Promise<boolean> {
      const { probeDrainLimit, probePeers, probeTickMs } = config();
      if (probeDrainLimit === 0) return false;
      await clock.sleep(Math.random() * ASK_SPREAD * probeTickMs);
      return await countPeersOut(probePeers, PEER_SHARE * probeTickMs) >= probeDrainLimit;
    },
    publish(verdict: ProbeVerdict): void {
      ports.note(verdict);
      outlets.current().publish();
      void silence(icmp.current(), verdict.phase === "drained");
    },
    rest,
  });

  function rest(): void {
    checks.end();
    outlets.end();
    icmp.end();
  }

  async function silence(switched: Icmp, silent: boolean): Promise<void> {
    const { kind, text } = await switched.want(silent);
    tellChange("pings", kind === "failed" ? text : undefined);
  }

  return {
    isWanted,
    verdict: () => isWanted() ? keeper.published().verdict : undefined,
    wake: keeper.wake,
    async run(signal: AbortSignal): Promise<void> {
      // An agent before may have been killed while the host was out, and may have been told to keep it out. No door is
      // opened later for a firewall that takes its time.
      if (isWanted()) keeper.wake();
      else void silence(icmp.current(), false);
      await keeper.run(signal);
    },
    async close(): Promise<void> {
      rest();
      await deadlineOf(CLOSE_DEADLINE_MS, Promise.all(ending));
    },
  };
}

function checkSettingsOf(config: Config): Parameters<typeof createHostChecks>[1] {
  const { runawayNames, accessLogPath, accessLogField, databaseAt } = config;
  return {
    thresholds: probeThresholdsOf(config),
    runawayNames,
    accessLog: {
      path: accessLogPath,
      format: accessLogField === 0 ? { kind: "combined" } : { kind: "position", statusField: accessLogField },
    },
    databases: databaseAt && [{
      kind: databaseAt.kind,
      address: typeof databaseAt.at === "string"
        ? { kind: "unix", path: databaseAt.at }
        : { kind: "tcp", host: "127.0.0.1", port: databaseAt.at },
    }],
  };
}

function outletPlanOf(config: Config): OutletPlan {
  const { httpAddresses, agentCheckAddresses, crawlerBlockWeightPercent, trackFileValue } = config;
  return {
    httpAddresses,
    agentAddresses: agentCheckAddresses,
    weights: { normalPercent: 100, crawlerBlockPercent: crawlerBlockWeightPercent },
    trackDrainedValue: trackFileValue < 0 ? trackFileValue : undefined,
  };
}
