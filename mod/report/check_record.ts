/**
 * A check as a record for programs: one JSON object with the keys below. Null is not known or not there;
 * lists may be empty. Percentages end in `Pct`. Codes come from closed lists; texts are for people and may
 * change.
 *
 *     version       of loadweir
 *     verdict       exitCode 0 | 2 | 3, guardable, reasons [{code, text}], limits [{code, text}],
 *                   problems and advice (counts), text
 *     host          name, kernel, root, cpus, cpuLimit, cpuLimitCgroup, container
 *     config        path, read, profile, unusable,
 *                   problems [{level, source, line, key, value, message, using}],
 *                   settings [{section, key, value, source, line}]
 *     ladder        spider, max, crit, resume, task: each {pct, load}
 *     sensors       source, procRoot, notes, load1, load5, load1Pct, load5Pct, tier, iowaitPct,
 *                   psiCpuPct, psiIoPct, processes (count), missing [{reading, why}]
 *     webTier       manager systemd | sysv | none,
 *                   services [{kind, version, program, service, servicePath, loadState, activeState,
 *                   running, masters [{pid, conf}], workers (count), pools [{name, workers}]}],
 *                   foreign [{kind, pid, reason}], orphanPids, unclearPids, problem
 *     crawlerBlock  state on | off | both | absent, on, off, include included | unreached | none,
 *                   places [{path, line, pattern}], flaw
 *     tools         [{name, path}]
 *     patterns      backups and runaways [{pattern, matches [{pid, program, spared}]}], undecidedPids,
 *                   marker {path, running}; null when the processes cannot be read
 *     sandbox       compiled, listed {read, write, run, net, env, sys}, whole, missing [{kind, value}]
 *     files         [{name, path, state absent | current | differs | unreadable, cure}]
 *     mount         commands that make a proc root; empty where there is one
 */

import type { CheckFindings, ServiceFinding, WatchedFinding } from "../check/findings.ts";
import { limitsOf } from "../check/limits.ts";
import { mountCommands } from "../check/proc_mount.ts";
import { judge } from "../check/verdict.ts";
import { problemRecord } from "../config/report.ts";
import { loadFigure } from "../config/thresholds.ts";
import { percentsOf, tierOf } from "../ladder/tier.ts";
import { maybeFlawOf } from "../nginx/crawler_block.ts";
import { maybeValue, type Reading, whyMissing } from "../reading.ts";
import { verdictText } from "./check_report.ts";

/** What a check found, as JSON has it. Never throws. */
export function recordOfCheck(findings: CheckFindings): Readonly<Record<string, unknown>> {
  const { version, tools, patterns, sandbox, sensors, shipped, watched } = findings;
  const { exitCode, reasons, problemCount, adviceCount } = judge(findings);
  const { container, procRoot } = sensors;
  return {
    version,
    verdict: {
      exitCode,
      guardable: reasons.length === 0,
      reasons,
      limits: limitsOf(findings),
      problems: problemCount,
      advice: adviceCount,
      text: verdictText(findings),
    },
    host: hostRecord(findings),
    config: configRecord(findings),
    ladder: ladderRecord(findings),
    sensors: sensorsRecord(findings),
    webTier: webTierRecord(findings),
    crawlerBlock: crawlerBlockRecord(findings),
    tools: tools.map(({ name, path }) => ({ name, path: path ?? null })),
    patterns: orNull(mapPatterns(patterns)),
    sandbox: {
      compiled: sandbox.compiled,
      listed: sandbox.listed,
      whole: sandbox.whole,
      missing: sandbox.missing.map(({ kind, value }) => ({ kind, value })),
    },
    pressure: watched.map(watchedRecord),
    files: shipped.map(({ name, path, state, cure }) => ({ name, path, state, cure })),
    mount: procRoot === undefined
      ? mountCommands(container.kind !== undefined || container.hostLoad !== undefined)
      : [],
  };
}

function hostRecord({ host, sensors }: CheckFindings): Readonly<Record<string, unknown>> {
  return {
    name: host.name,
    kernel: host.kernel,
    root: host.isRoot,
    cpus: maybeValue(sensors.sample.load)?.cpuCount ?? null,
    cpuLimit: sensors.cpuLimit?.cpus ?? null,
    cpuLimitCgroup: sensors.cpuLimit?.cgroup ?? null,
    container: sensors.container.kind ?? null,
  };
}

function configRecord({ config }: CheckFindings): Readonly<Record<string, unknown>> {
  return {
    path: config.path,
    read: config.read,
    profile: config.profile,
    unusable: config.standIn !== undefined,
    lastGood: config.standIn?.kind === "last-good" ? config.standIn.takenAt : null,
    problems: config.problems.map(problemRecord),
    settings: config.origins.map(({ section, key, value, source, line }) => (
      { section, key, value, source, line: line ?? null }
    )),
  };
}

