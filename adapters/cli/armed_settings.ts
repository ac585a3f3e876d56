/**
 * The settings of an armed agent: as they are, read again on SIGHUP, kept as the last good ones, and with an ALERT while
 * the files cannot be used.
 */

import type { Config } from "../../mod/config/config.ts";
import type { GoodConfig } from "../../mod/config/last_good.ts";
import type { AppConfig, InstanceConfig } from "../../mod/config/pressure_config.ts";
import { renderChanged } from "../../mod/config/print.ts";
import type { Problem } from "../../mod/config/problem.ts";
import { countProblems, renderProblem } from "../../mod/config/report.ts";
import { standInText } from "../../mod/config/stand_in.ts";
import type { SiteConfig } from "../../mod/config/site.ts";
import { messageOf } from "../../mod/errors.ts";
import { type LadderRules, rulesOf } from "../../mod/ladder/rules.ts";
import type { ConfigAlarm } from "../armed/config_alarm.ts";
import type { Clock } from "../clock.ts";
import { readConfig, STANDARD_INPUT } from "../config_files.ts";
import { keepLastGood, LAST_GOOD_PATH } from "../last_good_file.ts";
import type { Settings } from "./settings.ts";

/** Settings that may be read again while the agent runs. Nothing here throws. */
export interface ArmedSettings {
  readonly config: () => Config;
  /** The sites that are probed. */
  readonly sites: () => readonly SiteConfig[];
  /** The instances of the web tier that have a section. */
  readonly instances: () => readonly InstanceConfig[];
  /** The groups of application processes. */
  readonly apps: () => readonly AppConfig[];
  readonly rules: () => LadderRules;
  /** The settings behind rules of now or before that are not the default, as `--set` takes them. */
  readonly settingsOf: (rules: LadderRules) => readonly string[];
  /** Tells how the start found the files, and keeps what they say where that is good; to be called once. */
  readonly begin: () => void;
  /** Reads the files again; what cannot be used changes nothing. */
  readonly reload: () => void;
  /** Settles when all is read and kept. */
  readonly idle: () => Promise<void>;
}

/** What they are made of. */
export interface ArmedSettingsPorts {
  /** As they were at the start. */
  readonly settings: Settings;
  /** The file of `--config`. */
  readonly configPath: string | undefined;
  /** Whether more than SPIDER would be right on this host at all. */
  readonly mayPause: boolean;
  readonly alarm: ConfigAlarm;
  readonly clock: Pick<Clock, "wallMs">;
  /** Takes one line for people. */
  readonly tell: (line: string) => void;
}

/** Opens the settings of an armed agent, which runs as root. */
export function openArmedSettings(ports: ArmedSettingsPorts): ArmedSettings {
  const { settings, configPath, mayPause, alarm, clock, tell } = ports;
  let { config, rules, sites, instances, apps } = settings;
  rules = { ...rules, drasticAllowed: rules.drasticAllowed && mayPause };
  const changed = new WeakMap([[rules, renderChanged(settings.origins)]]);
  // One after the other: of two signals the second must win, and there is one file to write.
  let reading: Promise<void> = Promise.resolve();
  let keeping: Promise<void> = Promise.resolve();

  /** An error that nobody foresaw must not end the agent. */
  function tellError(error: unknown): void {
    tell(`configuration not read or kept: ${messageOf(error)}`);
  }

  function keep(good: GoodConfig): void {
    alarm.clear();
    keeping = keeping.then(async () => {
      const outcome = await keepLastGood(LAST_GOOD_PATH, good, { wallMs: clock.wallMs(), asRoot: true });
      if (outcome.kind === "failed") tell(outcome.error);
    }).catch(tellError);
  }

  async function reload(): Promise<void> {
    if (configPath === STANDARD_INPUT) {
      return tell("configuration not read again: it came from standard input, which is at its end");
    }
    const next = await readConfig({ configPath });
    if (next.unusable) {
      tell(
        "configuration not read again: the new one cannot be used, the old one stays; run `loadweir check`",
      );
      return alarm.raise(["the settings of before stay", ...causes(next.problems)]);
    }
    config = next.config;
    ({ sites, instances, apps } = next);
    rules = rulesOf(next.config, !mayPause);
    changed.set(rules, renderChanged(next.origins));
    const counts = countProblems(next.problems);
    tell(`configuration read again${counts === "" ? "" : `, ${counts}; run \`loadweir check\``}`);
    keep(next);
  }

  return {
    config: () => config,
    sites: () => sites,
    instances: () => instances,
    apps: () => apps,
    rules: () => rules,
    settingsOf: (asked) => changed.get(asked) ?? [],
    begin(): void {
      const { standIn, problems } = settings;
      if (standIn === undefined) keep(settings);
      else alarm.raise([standInText(standIn), ...causes(problems)]);
    },
    reload(): void {
      reading = reading.then(reload).catch(tellError);
    },
    async idle(): Promise<void> {
      await reading;
      await keeping;
    },
  };
}

function causes(problems: readonly Problem[]): readonly string[] {
  return problems.filter(({ level }) => level === "error").map(renderProblem);
}
