/**
 * The files that the binary carries and prints: it never writes them. One row each, which the verb, its help, `check` and
 * the documents take from here.
 */

import { MOUNT_SCRIPT, PROC_MOUNT } from "../check/proc_mount.ts";
import { CRAWLER_BLOCKS } from "../nginx/crawler_block.ts";
import { BLOCK_CONF } from "../nginx/block_conf.ts";
import { CONFIG_FILE_PATH, renderConfigFile } from "./config_file.ts";
import { LOGROTATE, LOGROTATE_PATH } from "./logrotate.ts";
import { SYSV, SYSV_PATH } from "./sysv.ts";
import { AUDIT_UNIT, AUDIT_UNIT_PATH, UNIT, UNIT_PATH } from "./unit.ts";

/** A file that the binary carries. */
export interface ShippedFile {
  /** As `loadweir print NAME` takes it. */
  readonly name: ShippedName;
  /** Where it belongs; undefined where it is to be run and kept nowhere. */
  readonly path: string | undefined;
  /** One line, lower case. */
  readonly summary: string;
  readonly text: () => string;
  /** Where it is of use. */
  readonly manager: "systemd" | "sysv" | "any";
  /** Commands for root after it has been put in place; empty where it counts at once. */
  readonly afterwards: string;
  /** Whether a host is expected to change it. */
  readonly isTheirs: boolean;
}

/** The names. */
export type ShippedName =
  | "audit-unit"
  | "config"
  | "logrotate"
  | "nginx-block"
  | "proc-mount"
  | "sysv"
  | "unit";

/** All of them, in alphabetical order. */
export const SHIPPED: readonly ShippedFile[] = [
  {
    name: "audit-unit",
    path: AUDIT_UNIT_PATH,
    summary: "unit of an audit, which changes nothing",
    text: () => AUDIT_UNIT,
    manager: "systemd",
    afterwards: "systemctl daemon-reload && systemctl try-restart loadweir-audit",
    isTheirs: false,
  },
  {
    name: "config",
    path: CONFIG_FILE_PATH,
    summary: "settings, none of them set, each with its default",
    text: renderConfigFile,
    manager: "any",
    afterwards: "",
    isTheirs: true,
  },
  {
    name: "logrotate",
    path: LOGROTATE_PATH,
    summary: "rotation of the logs",
    text: () => LOGROTATE,
    manager: "any",
    afterwards: "",
    isTheirs: false,
  },
  {
    name: "nginx-block",
    path: CRAWLER_BLOCKS.generic.off,
    summary: "crawler block of nginx, which SPIDER switches by its name",
    text: () => BLOCK_CONF,
    manager: "any",
    afterwards: "",
    isTheirs: true,
  },
  {
    name: "proc-mount",
    path: undefined,
    summary: `commands that make a proc root at ${PROC_MOUNT}, until the next boot`,
    text: () => `# For root: sudo loadweir print proc-mount | sudo sh\n${MOUNT_SCRIPT}`,
    manager: "any",
    afterwards: "",
    isTheirs: false,
  },
  {
    name: "sysv",
    path: SYSV_PATH,
    summary: "init script of the agent, for hosts without systemd",
    text: () => SYSV,
    manager: "sysv",
    afterwards: `chmod 755 ${SYSV_PATH}`,
    isTheirs: false,
  },
  {
    name: "unit",
    path: UNIT_PATH,
    summary: "unit of the agent",
    text: () => UNIT,
    manager: "systemd",
    afterwards: "systemctl daemon-reload && systemctl try-restart loadweir",
    isTheirs: false,
  },
];

/** The file of that name; undefined where there is none. */
export function maybeShipped(name: string): ShippedFile | undefined {
  return SHIPPED.find((file) => file.name === name);
}
