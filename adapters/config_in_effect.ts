/** The configuration in effect: that of the files, or while these cannot be used the last good one. */

import { resolveConfig } from "../mod/config/resolve.ts";
import { OVERRIDE_SOURCE } from "../mod/config/sources.ts";
import type { StandIn } from "../mod/config/stand_in.ts";
import { type ConfigFileOptions, type LoadedConfig, readConfig } from "./config_files.ts";
import { LAST_GOOD_PATH, readLastGood } from "./last_good_file.ts";
import { isRoot } from "./is_root.ts";

/** A configuration that applies. The problems are always those of the files: they are what has to be mended. */
export interface ConfigInEffect extends LoadedConfig {
  /** What stands in for files that cannot be used; undefined when they can. */
  readonly standIn: StandIn | undefined;
}

/** Which files to read; what is not given is as on a host. */
export interface InEffectOptions extends ConfigFileOptions {
  readonly lastGoodPath?: string | undefined;
}

/**
 * Reads what applies on this host. Never rejects.
 *
 * The last good configuration takes the place of all files together, also of those that could be used: half of one
 * time and half of another is no configuration that anybody wanted. Overrides lie on top of it too.
 */
export async function readConfigInEffect(options: InEffectOptions = {}): Promise<ConfigInEffect> {
  const loaded = await readConfig(options);
  if (!loaded.unusable) return onItsOwn(loaded);
  const kept = await readLastGood(options.lastGoodPath ?? LAST_GOOD_PATH, options.asRoot ?? isRoot());
  if (kept.kind === "absent") return onItsOwn(loaded);
  if (kept.kind === "failed") return { ...loaded, standIn: { kind: "spider-only", why: kept.error } };
  const { ini, profile, takenAt } = kept.value;
  const sources = { ini, overrides: options.overrides };
  const { problems, ...resolved } = resolveConfig(sources);
  return {
    ...resolved,
    problems: [
      ...loaded.problems.filter(({ source }) => source !== OVERRIDE_SOURCE),
      ...problems.filter(({ source }) => source === OVERRIDE_SOURCE),
    ],
    unusable: true,
    sources,
    profile,
    standIn: { kind: "last-good", takenAt },
  };
}

/** A configuration with nothing but itself to go by: one that cannot be used is SPIDER at most. */
export function onItsOwn(loaded: LoadedConfig): ConfigInEffect {
  return { ...loaded, standIn: loaded.unusable ? { kind: "spider-only", why: undefined } : undefined };
}
