/**
 * Sections of which a file may have any number, each about one thing by its name:
 *
 * ```ini
 * [probe www.example.org]
 * url = https://www.example.org/health
 * text = all is well
 * [instance:web]
 * metrics = http://127.0.0.1:9101/metrics
 * ```
 *
 * A name is taken as it stands: a dot in it is a dot.
 */

import { quote } from "../errors.ts";
import { nearest } from "../nearest.ts";
import type { ConfigKey } from "./config_key.ts";
import { type IniFile, iniKey } from "./ini.ts";
import type { Problem } from "./problem.ts";

/** A row of the table of such a section. */
export interface NamedKey<T, Settings> extends Pick<ConfigKey<T>, "key" | "type" | "help"> {
  /** What applies without a good value, by the settings of the rows above; undefined where there must be a good one. */
  readonly fallback: ((above: Partial<Settings>) => T) | undefined;
}

/** The table of such a section, in the order of the documentation. */
export type NamedKeys<Settings> = { readonly [F in keyof Settings]-?: NamedKey<Settings[F], Settings> };

/** What a kind of section is about. */
export interface NamedKind<Settings, T extends { readonly name: string }> {
  /** The name that a section gives; undefined where it is a section of another kind. Never throws. */
  readonly maybeName: (section: string) => string | undefined;
  readonly keys: NamedKeys<Settings>;
  /** What one is called: `site`. */
  readonly noun: string;
  /** What becomes of one that is left out: `is not probed`. */
  readonly leftOut: string;
  /** Why one is left out though each of its settings is good, to follow its name. */
  readonly maybeFlaw: (settings: Settings) => string | undefined;
  readonly make: (name: string, settings: Settings) => T;
}

/** Where a setting of a named section came from. */
export interface SectionOrigin {
  readonly section: string;
  readonly key: string;
  /** What the setting is, and what it may be. */
  readonly about: string;
  /** As it would be written in `loadweir.ini`. */
  readonly value: string;
  readonly source: string;
  /** From 1; undefined for a default. */
  readonly line: number | undefined;
}

/** What a file has of one kind. */
export interface NamedSections<T> {
  /** In the order of the file. */
  readonly values: readonly T[];
  /** One for each setting of each of them. */
  readonly origins: readonly SectionOrigin[];
  readonly problems: readonly Problem[];
}

/**
 * Reads all sections of a kind. One without what must be there is left out, and so is one with the name of another; both
 * are told. Never throws.
 */
export function readNamedSections<Settings, T extends { readonly name: string }>(
  kind: NamedKind<Settings, T>,
  file: IniFile,
): NamedSections<T> {
  const values: T[] = [];
  const origins: SectionOrigin[] = [];
  const problems: Problem[] = [];
  for (const section of new Set(file.sections.map(({ name }) => name))) {
    const name = kind.maybeName(section);
    if (name === undefined) continue;
    const read = readSection(kind, section, file);
    problems.push(...read.problems);
    const flaw = read.settings.kind === "flaw"
      ? `${read.settings.flaw}, so that the ${kind.noun} ${kind.leftOut}`
      : values.some((value) => value.name === name)
      ? `has the name of an earlier ${kind.noun}, ${
        quote(name)
      }, so that it ${kind.leftOut}; give it another one`
      : undefined;
    if (flaw !== undefined) {
      const line = file.sections.find((one) => one.name === section)?.line;
      const about = { line, key: undefined, value: undefined, using: undefined };
      problems.push({ source: file.source, level: "warning", message: `[${section}] ${flaw}`, ...about });
    }
    if (read.settings.kind === "flaw" || flaw !== undefined) continue;
    values.push(kind.make(name, read.settings.settings));
    origins.push(...read.origins);
  }
  return { values, origins, problems };
}

/** Where a setting of a thing came from; undefined where it is unknown. Never throws. */
export function maybeOriginOf(
  origins: readonly SectionOrigin[],
  { maybeName }: Pick<NamedKind<never, never>, "maybeName">,
  name: string,
  key: string,
): SectionOrigin | undefined {
  return origins.find((origin) => origin.key === key && maybeName(origin.section) === name);
}

/** What one section says. */
interface SectionRead<Settings> {
  readonly settings:
    | { readonly kind: "ok"; readonly settings: Settings }
    | { readonly kind: "flaw"; readonly flaw: string };
  readonly origins: readonly SectionOrigin[];
  readonly problems: readonly Problem[];
}

function readSection<Settings, T extends { readonly name: string }>(
  kind: NamedKind<Settings, T>,
  section: string,
  file: IniFile,
): SectionRead<Settings> {
  const { source } = file;
  const rows = Object.entries(kind.keys) as unknown as [keyof Settings, NamedKey<unknown, Settings>][];
  const entries = file.entries.filter((entry) => entry.section === section);
  const origins: SectionOrigin[] = [];
  const problems: Problem[] = [];
  const missing: string[] = [];
  const settings: Partial<Record<keyof Settings, unknown>> = {};

  for (const { key, value, line } of entries) {
    if (rows.some(([, row]) => row.key === key)) continue;
    const meant = nearest(key, rows.map(([, row]) => row.key));
    const label = iniKey(section, key);
    const message = `${label}: unknown key${meant === undefined ? "" : `, did you mean ${meant}?`}`;
    problems.push({ source, line, key: label, value, message, using: undefined, level: "warning" });
  }
  for (const [field, { key, type, help, fallback }] of rows) {
    const entry = entries.findLast((one) => one.key === key);
    const read = entry && type.maybeRead(entry.value);
    const chosen = read ?? (fallback && { value: fallback(settings as Partial<Settings>) });
    if (entry !== undefined && read === undefined) {
      const { line, value } = entry;
      const label = iniKey(section, key);
      const seen = value === "" ? "is empty" : `is ${quote(value)}`;
      const message = `${label} ${seen}, expected ${type.expected}`;
      const using = chosen && type.render(chosen.value);
      problems.push({ source, line, key: label, value, message, using, level: "warning" });
    }
    if (chosen === undefined) {
      missing.push(key);
      continue;
    }
    settings[field] = chosen.value;
    origins.push({
      section,
      key,
      about: `${help}: ${type.expected}`,
      value: type.render(chosen.value),
      source: read === undefined ? "default" : source,
      line: read === undefined ? undefined : entry?.line,
    });
  }
  // All of them are there when none is missing.
  const complete = settings as Settings;
  const flaw = missing.length > 0 ? `has no good ${missing.join(" and ")}` : kind.maybeFlaw(complete);
  return {
    settings: flaw === undefined ? { kind: "ok", settings: complete } : { kind: "flaw", flaw },
    origins,
    problems,
  };
}