function ladderRecord({ config, sensors }: CheckFindings): Readonly<Record<string, unknown>> {
  const cpuCount = maybeValue(sensors.sample.load)?.cpuCount;
  const step = (pct: number): unknown => ({
    pct,
    load: cpuCount === undefined ? null : loadFigure(pct, cpuCount),
  });
  const { spiderPercent, maxPercent, critPercent, resumePercent, taskPercent } = config.thresholds;
  return {
    spider: step(spiderPercent),
    max: step(maxPercent),
    crit: step(critPercent),
    resume: step(resumePercent),
    task: step(taskPercent),
  };
}

function sensorsRecord({ config, sensors }: CheckFindings): Readonly<Record<string, unknown>> {
  const { sourceName, procRoot, notes, sample, processes } = sensors;
  const load = maybeValue(sample.load);
  const percents = load && percentsOf(load);
  const readings: Readonly<Record<string, Reading<unknown> | undefined>> = {
    load: sample.load,
    iowait: sample.gate?.iowaitPercent,
    processes,
    psiCpu: sample.gate?.psiCpuPercent,
    psiIo: sample.gate?.psiIoPercent,
  };
  return {
    source: sourceName,
    procRoot: procRoot ?? null,
    notes,
    load1: load === undefined ? null : load.load1Hundredths / 100,
    load5: load === undefined ? null : load.load5Hundredths / 100,
    load1Pct: percents?.load1Percent ?? null,
    load5Pct: percents?.load5Percent ?? null,
    tier: percents === undefined ? "unknown" : tierOf(percents, config.rules),
    iowaitPct: maybeValue(sample.gate?.iowaitPercent) ?? null,
    psiCpuPct: maybeValue(sample.gate?.psiCpuPercent) ?? null,
    psiIoPct: maybeValue(sample.gate?.psiIoPercent) ?? null,
    processes: orNull(processes),
    missing: Object.entries(readings).flatMap(([name, reading]) =>
      reading === undefined || reading.kind === "ok" ? [] : [{ reading: name, why: whyMissing(reading) }]
    ),
  };
}

function webTierRecord({ web }: CheckFindings): Readonly<Record<string, unknown>> {
  return {
    manager: web.manager,
    services: web.services.map(serviceRecord),
    foreign: web.foreign.map(({ master, reason }) => ({ kind: master.kind, pid: master.pid, reason })),
    orphanPids: web.orphanPids,
    unclearPids: web.unclearPids,
    problem: web.problem ?? null,
  };
}

function serviceRecord(service: ServiceFinding): Readonly<Record<string, unknown>> {
  const { kind, version, program, file, masters, workerCount, pools } = service;
  return {
    kind,
    version: orNull(version),
    program: program ?? null,
    service: file?.name ?? null,
    servicePath: file?.path ?? null,
    loadState: file?.state?.loadState ?? null,
    activeState: file?.state?.activeState ?? null,
    running: masters.length > 0,
    masters: masters.map(({ pid, confPath }) => ({ pid, conf: confPath ?? null })),
    workers: workerCount,
    pools: pools.map((pool) => ({ name: pool.name, workers: pool.workerCount })),
  };
}

function watchedRecord(watched: WatchedFinding): Readonly<Record<string, unknown>> {
  const { kind, name, processes } = watched;
  return {
    kind,
    name,
    processes: orNull(processes),
    ...watched.kind === "app" ? { pools: watched.pools } : {
      answers: watched.metrics.kind === "ok",
      problem: whyMissing(watched.metrics) ?? null,
    },
  };
}

function crawlerBlockRecord({ block }: CheckFindings): Readonly<Record<string, unknown>> {
  const { paths, state, include } = block;
  return {
    state,
    on: paths.on,
    off: paths.off,
    include: include.kind,
    places: include.kind === "none" ? [] : include.places,
    flaw: maybeFlawOf(paths, state, include) ?? null,
  };
}

function mapPatterns(patterns: CheckFindings["patterns"]): Reading<unknown> {
  if (patterns.kind !== "ok") return patterns;
  const { backups, runaways, undecidedPids, marker } = patterns.value;
  const recordOf = ({ pattern, matches }: typeof backups[number]): unknown => ({
    pattern,
    matches: matches.map(({ pid, program, spared }) => ({ pid, program, spared: spared ?? null })),
  });
  return {
    kind: "ok",
    value: {
      backups: backups.map(recordOf),
      runaways: runaways.map(recordOf),
      undecidedPids,
      marker: marker ?? null,
    },
  };
}

function orNull(reading: Reading<unknown>): unknown {
  return maybeValue(reading) ?? null;
}
