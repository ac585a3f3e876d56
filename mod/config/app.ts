/**
 * The groups of application processes, each in a section of its own:
 *
 * ```ini
 * [app:shop]
 * class = node
 * unit = shop.service
 * ```
 */

import type { NamedKeys, NamedKind } from "./named_section.ts";
import type { AppConfig } from "./pressure_config.ts";
import { CPUS_OR_AUTO, MAYBE_ARGUMENT, MAYBE_UNIT, QUEUE_SOURCE } from "./pressure_values.ts";
import { choiceType, MAYBE_PROCESS_NAME } from "./values.ts";

/** What a section of a group says. */
type AppSettings = Omit<AppConfig, "name">;

const KEYS: NamedKeys<AppSettings> = {
  class: {
    key: "class",
    type: choiceType(["php", "node", "python"]),
    fallback: undefined,
    help: "what it is written in",
  },
  unit: { key: "unit", type: MAYBE_UNIT, fallback: () => "", help: "its unit of systemd" },
  process: {
    key: "process",
    type: MAYBE_PROCESS_NAME,
    fallback: () => "",
    help: "what its processes are called, where it has no unit",
  },
  argument: {
    key: "argument",
    type: MAYBE_ARGUMENT,
    fallback: () => "",
    help: "an argument that their command line must have, exactly; empty is any",
  },
  cpus: {
    key: "cpus",
    type: CPUS_OR_AUTO,
    fallback: () => 0,
    help: "CPUs that it may use; 0 goes by its cgroup and affinity",
  },
  queue: {
    key: "queue",
    type: QUEUE_SOURCE,
    fallback: (above) => ({ kind: above.class === "php" ? "php-fpm" : "none" }),
    help: "where it shows that requests wait for it",
  },
};

/** Sections of groups of application processes. */
export const APPS: NamedKind<AppSettings, AppConfig> = {
  maybeName: (section) => /^app\s*:\s*(\S.*)$/.exec(section)?.[1],
  keys: KEYS,
  noun: "application",
  leftOut: "is not watched",
  maybeFlaw: ({ unit, process }) => {
    if (unit !== "" && process !== "") return "has both unit and process, expected one of them";
    return unit === "" && process === "" ? "has no good unit or process" : undefined;
  },
  make: (name, settings) => ({ name, ...settings }),
};
