/** Looks at all that a check looks at. Nothing on the host is changed. */

import type { CheckFindings, ConfigFinding, WebTierFinding } from "../../mod/check/findings.ts";
import { thresholdsOf } from "../../mod/config/thresholds.ts";
import { rulesOf } from "../../mod/ladder/rules.ts";
import { mapReading, maybeValue } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";
import type { ConfigInEffect } from "../config_in_effect.ts";
import { isRoot } from "../is_root.ts";
import type { ProcessReader } from "../process_reader.ts";
import type { Sampler } from "../sampler.ts";
import type { SourceChoice } from "../source.ts";
import { lookAtCrawlerBlock } from "./crawler_block.ts";
import type { HostFiles } from "./host_files.ts";
import { lookAtPatterns } from "./patterns.ts";
import { lookAtSandbox } from "./sandbox.ts";
import { lookAtSensors } from "./sensors.ts";
import { lookAtShipped } from "./shipped.ts";
import { lookForTools } from "./tools.ts";
import { lookAtWatched } from "./watched.ts";
import { lookAtWebTier } from "./web_tier.ts";

/** What the check works with. */
export interface CheckPorts {
  readonly version: string;
  /** The file of our own settings, as it is shown. */
  readonly configPath: string;
  readonly loaded: ConfigInEffect;
  readonly choice: SourceChoice;
  readonly sampler: Sampler;
  readonly processes: ProcessReader;
  readonly files: HostFiles;
  readonly run: RunCommand;
  readonly clock: Clock;
}

/** Checks the host. What cannot be looked at is a finding too. Never throws. */
export async function checkHost(ports: CheckPorts): Promise<CheckFindings> {
  const { version, configPath, loaded, choice, sampler, processes, files, run, clock } = ports;
  const { config } = loaded;
  const backups = { engines: config.backupEngines, orchestrators: config.backupOrchestrators };
  // One after the other: two scans at once would each take the other's reads of command lines for stuck ones.
  const sample = await sampler.take("gate");
  const patterns = { backups, runaways: config.runawayNames, webTier: true };
  const table = await processes.read(patterns, "everything");
  const running = maybeValue(sample.gate?.backups) ?? [];
  const web = await lookAtWebTier(table, { host: files, run, source: choice.source });
  return {
    version,
    host: { name: Deno.hostname(), kernel: Deno.osRelease(), isRoot: isRoot() },
    config: configFinding(configPath, loaded),
    sensors: lookAtSensors(choice, sample, table, files),
    web,
    block: lookAtCrawlerBlock(loaded.profile, files, maybeMainConf(web)),
    tools: lookForTools(files),
    patterns: mapReading(table, (value) => lookAtPatterns(value, config, running)),
    sandbox: lookAtSandbox(),
    shipped: lookAtShipped(web.manager, loaded.profile, files),
    watched: await lookAtWatched(loaded, { run, host: files, source: choice.source, clock }),
  };
}

/** The main configuration that our nginx runs with; undefined for the usual one, or where it does not run. */
function maybeMainConf({ services }: WebTierFinding): string | undefined {
  return services.flatMap(({ kind, masters }) => kind === "nginx" ? masters : [])[0]?.confPath;
}

function configFinding(path: string, loaded: ConfigInEffect): ConfigFinding {
  const { config, problems, origins, standIn, profile, sources } = loaded;
  return {
    path,
    read: [sources.ini, sources.barracuda].filter((source) => source !== undefined).map(({ source }) =>
      source
    ),
    profile,
    problems,
    standIn,
    origins,
    thresholds: thresholdsOf(config),
    rules: rulesOf(config, standIn?.kind === "spider-only"),
  };
}
