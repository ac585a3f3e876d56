/**
 * The sites that are probed, each in a section of its own:
 *
 * ```ini
 * [probe www.example.org]
 * url = https://www.example.org/health
 * text = all is well
 * ```
 */

import { quote } from "../errors.ts";
import { nearest } from "../nearest.ts";
import { LOOK_SHARE } from "../probe/rules.ts";
import { CHECK_ACTIONS, type CheckAction } from "../probe/check.ts";
import type { ConfigKey } from "./config_key.ts";
import { type IniFile, iniKey } from "./ini.ts";
import type { Problem } from "./problem.ts";
import { PAGE_TEXT, SITE_URL } from "./probe_values.ts";
import { choiceType, durationType, renderDuration } from "./values.ts";

/** One site. */
export interface SiteConfig {
  /** What its section calls it. */
  readonly name: string;
  readonly url: string;
  /** What its page must hold. */
  readonly text: string;
  readonly action: CheckAction;
  /** Where this host is asked. */
  readonly address: "127.0.0.1" | "::1";
  /** How long an answer may take. */
  readonly deadlineMs: number;
}

/** A setting of a site. */
export type SiteField = Exclude<keyof SiteConfig, "name">;

/** A row of the table; what has no fallback must be there. */
type SiteKey<T> = Pick<ConfigKey<T>, "key" | "type" | "help"> & { readonly fallback: T | undefined };

/** Every setting of a site, in the order of the documentation. */
export const SITE_KEYS: { readonly [F in SiteField]: SiteKey<SiteConfig[F]> } = {
  url: { key: "url", type: SITE_URL, fallback: undefined, help: "what is asked for" },
  text: { key: "text", type: PAGE_TEXT, fallback: undefined, help: "what the page must hold" },
  action: {
    key: "action",
    type: choiceType(CHECK_ACTIONS),
    fallback: "drain",
    help: "what happens when it fails",
  },
  address: {
    key: "address",
    // All that the sandbox grants: a site that does not listen there is another host's.
    type: choiceType(["127.0.0.1", "::1"]),
    fallback: "127.0.0.1",
    help: "where this host is asked",
  },
  deadlineMs: {
    key: "deadline",
    type: durationType(100, 60_000),
    fallback: 4_000,
    help: "how long an answer may take",
  },
};

const SITE_FIELDS = Object.keys(SITE_KEYS) as readonly SiteField[];

/** Sections of sites begin so. */
const SECTION = /^probe\s+(\S.*)$/;

/** Where a setting of a site came from. */
export interface SiteOrigin {
  readonly section: string;
  readonly field: SiteField;
  /** As it would be written in `loadweir.ini`. */
  readonly value: string;
  readonly source: string;
  /** From 1; undefined for a default. */
  readonly line: number | undefined;
}

/** The sites of a file. */
export interface Sites {
  readonly sites: readonly SiteConfig[];
  readonly origins: readonly SiteOrigin[];
  readonly problems: readonly Problem[];
}

/** Sites that are given longer than a look may take: what is not seen in time is unknown until the next. Never throws. */
export function slowSiteAdvice(
  { sites, origins }: Pick<Sites, "sites" | "origins">,
  tickMs: number,
): readonly Problem[] {
  return sites.filter(({ deadlineMs }) => deadlineMs >= LOOK_SHARE * tickMs).map(({ name, deadlineMs }) => {
    const origin = origins.find(({ section, field }) =>
      maybeSiteName(section) === name && field === "deadlineMs"
    );
    const value = renderDuration(deadlineMs);
    const key = iniKey(origin?.section ?? "", "deadline");
    return {
      source: origin?.source ?? "default",
      line: origin?.line,
      key,
      value,
      message: `${key} = ${value} is not below nine tenths of [probe] tick = ${
        renderDuration(tickMs)
      }, so that a site that hangs takes the host out later`,
      using: value,
      level: "advice",
    };
  });
}

/** The name of the site that a section is about; undefined where it is about none. */
export function maybeSiteName(section: string): string | undefined {
  return SECTION.exec(section)?.[1];
}

/**
 * Reads the sites of a file. One without a good URL and text is left out: it could only be asked wrongly. Never throws.
 */
export function sitesOf(file: IniFile): Sites {
  const sites: SiteConfig[] = [];
  const origins: SiteOrigin[] = [];
  const problems: Problem[] = [];
  const names = [...new Set(file.sections.map(({ name }) => name))].filter((name) =>
    maybeSiteName(name) !== undefined
  );
  for (const section of names) {
    const read = readSite(section, file);
    problems.push(...read.problems);
    if (read.site === undefined) continue;
    const { name } = read.site;
    if (sites.some((site) => site.name === name)) {
      problems.push({
        source: file.source,
        line: file.sections.find((one) => one.name === section)?.line,
        key: undefined,
        value: undefined,
        message: `[${section}] has the name of a site above, ${
          quote(name)
        }, so that it is not probed; give it another one`,
        using: undefined,
        level: "warning",
      });
      continue;
    }
    sites.push(read.site);
    origins.push(...read.origins);
  }
  return { sites, origins, problems };
}

function readSite(
  section: string,
  file: IniFile,
): { readonly site: SiteConfig | undefined; readonly origins: SiteOrigin[]; readonly problems: Problem[] } {
  const { source } = file;
  const origins: SiteOrigin[] = [];
  const problems: Problem[] = [];
  const entries = file.entries.filter((entry) => entry.section === section);
  const values = new Map<SiteField, unknown>();
  const missing: string[] = [];
  const add = (problem: Pick<Problem, "line" | "key" | "value" | "message" | "using">): void => {
    problems.push({ source, level: "warning", ...problem });
  };
  for (const { key, value, line } of entries) {
    if (SITE_FIELDS.some((field) => SITE_KEYS[field].key === key)) continue;
    const meant = nearest(key, SITE_FIELDS.map((field) => SITE_KEYS[field].key));
    const label = iniKey(section, key);
    const suggestion = meant === undefined ? "" : `, did you mean ${meant}?`;
    add({ line, key: label, value, message: `${label}: unknown key${suggestion}`, using: undefined });
  }
  for (const field of SITE_FIELDS) {
    const { key, type, fallback } = SITE_KEYS[field] as SiteKey<unknown>;
    const entry = entries.findLast((one) => one.key === key);
    const read = entry && type.maybeRead(entry.value);
    const value = read === undefined ? fallback : read.value;
    if (value === undefined) missing.push(key);
    else {
      values.set(field, value);
      const isRead = read !== undefined;
      origins.push({
        section,
        field,
        value: type.render(value),
        source: isRead ? source : "default",
        line: isRead ? entry?.line : undefined,
      });
    }
    if (entry !== undefined && read === undefined) {
      const label = iniKey(section, key);
      const message = `${label} is ${JSON.stringify(entry.value)}, expected ${type.expected}`;
      const using = fallback === undefined ? undefined : type.render(fallback);
      add({ line: entry.line, key: label, value: entry.value, message, using });
    }
  }
  if (missing.length > 0) {
    const line = file.sections.find(({ name }) => name === section)?.line;
    const message = `[${section}] has no good ${missing.join(" and ")}, so that the site is not probed`;
    add({ line, key: undefined, value: undefined, message, using: undefined });
    return { site: undefined, origins, problems };
  }
  const name = maybeSiteName(section) ?? section;
  return { site: { name, ...Object.fromEntries(values) } as unknown as SiteConfig, origins, problems };
}
