/**
 * The sites that are probed, each in a section of its own:
 *
 * ```ini
 * [probe www.example.org]
 * url = https://www.example.org/health
 * text = all is well
 * ```
 */

import { LOOK_SHARE } from "../probe/rules.ts";
import { CHECK_ACTIONS, type CheckAction } from "../probe/check.ts";
import { iniKey } from "./ini.ts";
import { maybeOriginOf, type NamedKeys, type NamedKind, type NamedSections } from "./named_section.ts";
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

/** What a section of a site says. */
type SiteSettings = Omit<SiteConfig, "name">;

const KEYS: NamedKeys<SiteSettings> = {
  url: { key: "url", type: SITE_URL, fallback: undefined, help: "what is asked for" },
  text: { key: "text", type: PAGE_TEXT, fallback: undefined, help: "what the page must hold" },
  action: {
    key: "action",
    type: choiceType(CHECK_ACTIONS),
    fallback: () => "drain",
    help: "what happens when it fails",
  },
  address: {
    key: "address",
    // All that the sandbox grants: a site that does not listen there is another host's.
    type: choiceType(["127.0.0.1", "::1"]),
    fallback: () => "127.0.0.1",
    help: "where this host is asked",
  },
  deadlineMs: {
    key: "deadline",
    type: durationType(100, 60_000),
    fallback: () => 4_000,
    help: "how long an answer may take",
  },
};

/** Sections of sites. One without a good URL and text could only be asked wrongly. */
export const SITES: NamedKind<SiteSettings, SiteConfig> = {
  maybeName: (section) => /^probe\s+(\S.*)$/.exec(section)?.[1],
  keys: KEYS,
  noun: "site",
  leftOut: "is not probed",
  maybeFlaw: () => undefined,
  make: (name, settings) => ({ name, ...settings }),
};

/** Sites that are given longer than a look may take: what is not seen in time is unknown until the next. Never throws. */
export function slowSiteAdvice(
  { values, origins }: Pick<NamedSections<SiteConfig>, "values" | "origins">,
  tickMs: number,
): readonly Problem[] {
  return values.filter(({ deadlineMs }) => deadlineMs >= LOOK_SHARE * tickMs).map(({ name, deadlineMs }) => {
    const origin = maybeOriginOf(origins, SITES, name, KEYS.deadlineMs.key);
    const value = renderDuration(deadlineMs);
    const key = iniKey(origin?.section ?? "", KEYS.deadlineMs.key);
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
