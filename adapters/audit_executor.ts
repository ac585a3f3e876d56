/** The executor of an audit: says what each action would do on this host, and does nothing. */

import type { Config } from "../mod/config/config.ts";
import type { ActionName, Decision } from "../mod/ladder/decision.ts";
import { findBackups } from "../mod/processes/backup.ts";
import type { ProcessTable } from "../mod/processes/process.ts";
import { findRunaways } from "../mod/processes/runaways.ts";
import { excludeProtected } from "../mod/processes/spared.ts";
import { findWebTier } from "../mod/processes/web_tier.ts";
import { whyMissing } from "../mod/reading.ts";
import { describeWebTier, pidsText } from "../mod/report/web_tier.ts";
import type { Executor, Outcome } from "./executor.ts";
import type { ProcessReader } from "./process_reader.ts";

/** An executor that only looks. */
export function createAuditExecutor(config: Config, processes: ProcessReader): Executor {
  const backups = { engines: config.backupEngines, orchestrators: config.backupOrchestrators };

  function describe(action: ActionName): readonly string[] | Promise<readonly string[]> {
    switch (action) {
      case "recheck":
        return [`look again in ${config.recheckMs / 1000} s before anything is done`];
      case "crawler-block-on":
        return ["block crawlers in nginx; people are served"];
      case "crawler-block-off":
        return ["serve crawlers again"];
      case "exempt-backup-iowait":
        return ["spare the web: a backup keeps the disk busy and ends by itself"];
      case "no-pause-futile":
        return ["not pause the web: an earlier pause did not lower the load"];
      case "resume-web":
        return ["start the web again: php-fpm, then nginx"];
      case "pause-web":
        return describeTable("pause the web", describePause);
      case "kill-runaways":
        return describeTable("kill runaways", (table) => describeKill(table));
    }
  }

  async function describeTable(
    what: string,
    describeIt: (table: ProcessTable) => readonly string[],
  ): Promise<readonly string[]> {
    const table = await processes.read(
      { backups, runaways: config.runawayNames, webTier: true },
      "candidates",
    );
    return table.kind === "ok"
      ? describeIt(table.value)
      : [`${what}, as far as can be seen: ${whyMissing(table)}`];
  }

  function describePause(table: ProcessTable): readonly string[] {
    const parts = describeWebTier(findWebTier(table.processes));
    return parts.length === 0
      ? ["pause the web: neither nginx nor php-fpm runs here"]
      : parts.map((part) => `pause ${part}`);
  }

  function describeKill(table: ProcessTable): readonly string[] {
    const candidates = findRunaways(table.processes, config.runawayNames);
    const { victims, spared } = excludeProtected(candidates, {
      table: table.processes,
      selfPid: table.selfPid,
      backups: findBackups(table.processes, backups).running,
    });
    const names = config.runawayNames.join(", ");
    const lines = victims.length === 0
      ? [`kill runaways (${names}): ${spared.length === 0 ? "none runs" : "none that may be ended"}`]
      : [
        `kill runaways: ${[...new Set(victims.map(({ comm }) => comm))].join(", ")} (pid ${
          pidsText(victims)
        })`,
      ];
    for (const { process, reason } of spared) {
      lines.push(`spare ${process.comm} (pid ${process.pid}): ${reason}`);
    }
    return lines;
  }

  return async ({ actions }: Decision): Promise<readonly Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const action of actions) {
      for (const text of await describe(action)) outcomes.push({ action, text });
    }
    return outcomes;
  };
}
