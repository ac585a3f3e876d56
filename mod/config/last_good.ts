/**
 * The last good configuration: what applies while the files of the configuration cannot be used.
 *
 * It is a settings file of ours, read by the same parser, with what was in effect and nothing else of the files
 * that this came from:
 *
 * ```ini
 * ; last good configuration, taken 2026-11-29T19:31:05Z
 * [agent]
 * profile = boa
 * [ladder]
 * ; from /root/.barracuda.cnf:12
 * max = 7
 * ```
 */

import { failed, ok, type Reading } from "../reading.ts";
import { printable } from "../report/printable.ts";
import { timestamp } from "../report/timestamp.ts";
import type { Profile } from "./config.ts";
import type { SectionOrigin } from "./named_section.ts";
import { renderIni } from "./print.ts";
import { renderProblem } from "./report.ts";
import { type Origin, resolveConfig } from "./resolve.ts";
import type { SourceText } from "./sources.ts";

/** A last good configuration as it was kept. */
export interface LastGood {
  /** The text, as a source that can be resolved; without a problem. */
  readonly ini: SourceText;
  readonly profile: Exclude<Profile, "auto">;
  /** When it was taken, as `2026-11-29T19:31:05Z`. */
  readonly takenAt: string;
}

/** What a configuration in effect is kept as: where each setting is from, and the profile that was decided. */
export interface GoodConfig {
  readonly origins: readonly Origin[];
  readonly sectionOrigins: readonly SectionOrigin[];
  readonly profile: Exclude<Profile, "auto">;
}

const TAKEN = /^; last good configuration, taken (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/m;

const HEAD =
  "; It applies while the files of the configuration cannot be used, and is written anew whenever they\n" +
  "; have been read and can: what is changed here is lost. `loadweir check` says what is wrong with them.\n";

/**
 * Writes a configuration so that it reads back to the same one. What nobody set is left out, but for the
 * profile: whether the other files are there must not count.
 *
 * @param wallMs When it is taken, milliseconds since 1970
 */
export function renderLastGood({ origins, sectionOrigins, profile }: GoodConfig, wallMs: number): string {
  const kept = origins
    .map((origin) => origin.field === "profile" ? { ...origin, value: profile } : origin)
    .filter(({ field, source }) => field === "profile" || source !== "default")
    .map(withPrintableSource);
  const sections = sectionOrigins.map(withPrintableSource);
  return `; last good configuration, taken ${timestamp(wallMs)}\n${HEAD}\n${renderIni(kept, sections)}`;
}

/** A path may hold anything, also a line end. */
function withPrintableSource<T extends { readonly source: string }>(origin: T): T {
  return { ...origin, source: printable(origin.source) };
}

/**
 * Reads a last good configuration. Never throws.
 *
 * It was written without a problem, so one that has a problem is not what was written: then none of it counts,
 * where of a file that a person wrote all good lines do. Acting on half of it could be acting too early.
 *
 * @returns Failed with what was seen and what was expected
 */
export function parseLastGood(ini: SourceText): Reading<LastGood> {
  const takenAt = TAKEN.exec(ini.text)?.[1];
  if (takenAt === undefined) {
    return failed(
      `Cannot use "${ini.source}": it does not say when it was taken, expected a file as it was kept`,
    );
  }
  const { problems, config } = resolveConfig({ ini });
  const flaw = problems.find(({ level }) => level !== "advice");
  if (flaw !== undefined) return failed(renderProblem(flaw));
  const { profile } = config;
  if (profile === "auto") {
    return failed(`Cannot use "${ini.source}": [agent] profile is auto, expected the one that was decided`);
  }
  return ok({ ini, profile, takenAt });
}

/** Whether two texts keep the same configuration, whenever each was taken. */
export function isSameLastGood(one: string, other: string): boolean {
  return one.replace(TAKEN, "") === other.replace(TAKEN, "");
}
