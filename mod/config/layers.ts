/**
 * What each source of settings says, in one form: known settings by field, and what is wrong with the rest.
 */

import { nearest } from "../nearest.ts";
import { APPS } from "./app.ts";
import { type BarracudaEntry, parseBarracuda } from "./barracuda.ts";
import type { ConfigField } from "./config.ts";
import { iniKey, type IniProblem, parseIni } from "./ini.ts";
import { INSTANCES } from "./instance.ts";
import { type NamedSections, readNamedSections } from "./named_section.ts";
import { parseOverride } from "./overrides.ts";
import type { AppConfig, InstanceConfig } from "./pressure_config.ts";
import type { Problem, ProblemLevel } from "./problem.ts";
import { CONFIG_FIELDS, CONFIG_KEYS, maybeFieldOf, sectionNames } from "./schema.ts";
import { type SiteConfig, SITES } from "./site.ts";
import { OVERRIDE_SOURCE, type SourceText } from "./sources.ts";

/** One setting as a source has it, not yet checked. */
export interface Setting {
  readonly source: string;
  readonly line: number | undefined;
  /** The key as it is called there. */
  readonly key: string;
  readonly text: string;
  /** Why the text cannot be used, where that shows before its type is known. */
  readonly flaw: string | undefined;
  /** The level of a problem with it. */
  readonly level: ProblemLevel;
}

/** One source of settings. */
export interface Layer {
  readonly settings: ReadonlyMap<ConfigField, Setting>;
  readonly problems: readonly Problem[];
  /** True when nothing in the source can be trusted. */
  readonly unusable: boolean;
  /** What its named sections are about; undefined where a source has no such sections. */
  readonly named?: NamedOfFile;
}

/** The named sections of a file by their kind. */
export interface NamedOfFile {
  readonly sites: NamedSections<SiteConfig>;
  readonly instances: NamedSections<InstanceConfig>;
  readonly apps: NamedSections<AppConfig>;
}

/** How sections of these kinds begin, as a person may mistype them. */
const NAMED_PREFIXES: readonly string[] = ["instance", "app"];

/** What `loadweir.ini` says. Unknown sections and keys are problems. Never throws. */
export function iniLayer({ source, text }: SourceText): Layer {
  const file = parseIni(text, source);
  if (file.unusable !== undefined) return unusableLayer(source, file.unusable);
  const known = sectionNames();
  const settings = new Map<ConfigField, Setting>();
  const problems: Problem[] = [];
  const add = ({ line, message, key, value, using }: IniProblem): void => {
    problems.push({ source, line, key, value, message, using, level: "warning" });
  };

  for (const problem of file.problems) add(problem);
  const named: NamedOfFile = {
    sites: readNamedSections(SITES, file),
    instances: readNamedSections(INSTANCES, file),
    apps: readNamedSections(APPS, file),
  };
  problems.push(...Object.values(named).flatMap((sections) => sections.problems));
  for (const { name, line } of file.sections) {
    const isNamed = [SITES, INSTANCES, APPS].some(({ maybeName }) => maybeName(name) !== undefined);
    if (known.includes(name) || isNamed) continue;
    const meant = maybeMeantSection(name, known);
    add({
      line,
      message: `[${name}]: unknown section${meant === undefined ? "" : `, did you mean [${meant}]?`}`,
    });
  }
  for (const { section, key, value, line } of file.entries) {
    if (!known.includes(section)) continue;
    const field = maybeFieldOf(section, key);
    const label = iniKey(section, key);
    if (field !== undefined) {
      settings.set(field, { source, line, key: label, text: value, flaw: undefined, level: "warning" });
    } else {
      add({ line, key: label, value, message: `${label}: unknown key${suggestKey(section, key)}` });
    }
  }
  return { settings, problems, unusable: false, named };
}

/** What BOA's settings say about ours; all other variables there are none of our business. Never throws. */
export function barracudaLayer({ source, text }: SourceText): Layer {
  const file = parseBarracuda(text, source);
  if (file.unusable !== undefined) return unusableLayer(source, file.unusable);
  const settings = new Map<ConfigField, Setting>();
  const problems: Problem[] = file.problems.map((problem) => (
    { ...problem, source, value: undefined, using: undefined, level: "warning" }
  ));
  for (const field of CONFIG_FIELDS) {
    const names = CONFIG_KEYS[field].barracuda;
    const name = names.find((name) => file.entries.some((entry) => entry.key === name));
    const entries = file.entries.filter((entry) => entry.key === name);
    const last = entries.at(-1);
    if (last === undefined) continue;
    for (const entry of entries.slice(0, -1)) problems.push(repeatedProblem(source, entry, last));
    const { key, value, flaw, line } = last;
    settings.set(field, { source, line, key, text: value, flaw, level: "warning" });
  }
  return { settings, problems, unusable: false };
}

/**
 * What `--set section.key=value` options say. A problem there is an error: who typed it is there to mend it.
 */
export function overrideLayer(overrides: readonly string[]): Layer {
  const source = OVERRIDE_SOURCE;
  const settings = new Map<ConfigField, Setting>();
  const problems: Problem[] = [];
  for (const override of overrides) {
    const parsed = parseOverride(override);
    if ("problem" in parsed) {
      const { key, value, problem: message } = parsed;
      problems.push({ source, line: undefined, key, value, message, using: undefined, level: "error" });
    } else {
      const { field, key, text } = parsed;
      settings.set(field, { source, line: undefined, key, text, flaw: undefined, level: "error" });
    }
  }
  return { settings, problems, unusable: false };
}

function unusableLayer(source: string, message: string): Layer {
  const about = { line: undefined, key: undefined, value: undefined, using: undefined };
  return { settings: new Map(), problems: [{ source, ...about, message, level: "error" }], unusable: true };
}

function repeatedProblem(source: string, entry: BarracudaEntry, last: BarracudaEntry): Problem {
  const message = `${entry.key} is set again in line ${last.line}, the last one counts`;
  const { line, key, value } = entry;
  return { source, line, key, value, message, using: `line ${last.line}`, level: "warning" };
}

/** The section that a mistyped one was most likely meant to be. */
function maybeMeantSection(name: string, known: readonly string[]): string | undefined {
  const [, word = name, rest = ""] = /^(\w+)[\s:]+(.*)$/.exec(name) ?? [];
  const prefix = nearest(word, [...known, ...NAMED_PREFIXES]);
  if (prefix === undefined || !NAMED_PREFIXES.includes(prefix)) return nearest(name, known);
  return `${prefix}:${rest === "" ? "NAME" : rest}`;
}

/** Where a key that a section does not have may belong to, as the end of a sentence. */
function suggestKey(section: string, key: string): string {
  const elsewhere = CONFIG_FIELDS.find((field) => CONFIG_KEYS[field].key === key);
  if (elsewhere !== undefined) return `, it belongs to [${CONFIG_KEYS[elsewhere].section}]`;
  const ownKeys = CONFIG_FIELDS.filter((field) => CONFIG_KEYS[field].section === section);
  const meant = nearest(key, ownKeys.map((field) => CONFIG_KEYS[field].key));
  return meant === undefined ? "" : `, did you mean ${meant}?`;
}
