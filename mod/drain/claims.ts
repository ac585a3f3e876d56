/**
 * What one of those who silence pings has silenced in this boot, where nothing else tells whose it is.
 *
 *     {"version":1,"boot":"0c5e…","sysctl":["ipv4","ipv6"],"ufw":false}
 *
 * A switch that is 1 may have been set by anybody. It is set back only by one who claims it, and only when nobody else does.
 */

import { parseJsonObject } from "../json_object.ts";
import { GUESSED_BOOT } from "../hold/boot_word.ts";
import { FAMILIES, type Family } from "./family.ts";

/** Who silences: the agent, or a person by hand. */
export type PingOwner = "agent" | "by-hand";

/** The other one. */
export const OTHER_OWNER: Readonly<Record<PingOwner, PingOwner>> = { agent: "by-hand", "by-hand": "agent" };

/** What is claimed. */
export interface PingClaims {
  /** The families whose switch was set. */
  readonly sysctl: readonly Family[];
  /** Whether ufw's files were edited, or have been given back and are not loaded yet. */
  readonly ufw: boolean;
}

/** Nothing. */
export const NO_CLAIMS: PingClaims = { sysctl: [], ufw: false };

/** Everything: what a text that cannot be read may have said. What is ours in doubt is given back. */
export const ALL_CLAIMS: PingClaims = { sysctl: FAMILIES, ufw: true };

const KEYS = ["version", "boot", "sysctl", "ufw"];
const VERSION = 1;

/**
 * Reads claims. Those of another boot are none: nothing of them is left but ufw's files, which tell by themselves.
 *
 * @throws {ParseError} If the text is no such record
 */
export function parseClaims(text: string, source: string, boot: string): PingClaims {
  const record = parseJsonObject(text, source, KEYS);
  if (record.count("version") !== VERSION) record.refuse("version", String(VERSION));
  const families = record.texts("sysctl");
  const sysctl = FAMILIES.filter((family) => families.includes(family));
  if (sysctl.length !== families.length) record.refuse("sysctl", `some of ${FAMILIES.join(", ")}`);
  const ufw = record.flag("ufw");
  return isOfBoot(record.text("boot"), boot) ? { sysctl, ufw } : NO_CLAIMS;
}

/**
 * Whether claims are of a boot. A word that was worked out from clocks may be another one a moment later, and claims lie where
 * nothing outlives a boot: with such a word they are, so that nobody is left silent.
 */
function isOfBoot(written: string, boot: string): boolean {
  return written === boot || [written, boot].some((word) => word.startsWith(GUESSED_BOOT));
}

/** Writes claims as one line. */
export function renderClaims({ sysctl, ufw }: PingClaims, boot: string): string {
  return `${JSON.stringify({ version: VERSION, boot, sysctl, ufw })}\n`;
}
