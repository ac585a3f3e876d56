/**
 * One line of the incident log.
 *
 * ```text
 * ts=2026-11-29T19:31:14Z level=ALERT event=pause-web tier=max load1=671.0 load5=455.0
 * incident=20261129T193114Z text="Web paused: …"
 * ```
 */

import { printable } from "../report/printable.ts";
import { timestamp } from "../report/timestamp.ts";
import type { LogEntry } from "./event_log.ts";

/**
 * Renders an entry as one line of logfmt without its line end: loads in percent, and those without a value
 * left out. Never throws.
 */
export function renderLogLine(entry: LogEntry): string {
  const { wallMs, level, name, tier, load1Percent, load5Percent, incidentId, text } = entry;
  const words = [
    `ts=${timestamp(wallMs)}`,
    `level=${level}`,
    `event=${name}`,
  ];
  if (tier !== undefined) words.push(`tier=${tier}`);
  if (load1Percent !== undefined) words.push(`load1=${load1Percent.toFixed(1)}`);
  if (load5Percent !== undefined) words.push(`load5=${load5Percent.toFixed(1)}`);
  if (incidentId !== undefined) words.push(`incident=${incidentId}`);
  if (text !== "") words.push(`text=${JSON.stringify(printable(text))}`);
  return words.join(" ");
}
