/**
 * A check as people read it. The last line is the verdict.
 *
 *     ladder    SPIDER > 210 % = load 4.2 on 2 CPUs    crawlers are turned away    default
 *               MAX > 610 % = load 12.2 on 2 CPUs      the web is paused           default
 *     web tier  nginx 1.22.1: unit nginx.service, running (master 812, 2 workers)
 *     no problems, thresholds from defaults; this host can be guarded
 */

import type { CheckFindings, SandboxFinding, SensorsFinding, ToolFinding } from "../check/findings.ts";
import { limitsOf } from "../check/limits.ts";
import { judge } from "../check/verdict.ts";
import type { ConfigField } from "../config/config.ts";
import { renderProblemRows } from "../config/report.ts";
import { percentsOf, tierOf } from "../ladder/tier.ts";
import { formatLoad } from "../load_percent.ts";
import { maybeValue, type Reading, whyMissing } from "../reading.ts";
import { ladderLines } from "./check_ladder.ts";
import { backupLines, crawlerBlockText, runawayLines, webTierLines } from "./check_web.ts";
import { mountLines, shippedLines } from "./check_shipped.ts";
import { watchedLines } from "./check_watched.ts";
import { row } from "./panel.ts";
import { printable } from "./printable.ts";
import { countText } from "./count.ts";

/** Renders all that a check found, one line each, without a line end after the last. Never throws. */
export function renderCheck(findings: CheckFindings): readonly string[] {
  const limits = limitsOf(findings).map(({ text }) => text);
  return [
    headText(findings),
    "",
    ...rows("config", configLines(findings)),
    ...rows("ladder", ladderLines(findings)),
    ...rows("load", [loadText(findings)]),
    ...rows("sensors", sensorLines(findings.sensors)),
    ...rows("web tier", webTierLines(findings)),
    ...rows("block", [crawlerBlockText(findings.block)]),
    ...rows("tools", [toolsText(findings.tools)]),
    ...rows("backup", backupLines(findings.patterns)),
    ...rows("runaways", runawayLines(findings.patterns)),
    ...rows("pressure", watchedLines(findings.watched)),
    ...rows("sandbox", [sandboxText(findings.sandbox)]),
    ...rows("limits", limits),
    ...rows("files", shippedLines(findings)),
    ...rows("mount", mountLines(findings)),
    "",
    verdictText(findings),
  ];
}

/** The verdict in words: `2 problems, thresholds from defaults; this host can be guarded`. */
export function verdictText(findings: CheckFindings): string {
  const { problemCount, adviceCount, reasons } = judge(findings);
  const counts = [problemCount === 0 ? "no problems" : countText(problemCount, "problem")];
  if (adviceCount > 0) counts.push(`${adviceCount} to think about`);
  counts.push(`thresholds from ${thresholdSources(findings)}`);
  const limitCount = limitsOf(findings).length;
  const limits = limitCount === 0 ? "" : `, with ${countText(limitCount, "limit")}`;
  const verdict = reasons.length === 0
    ? `this host can be guarded${limits}`
    : `this host cannot be guarded: ${reasons.map(({ text }) => text).join("; ")}`;
  return `${counts.join(", ")}; ${verdict}`;
}

function rows(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => row(index === 0 ? label : "", line));
}

function headText({ version, host, sensors }: CheckFindings): string {
  const cpuCount = maybeValue(sensors.sample.load)?.cpuCount;
  const limit = sensors.cpuLimit === undefined
    ? ""
    : `, limited to ${Number(sensors.cpuLimit.cpus.toFixed(2))} by cgroup ${
      printable(sensors.cpuLimit.cgroup)
    }`;
  const cpus = cpuCount === undefined ? "CPUs unknown" : countText(cpuCount, "CPU");
  return `loadweir ${version} · ${host.name} · Linux ${host.kernel} · ${cpus}${limit}`;
}

