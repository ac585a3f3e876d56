/** The settings in effect, as the verbs need them. */

import type { Config } from "../../mod/config/config.ts";
import type { SectionOrigin } from "../../mod/config/named_section.ts";
import type { AppConfig, InstanceConfig } from "../../mod/config/pressure_config.ts";
import type { Origin } from "../../mod/config/resolve.ts";
import type { SiteConfig } from "../../mod/config/site.ts";
import { OVERRIDE_SOURCE } from "../../mod/config/sources.ts";
import type { Problem } from "../../mod/config/problem.ts";
import { countProblems, renderProblem } from "../../mod/config/report.ts";
import { type StandIn, standInText } from "../../mod/config/stand_in.ts";
import { type LadderRules, rulesOf } from "../../mod/ladder/rules.ts";
import { type ConfigInEffect, readConfigInEffect } from "../config_in_effect.ts";
import { type Arguments, UsageError } from "./arguments.ts";

/** Settings, and what is wrong with their sources. */
export interface Settings {
  readonly config: Config;
  /** One for each setting. */
  readonly origins: readonly Origin[];
  /** The sites that are probed. */
  readonly sites: readonly SiteConfig[];
  /** The instances of the web tier that have a section. */
  readonly instances: readonly InstanceConfig[];
  /** The groups of application processes. */
  readonly apps: readonly AppConfig[];
  readonly sectionOrigins: readonly SectionOrigin[];
  readonly rules: LadderRules;
  /** The profile in effect. */
  readonly profile: "generic" | "boa";
  readonly problems: readonly Problem[];
  /** What stands in for files that cannot be used; undefined when they can. */
  readonly standIn: StandIn | undefined;
  /** What a person should know, one line each. */
  readonly notes: readonly string[];
}

/** How settings are read. */
export interface SettingsOptions {
  /** `section.key=value` texts that lie on top. */
  readonly overrides?: readonly string[];
  /**
   * Whether a file or folder of a flag that cannot be used ends the program, as whoever typed it wants to know. An armed
   * agent goes on: started again while it holds the web, it is the one who gives it back.
   */
  readonly whenNamedUnusable?: "end" | "go-on";
}

/**
 * Reads the settings by the flag `--config`.
 *
 * A file that is there by default and cannot be used does not end protection: the last good settings then apply, and
 * without any the ladder goes no further than SPIDER. A note says so.
 *
 * @throws {UsageError} If the file of `--config` cannot be used, or an override names no setting or no value of it
 */
export async function loadSettings(
  args: Arguments,
  { overrides = [], whenNamedUnusable = "end" }: SettingsOptions = {},
): Promise<Settings> {
  const configPath = args.value("config");
  const inEffect = await readConfigInEffect({ configPath, overrides });
  const { config, origins, sites, instances, apps, sectionOrigins, problems, standIn, profile } = inEffect;
  if (configPath !== undefined && standIn !== undefined && whenNamedUnusable === "end") {
    throw new UsageError(problemLines(problems, "error"));
  }
  const refused = problems.filter(({ source, level }) => source === OVERRIDE_SOURCE && level === "error");
  if (refused.length > 0) throw new UsageError(refused.map(renderProblem).join("\n"));
  const rules = rulesOf(config, standIn?.kind === "spider-only");
  return {
    config,
    origins,
    sites,
    instances,
    apps,
    sectionOrigins,
    rules,
    profile,
    problems,
    standIn,
    notes: notesOf(inEffect),
  };
}

function problemLines(problems: readonly Problem[], level: Problem["level"]): string {
  return problems.filter((problem) => problem.level === level).map(renderProblem).join("\n");
}

function notesOf({ problems, standIn }: ConfigInEffect): readonly string[] {
  const notes: string[] = [];
  if (standIn !== undefined) {
    notes.push(`configuration unusable: ${standInText(standIn)} until it is mended`);
  }
  if (problems.length > 0) {
    const sources = [...new Set(problems.map(({ source }) => source))].join(", ");
    notes.push(`${countProblems(problems)} in ${sources}, run \`loadweir check\``);
  }
  return notes;
}
