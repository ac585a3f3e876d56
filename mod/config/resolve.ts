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
import type { SectionOrigin } from "./named_section.ts";
import { orderProblem, planAdvice, withDefaultThresholds } from "./plausibility.ts";
import type { AppConfig, InstanceConfig } from "./pressure_config.ts";
import { pressureAdvice, sameInstanceAdvice, withPlausiblePressure } from "./pressure_plausibility.ts";
import type { Problem } from "./problem.ts";
import { CONFIG_FIELDS, CONFIG_KEYS, configOf } from "./schema.ts";
import { type SiteConfig, slowSiteAdvice } from "./site.ts";
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
  /** The instances of the web tier that have a section, in the order of the file. */
  readonly instances: readonly InstanceConfig[];
  /** The groups of application processes, in the order of the file. */
  readonly apps: readonly AppConfig[];
  /** One for each setting of each site, instance and application. */
  readonly sectionOrigins: readonly SectionOrigin[];
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
 * known. So are settings of pressure that contradict each other.
 */
export function resolveConfig(sources: ConfigSources): ResolvedConfig {
  const layers: readonly Layer[] = [
    ...sources.ini === undefined ? [] : [iniLayer(sources.ini)],
    ...sources.barracuda === undefined ? [] : [barracudaLayer(sources.barracuda)],
    overrideLayer(sources.overrides ?? []),
  ];
  const { choices: chosen, rejections } = chooseValues(layers);
  const disorder = orderProblem(chosen);
  const { choices, problems: contradictions } = withPlausiblePressure(
    disorder === undefined ? chosen : withDefaultThresholds(chosen),
  );
  const config = configOf((field) => choices[field].value);
  const named = layers.flatMap((layer) => layer.named === undefined ? [] : [layer.named]);

  const problems = [
    ...layers.flatMap((layer) => layer.problems),
    ...rejections.map((rejection) => rejectionProblem(rejection, choices)),
    ...disorder === undefined ? [] : [disorder],
    ...contradictions,
    ...planAdvice(choices),
    ...pressureAdvice(choices),
    ...named.flatMap(({ sites }) => slowSiteAdvice(sites, config.probeTickMs)),
    ...named.flatMap(({ instances }) => sameInstanceAdvice(instances, config)),
  ];
  const order = [sources.ini?.source, sources.barracuda?.source, OVERRIDE_SOURCE];
  problems.sort((a, b) => order.indexOf(a.source) - order.indexOf(b.source) || (a.line ?? 0) - (b.line ?? 0));

  return {
    config,
    problems,
    origins: CONFIG_FIELDS.map((field) => originOf(field, choices)),
    sites: named.flatMap(({ sites }) => sites.values),
    instances: named.flatMap(({ instances }) => instances.values),
    apps: named.flatMap(({ apps }) => apps.values),
    sectionOrigins: named.flatMap((kinds) => Object.values(kinds).flatMap(({ origins }) => origins)),
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