function configLines({ config }: CheckFindings): readonly string[] {
  const { path, read, problems, profile } = config;
  const sources = [...new Set([path, ...read, ...problems.map(({ source }) => source)])];
  return sources.flatMap((source) => {
    const own = problems.filter((problem) => problem.source === source);
    const isThere = read.includes(source) || own.length > 0;
    const about = source === path ? `   profile ${profile}` : "";
    return [
      `${printable(source)}${isThere ? "" : ": not there, defaults apply"}${about}`,
      ...renderProblemRows(own).map((line) => `  ${line}`),
    ];
  });
}

function loadText({ config, sensors }: CheckFindings): string {
  const { load } = sensors.sample;
  if (load.kind !== "ok") return `unknown: ${whyMissing(load)}`;
  const { load1Hundredths, load5Hundredths } = load.value;
  const percents = percentsOf(load.value);
  return [
    `1m ${formatLoad(load1Hundredths)} = ${percents.load1Percent.toFixed(1)} %`,
    `5m ${formatLoad(load5Hundredths)} = ${percents.load5Percent.toFixed(1)} %`,
    `${tierOf(percents, config.rules).toUpperCase()} now`,
  ].join("   ");
}

function sensorLines(
  { sample, processes, source, procRoot, notes, container }: SensorsFinding,
): readonly string[] {
  const { gate } = sample;
  const figures = [["load, CPUs", sample.load], ["iowait", gate?.iowaitPercent], [
    "processes",
    processes,
  ]] as const;
  const pressure = [["PSI cpu", gate?.psiCpuPercent], ["PSI io", gate?.psiIoPercent]] as const;
  const readings = [...figures, ...pressure];
  const psi = procRoot === undefined ? namesOfRead(pressure) : "";
  const lines = [
    `${namesOfRead(procRoot === undefined ? figures : readings) || "nothing"} from ${printable(source)}` +
    (psi === "" ? "" : `; ${psi} from /proc/pressure`),
  ];
  for (const [name, reading] of readings) {
    if (reading !== undefined && reading.kind !== "ok") lines.push(`${name}: ${whyMissing(reading)}`);
  }
  if (container.hostLoad !== undefined) {
    lines.push(`the load is that of the host around it: ${printable(container.hostLoad)}`);
  } else if (container.kind !== undefined) {
    lines.push(`this is a container (${printable(container.kind)}), and the load is its own`);
  }
  return [...lines, ...notes];
}

function namesOfRead(readings: readonly (readonly [string, Reading<unknown> | undefined])[]): string {
  return readings.filter(([, reading]) => reading?.kind === "ok").map(([name]) => name).join(", ");
}

function toolsText(tools: readonly ToolFinding[]): string {
  const found = tools.flatMap(({ path }) => path === undefined ? [] : [path]);
  const missing = tools.filter(({ path }) => path === undefined).map(({ name }) => name);
  const parts = [found.join(", "), missing.length === 0 ? "" : `not found: ${missing.join(", ")}`];
  return parts.filter((part) => part !== "").join("; ");
}

function sandboxText({ listed, whole, missing, compiled }: SandboxFinding): string {
  const reach = listed.net === 0
    ? "reaches nothing"
    : `reaches ${listed.net} ${listed.net === 1 ? "address" : "addresses"}`;
  const list = `reads ${countText(listed.read, "path")}, writes ${listed.write}, ` +
    `runs ${countText(listed.run, "program")}, ${reach}`;
  if (whole.length > 0) return `open: ${whole.join(", ")} granted whole; the list is: ${list}`;
  if (missing.length > 0) return `${missing.length} of its list not granted; the list is: ${list}`;
  return `${list}; ${compiled ? "no prompt, no --allow-all" : "no --allow-all"}`;
}

/** Where the thresholds of the tiers come from, each source once. */
function thresholdSources({ config }: CheckFindings): string {
  const fields: readonly ConfigField[] = ["spiderRatio", "maxRatio", "critRatio"];
  const sources = config.origins.filter(({ field }) => fields.includes(field)).map(({ source }) => source);
  const named = [...new Set(sources)].filter((source) => source !== "default");
  return named.length === 0 ? "defaults" : named.map(printable).join(" and ");
}
