/**
 * The executor of an audit: says what each action would do on this host, and does nothing.
 *
 * It looks as the armed one does, down to whose a master is and which runaway is spared, and stops before the effect.
 */

import type { Config } from "../mod/config/config.ts";
import { isRunning } from "../mod/hold/own_services.ts";
import type { ActionName, Decision } from "../mod/ladder/decision.ts";
import { CRAWLER_BLOCKS } from "../mod/nginx/crawler_block.ts";
import type { ProcessTable } from "../mod/processes/process.ts";
import type { RunawayChoice } from "../mod/processes/runaway_choice.ts";
import { whyMissing } from "../mod/reading.ts";
import { describeWebTier, leftAloneLines, pidsText, serviceText } from "../mod/report/web_tier.ts";
import { createHostFiles, type HostFiles } from "./check/host_files.ts";
import type { RunCommand } from "./command.ts";
import type { Executor, Outcome } from "./executor.ts";
import { findRunawayChoice } from "./kill_runaways.ts";
import { describeState, readCrawlerBlock } from "./nginx/block_files.ts";
import type { ProcessReader } from "./process_reader.ts";
import type { Source } from "./source.ts";
import { leftRunning, lookAtServices, servicesInReach, type WebLook } from "./web/web_look.ts";

/** What an audit looks with. */
export interface AuditPorts {
  readonly run: RunCommand;
  readonly processes: ProcessReader;
  readonly source: Source;
  /** Whose crawler block there is. */
  readonly profile: "generic" | "boa";
  /** Default: the files of this host. */
  readonly host?: HostFiles;
}

/** An executor that only looks. */
export function createAuditExecutor(config: Config, ports: AuditPorts): Executor {
  const { source, profile } = ports;

  function describe(action: ActionName): readonly string[] | Promise<readonly string[]> {
    switch (action) {
      case "recheck":
        return [`look again in ${config.recheckMs / 1000} s before anything is done`];
      case "crawler-block-on":
        return [`block crawlers in nginx; people are served${blockObstacle()}`];
      case "crawler-block-off":
        return [`serve crawlers again${blockObstacle()}`];
      case "exempt-backup-iowait":
        return ["spare the web: a backup keeps the disk busy and ends by itself"];
      case "no-pause-futile":
        return ["not pause the web: an earlier pause did not lower the load"];
      case "resume-web":
        return ["start the web again: php-fpm, then nginx"];
      case "pause-web":
        return describePause();
      case "kill-runaways":
        return describeKill();
    }
  }

  /** What keeps the block from being switched on this host; empty for nothing, and for a recording. */
  function blockObstacle(): string {
    if (source.name === "procfs-flag") return "";
    const state = readCrawlerBlock(profile);
    return state === "on" || state === "off"
      ? ""
      : `; not yet, because ${describeState(state, CRAWLER_BLOCKS[profile])}`;
  }

  async function describePause(): Promise<readonly string[]> {
    const look = await lookAtServices({ ...ports, host: ports.host ?? createHostFiles() });
    if (look.kind !== "ok") return [`pause the web, as far as can be seen: ${whyMissing(look)}`];
    const parts = isOfAnotherHost(look.value, source)
      ? describeWebTier(look.value.tier)
      : ownParts(look.value);
    const left = isOfAnotherHost(look.value, source) ? [] : leftAloneLines({
      ...look.value,
      outOfReach: leftRunning(look.value),
      unsurePids: look.value.unsure.map(({ pid }) => pid),
    });
    if (parts.length > 0) return [...parts.map((part) => `pause ${part}`), ...left];
    const none = left.length === 0 ? "neither nginx nor php-fpm runs here" : "nothing of it is ours to stop";
    return [`pause the web: ${none}`, ...left];
  }

  async function describeKill(): Promise<readonly string[]> {
    const patterns = { engines: config.backupEngines, orchestrators: config.backupOrchestrators };
    const look = await findRunawayChoice({
      names: config.runawayNames,
      backups: { patterns, markerPath: config.backupMarkerPath },
    }, ports);
    if (look.kind !== "ok") return [`kill runaways, as far as can be seen: ${whyMissing(look)}`];
    const { table, choice, refusal } = look.value;
    // A recording is shown as what it was: the host's own agent could have ended them.
    return refusal === undefined || isOfAnotherHost(table, source)
      ? killLines(choice, config.runawayNames)
      : [`kill no runaways: ${refusal}`];
  }

  return async ({ actions }: Decision): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const action of actions) {
      for (const text of await describe(action)) outcomes.push({ action, text });
    }
    return outcomes;
  };
}

/** Whether the processes are a recording, or of a namespace that we are not in: units and scripts here say nothing of them. */
function isOfAnotherHost({ selfPid }: Pick<ProcessTable | WebLook, "selfPid">, source: Source): boolean {
  return source.kind === "proc-root" && selfPid === undefined;
}

function ownParts(look: WebLook): readonly string[] {
  return servicesInReach(look).filter(isRunning).map((service) => serviceText(service, look.tier));
}

function killLines({ victims, spared }: RunawayChoice, runawayNames: readonly string[]): readonly string[] {
  const names = runawayNames.join(", ");
  const none = spared.length === 0 ? "none runs" : "none that may be ended";
  const comms = [...new Set(victims.map(({ comm }) => comm))].join(", ");
  return [
    victims.length === 0
      ? `kill runaways (${names}): ${none}`
      : `kill runaways: ${comms} (pid ${pidsText(victims)})`,
    ...spared.map(({ process, reason }) => `spare ${process.comm} (pid ${process.pid}): ${reason}`),
  ];
}
