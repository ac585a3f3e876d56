/** The web tier, its crawler block and the patterns of a check, in words. */

import type {
  CheckFindings,
  CrawlerBlockFinding,
  MatchFinding,
  PatternFinding,
  PatternsFinding,
  ServiceFinding,
  WebTierFinding,
} from "../check/findings.ts";
import type { IncludePlace } from "../nginx/include_search.ts";
import { type Reading, whyMissing } from "../reading.ts";
import { printable } from "./printable.ts";
import { countText } from "./count.ts";
import { foreignText } from "./web_tier.ts";

/** Matches of one pattern that are shown. */
const MATCHES_SHOWN = 8;

/** One line for each service, then what is not ours and what is not understood. */
export function webTierLines({ web, sensors }: CheckFindings): readonly string[] {
  const lines = web.services.map((service) => serviceText(service, web, sensors.processes));
  lines.push(...web.foreign.map(foreignText));
  if (web.orphanPids.length > 0) lines.push(`workers without a master: ${pidList(web.orphanPids)}`);
  if (web.unclearPids.length > 0) {
    lines.push(`named like the web tier, not understood: ${pidList(web.unclearPids)}`);
  }
  if (web.problem !== undefined) lines.push(`units not known: ${printable(web.problem)}`);
  return lines.length === 0 ? ["neither nginx nor php-fpm"] : lines;
}

function serviceText(service: ServiceFinding, web: WebTierFinding, processes: Reading<unknown>): string {
  const { kind, version, file, masters } = service;
  const parts = [
    file === undefined ? NO_FILE[web.manager] : fileText(file.path, file.name),
    masters.length > 0
      ? runningText(service)
      : processes.kind === "ok"
      ? "not running"
      : "not known whether it runs",
    ...stateTexts(service),
  ];
  if (version.kind !== "ok") parts.push(`version unknown: ${printable(whyMissing(version) ?? "")}`);
  return `${kind}${version.kind === "ok" ? ` ${printable(version.value)}` : ""}: ${parts.join(", ")}`;
}

const NO_FILE: Readonly<Record<WebTierFinding["manager"], string>> = {
  systemd: "no unit",
  sysv: "no init script",
  none: "no service manager",
};

function fileText(path: string, name: string): string {
  return `${path.startsWith("/etc/init.d/") ? "init script" : "unit"} ${printable(name)}`;
}

function runningText({ kind, masters, pools, workerCount }: ServiceFinding): string {
  const pids = masters.map(({ pid }) => pid).join(", ");
  const served = kind === "php-fpm" && pools.length > 0
    ? `${pools.length === 1 ? "pool" : "pools"} ${pools.map(poolText).join(", ")}`
    : countText(workerCount, "worker");
  return `running (${masters.length === 1 ? "master" : "masters"} ${pids}, ${served})`;
}

function poolText({ name, workerCount }: ServiceFinding["pools"][number]): string {
  return `${printable(name)}: ${workerCount === 0 ? "no worker now" : countText(workerCount, "worker")}`;
}

/** What systemd says where that is not what one would expect. */
function stateTexts({ file, masters }: ServiceFinding): readonly string[] {
  const state = file?.state;
  if (state === undefined) return [];
  if (state.loadState !== "loaded") return [state.loadState === "" ? "state unknown" : state.loadState];
  const isActive = state.activeState === "active" || state.activeState === "reloading";
  return isActive === masters.length > 0 ? [] : [`systemd says ${state.activeState}`];
}

/** The file of the crawler block, and whether nginx loads it. */
export function crawlerBlockText({ paths, state, include }: CrawlerBlockFinding): string {
  const file = {
    on: `${paths.on} present, crawlers are blocked now`,
    off: `${paths.off} present`,
    both: `${paths.on} and ${paths.off} both present`,
    absent: `${paths.off} absent`,
  }[state];
  switch (include.kind) {
    case "included":
      return `${file}, included by nginx: yes, in ${placesText(include.places)}`;
    case "unreached":
      return `${file}, included by nginx: no, only in ${placesText(include.places)}, which it does not load`;
    case "none":
      return `${file}, included by nginx: no`;
  }
}

function placesText([{ path, line }, ...others]: readonly [IncludePlace, ...IncludePlace[]]): string {
  return `${printable(path)} line ${line}${others.length === 0 ? "" : ` and ${others.length} more`}`;
}

/** How many processes the backup patterns match, and each of them. */
export function backupLines(patterns: Reading<PatternsFinding>): readonly string[] {
  if (patterns.kind !== "ok") return [`not known: ${whyMissing(patterns)}`];
  const { backups, undecidedPids, marker } = patterns.value;
  const lines = [...patternLines(backups)];
  if (undecidedPids.length > 0) lines.push(`  could not be told, count as none: ${pidList(undecidedPids)}`);
  if (marker?.running) lines.push(`  ${marker.path}: names a process that runs`);
  return lines;
}

/** How many processes the runaway patterns match, and each of them. */
export function runawayLines(patterns: Reading<PatternsFinding>): readonly string[] {
  return patterns.kind === "ok"
    ? patternLines(patterns.value.runaways)
    : [`not known: ${whyMissing(patterns)}`];
}

function patternLines(patterns: readonly PatternFinding[]): readonly string[] {
  if (patterns.length === 0) return ["no pattern is configured"];
  const count = patterns.reduce((sum, { matches }) => sum + matches.length, 0);
  const names = patterns.map(({ pattern }) => pattern).join(", ");
  return [
    `${names}: ${count === 1 ? "1 process" : `${count} processes`} now`,
    ...patterns.filter(({ matches }) => matches.length > 0).map(({ pattern, matches }) =>
      `  ${pattern}: ${matchesText(matches)}`
    ),
  ];
}

function matchesText(matches: readonly MatchFinding[]): string {
  const shown = matches.slice(0, MATCHES_SHOWN).map(({ pid, program, spared }) =>
    `pid ${pid} ${printable(program)}${spared === undefined ? "" : ` (spared: ${spared})`}`
  );
  const others = matches.length - shown.length;
  return `${shown.join(", ")}${others === 0 ? "" : ` and ${others} more`}`;
}

function pidList(pids: readonly number[]): string {
  const others = pids.length - MATCHES_SHOWN;
  return `pid ${pids.slice(0, MATCHES_SHOWN).join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
