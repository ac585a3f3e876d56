/**
 * From texts to one checked configuration.
 *
 * BOA's settings lie on top of `loadweir.ini`, `--set` on top of both. A value that is not good counts as not
 * set: what lies below it applies, which is the default where nothing does. Everything that is wrong is
 * reported at once.
 */

import { quote } from "../errors.ts";
import { type Choices, chooseValues, type Rejection, renderChoice } from "./choice.ts";
import type { Config, ConfigField } from "./config.ts";
import { barracudaLayer, iniLayer, type Layer, overrideLayer } from "./layers.ts";
import { orderProblem, planAdvice, withDefaultThresholds } from "./plausibility.ts";
import type { Problem } from "./problem.ts";
import { CONFIG_FIELDS, CONFIG_KEYS, configOf } from "./schema.ts";
import { type SiteConfig, type SiteOrigin, slowSiteAdvice } from "./site.ts";
import { type ConfigSources, OVERRIDE_SOURCE } from "./sources.ts";

/** Where the value of one setting came from. */
export interface Origin {
  readonly field: ConfigField;
  readonly section: string;
  readonly key: string;
  /** As it would be written in `loadweir.ini`. */
  readonly value: string;
  /** A path, `--set` or `default`. */
  readonly source: string;
  /** From 1, where the source has lines. */
  readonly line: number | undefined;
}

/** A configuration, and how it came about. */
export interface ResolvedConfig {
  readonly config: Config;
  /** In the order of the sources and their lines. */
  readonly problems: readonly Problem[];
  /** One for each setting, in the order of the documentation. */
  readonly origins: readonly Origin[];
  /** The sites that are probed, in the order of the file. */
  readonly sites: readonly SiteConfig[];
  /** One for each setting of each site. */
  readonly siteOrigins: readonly SiteOrigin[];
  /**
   * True when a whole source could not be read as one: then only the SPIDER tier may act on this
   * configuration.
   */
  readonly unusable: boolean;
}

/**
 * Checks and combines the sources. Never throws: whatever the texts hold, the configuration is complete and
 * in range.
 *
 * Thresholds out of order are all three replaced by their defaults, because which of them is wrong cannot be
 * known.
 */
export function resolveConfig(sources: ConfigSources): ResolvedConfig {
  const layers: readonly Layer[] = [
    ...sources.ini === undefined ? [] : [iniLayer(sources.ini)],
    ...sources.barracuda === undefined ? [] : [barracudaLayer(sources.barracuda)],
    overrideLayer(sources.overrides ?? []),
  ];
  const { choices: chosen, rejections } = chooseValues(layers);
  const disorder = orderProblem(chosen);
  const choices = disorder === undefined ? chosen : withDefaultThresholds(chosen);

  const problems = [
    ...layers.flatMap((layer) => layer.problems),
    ...rejections.map((rejection) => rejectionProblem(rejection, choices)),
    ...disorder === undefined ? [] : [disorder],
    ...planAdvice(choices),
    ...layers.flatMap(({ sites }) =>
      sites === undefined ? [] : slowSiteAdvice(sites, choices.probeTickMs.value)
    ),
  ];
  const order = [sources.ini?.source, sources.barracuda?.source, OVERRIDE_SOURCE];
  problems.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source) || (a.line ?? 0) - (b.line ?? 0));

  return {
    config: configOf((field) => choices[field].value),
    problems,
    origins: CONFIG_FIELDS.map((field) => originOf(field, choices)),
    sites: layers.flatMap((layer) => layer.sites?.sites ?? []),
    siteOrigins: layers.flatMap((layer) => layer.sites?.origins ?? []),
    unusable: layers.some((layer) => layer.unusable),
  };
}

function rejectionProblem({ field, setting }: Rejection, choices: Choices): Problem {
  const { source, line, key, text: value, flaw, level } = setting;
  const seen = value === "" ? "is empty" : `is ${quote(value)}`;
  const message = `${key} ${flaw ?? `${seen}, expected ${CONFIG_KEYS[field].type.expected}`}`;
  return { source, line, key, value, message, using: renderChoice(field, choices), level };
}

function originOf(field: ConfigField, choices: Choices): Origin {
  const { section, key } = CONFIG_KEYS[field];
  const { setting } = choices[field];
  const value = renderChoice(field, choices);
  return { field, section, key, value, source: setting?.source ?? "default", line: setting?.line };
}
