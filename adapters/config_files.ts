/** Reading the configuration: which files, in which order, and what it means when one is not there. */

import type { Profile } from "../mod/config/config.ts";
import type { Problem, ProblemLevel } from "../mod/config/problem.ts";
import { resolveConfig, type ResolvedConfig } from "../mod/config/resolve.ts";
import type { ConfigSources } from "../mod/config/sources.ts";
import { messageOf } from "../mod/errors.ts";
import { failed, type Reading } from "../mod/reading.ts";
import { isRoot, readText, readTrustedFile } from "./trusted_file.ts";

/** Our own settings. */
export const CONFIG_PATH = "/etc/loadweir/loadweir.ini";

/** BOA's settings. */
export const BARRACUDA_PATH = "/root/.barracuda.cnf";

/** As the name of a configuration: read it from standard input, for which no file permission is needed. */
export const STANDARD_INPUT = "-";

/** Which files to read; what is not given is as on a host. */
export interface ConfigFileOptions {
  /** The file that somebody named, which must be there; `-` is standard input. */
  readonly configPath?: string | undefined;
  /** Our settings when nobody named a file; it may be missing. */
  readonly defaultConfigPath?: string | undefined;
  readonly barracudaPath?: string | undefined;
  /** `section.key=value` texts. */
  readonly overrides?: readonly string[] | undefined;
  /** Whether files that others than root may write are refused; as a rule when running as root. */
  readonly asRoot?: boolean | undefined;
}

/** What was read. */
export interface ConfigFiles {
  readonly sources: ConfigSources;
  /** Files that could not be read, in the form of other configuration problems. */
  readonly problems: readonly Problem[];
  /** True when a file that should count could not be read. */
  readonly unusable: boolean;
  /** The profile in effect: `auto` is decided. */
  readonly profile: Exclude<Profile, "auto">;
}

/** A configuration from files, with the problems of both. */
export interface LoadedConfig extends ResolvedConfig {
  readonly sources: ConfigSources;
  readonly profile: Exclude<Profile, "auto">;
}

/** Reads and checks the whole configuration. Never rejects. */
export async function readConfig(options: ConfigFileOptions = {}): Promise<LoadedConfig> {
  const { sources, problems, unusable, profile } = await readConfigFiles(options);
  const resolved = resolveConfig(sources);
  return {
    ...resolved,
    problems: [...problems, ...resolved.problems],
    unusable: unusable || resolved.unusable,
    sources,
    profile,
  };
}

/**
 * Reads the texts of the configuration. Never rejects.
 *
 * BOA's settings are read with profile `boa`, and with `auto` where they exist. Without them `boa` is a
 * problem and `auto` is `generic`.
 */
export async function readConfigFiles(options: ConfigFileOptions = {}): Promise<ConfigFiles> {
  const asRoot = options.asRoot ?? isRoot();
  const problems: Problem[] = [];
  let unusable = false;
  const refuse = (source: string, message: string, level: ProblemLevel = "error"): void => {
    problems.push({
      source,
      line: undefined,
      key: undefined,
      value: undefined,
      message,
      using: undefined,
      level,
    });
    unusable ||= level === "error";
  };

  const isNamed = options.configPath !== undefined;
  const configPath = options.configPath ?? options.defaultConfigPath ?? CONFIG_PATH;
  const source = configPath === STANDARD_INPUT ? "standard input" : configPath;
  const own = await readOwn(configPath, asRoot);
  if (own.kind === "failed") refuse(source, own.error);
  if (own.kind === "absent" && isNamed) refuse(source, own.reason);
  const ini = own.kind === "ok" ? { source, text: own.value } : undefined;
  const ownSources = { ini, overrides: options.overrides };

  const asked = resolveConfig(ownSources).config.profile;
  if (asked === "generic") return { sources: ownSources, problems, unusable, profile: "generic" };

  const barracudaPath = options.barracudaPath ?? BARRACUDA_PATH;
  const theirs = await readTrustedFile(barracudaPath, asRoot);
  if (theirs.kind === "ok") {
    const sources = { ...ownSources, barracuda: { source: barracudaPath, text: theirs.value } };
    return { sources, problems, unusable, profile: "boa" };
  }
  if (theirs.kind === "failed" && (asRoot || asked === "boa")) {
    refuse(barracudaPath, theirs.error);
    return { sources: ownSources, problems, unusable, profile: "boa" };
  }
  if (theirs.kind === "failed") {
    refuse(
      barracudaPath,
      `${theirs.error}; it counts on a BOA host (elsewhere set [agent] profile = generic)`,
      "advice",
    );
  } else if (asked === "boa") {
    refuse(barracudaPath, `${theirs.reason}, expected because of [agent] profile = boa`, "warning");
  }
  return { sources: ownSources, problems, unusable, profile: asked === "boa" ? "boa" : "generic" };
}

/** Reads our own settings from a file or from standard input. Never rejects. */
async function readOwn(path: string, asRoot: boolean): Promise<Reading<string>> {
  if (path === STANDARD_INPUT) {
    try {
      return await readText(Deno.stdin);
    } catch (error) {
      return failed(messageOf(error));
    }
  }
  if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") {
    return failed(
      `outside of what this program may read (put it into /etc/loadweir, or use --config - < ${path})`,
    );
  }
  return await readTrustedFile(path, asRoot);
}
