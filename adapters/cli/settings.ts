/** The settings in effect, as the verbs need them. */

import type { Config } from "../../mod/config/config.ts";
import { renderChanged } from "../../mod/config/print.ts";
import { OVERRIDE_SOURCE } from "../../mod/config/sources.ts";
import type { Problem } from "../../mod/config/problem.ts";
import { renderProblem } from "../../mod/config/report.ts";
import { type LadderRules, rulesOf } from "../../mod/ladder/rules.ts";
import { countText } from "../../mod/report/web_tier.ts";
import { readConfig } from "../config_files.ts";
import { type Arguments, UsageError } from "./arguments.ts";

/** Settings, and what is wrong with their sources. */
export interface Settings {
  readonly config: Config;
  readonly rules: LadderRules;
  /** The profile in effect. */
  readonly profile: "generic" | "boa";
  /** Those that are not the default, as `--set` takes them. */
  readonly changed: readonly string[];
  readonly problems: readonly Problem[];
  /** What a person should know, one line each. */
  readonly notes: readonly string[];
}

/**
 * Reads the settings by the flag `--config`, with overrides on top.
 *
 * A file that is there by default and cannot be used does not end protection: the ladder then goes no further than SPIDER,
 * and a note says so.
 *
 * @throws {UsageError} If the file of `--config` cannot be used, or an override names no setting or no value of it
 */
export async function loadSettings(args: Arguments, overrides: readonly string[] = []): Promise<Settings> {
  const configPath = args.value("config");
  const { config, origins, problems, unusable, profile } = await readConfig({ configPath, overrides });
  if (configPath !== undefined && unusable) throw new UsageError(problemLines(problems, "error"));
  const refused = problems.filter(({ source, level }) => source === OVERRIDE_SOURCE && level === "error");
  if (refused.length > 0) throw new UsageError(refused.map(renderProblem).join("\n"));
  return {
    config,
    rules: rulesOf(config, unusable),
    profile,
    changed: renderChanged(origins),
    problems,
    notes: notesOf(problems, unusable),
  };
}

function problemLines(problems: readonly Problem[], level: Problem["level"]): string {
  return problems.filter((problem) => problem.level === level).map(renderProblem).join("\n");
}

function notesOf(problems: readonly Problem[], unusable: boolean): readonly string[] {
  const notes: string[] = [];
  if (unusable) notes.push("configuration unusable: no load is more than SPIDER until it is mended");
  if (problems.length > 0) {
    const sources = [...new Set(problems.map(({ source }) => source))].join(", ");
    notes.push(`${countText(problems.length, "problem")} in ${sources}, run \`loadweir check\``);
  }
  return notes;
}
