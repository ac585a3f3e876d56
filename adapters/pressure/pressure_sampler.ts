/**
 * Takes the samples of pressure, one each second: what the instances tell, what the processes of instances and
 * applications use, the pools of php-fpm and the host, all of it looked at together.
 */

import {
  type AppConfig,
  type InstanceConfig,
  type MetricNames,
  type MetricsAddress,
  type MetricsPreset,
  NO_METRIC_NAMES,
  type PressureConfig,
} from "../../mod/config/pressure_config.ts";
import { messageOf } from "../../mod/errors.ts";
import type { InstanceMetrics, WaitMetric } from "../../mod/pressure/metrics.ts";
import type {
  AppSample,
  InstanceSample,
  PoolSample,
  PressureSample,
  ProcessGroup,
} from "../../mod/pressure/sample.ts";
import { addWaits, NO_WAITS } from "../../mod/pressure/summed_waits.ts";
import { tierUnit } from "../../mod/pressure/tier_unit.ts";
import { absent, failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import { deadlineOf } from "../deadline.ts";
import type { OwnWebPorts } from "../probe/own_web.ts";
import { createAllowedCpus } from "./allowed_cpus.ts";
import { createGroupReader, type GroupLook, type GroupRule, type NamedGroups } from "./group_reader.ts";
import { readHost, readUptimeMs } from "./host_sample.ts";
import { createPageFetcher, type Page, pageText } from "./page_fetcher.ts";
import { createPoolReader, type FpmApp } from "./pool_reader.ts";

/** What is looked at. Plain data, so that a change of it can be told. */
export interface PressurePlan {
  readonly instances: readonly InstanceConfig[];
  readonly apps: readonly AppConfig[];
  readonly tier: Pick<
    PressureConfig,
    "tierTemplate" | "tierMetrics" | "tierBasePort" | "tierPreset" | "tierLagBaselineMs"
  >;
}

/** How the figures on a page are found. */
export interface MetricsReading {
  readonly preset: MetricsPreset;
  readonly names: MetricNames;
  readonly lagBaselineMs: number | undefined;
}

/** What a look takes. */
export interface PressurePorts extends OwnWebPorts {
  /** @throws {ParseError} For a page that is none */
  readonly readMetrics: (page: Page, how: MetricsReading, source: string) => InstanceMetrics;
  /** Where the instance of the template with an index tells its figures; undefined for nowhere. Never throws. */
  readonly tierAddressOf: (
    tier: Pick<PressureConfig, "tierMetrics" | "tierBasePort">,
    index: number,
  ) => MetricsAddress | undefined;
}

/** What is seen; what this program itself is doing is added by who knows it. */
export type SeenPressure = Omit<PressureSample, "isScaling" | "outcome" | "isHeld">;

/** Takes samples. */
export interface PressureSampler {
  /** Takes one; within 0.9 s. Never rejects. */
  readonly take: () => Promise<SeenPressure>;
  /** Hangs up whatever is still asked, so that the program can end by itself. */
  readonly close: () => void;
}

/** A page that comes later is of another second. */
const PAGE_DEADLINE_MS = 750;

/** What is later than this is not waited for, whatever hangs. */
const LOOK_DEADLINE_MS = 850;

const NO_ROOT = absent("processes cannot be told apart without a proc root: see `loadweir check`");

/** Rules of instances and applications may have the same name. */
const instanceKey = (name: string): string => `instance ${name}`;
const appKey = (name: string): string => `app ${name}`;

/** Makes the sampler of a plan. It remembers, so it is meant to live until the plan changes. */
export function createPressureSampler(ports: PressurePorts, plan: PressurePlan): PressureSampler {
  const { source, clock } = ports;
  const { instances, apps, tier } = plan;
  const fetcher = createPageFetcher({ deadlineMs: PAGE_DEADLINE_MS });
  const fpmApps = apps.filter(({ queue }) => queue.kind === "php-fpm");
  const rules = rulesOf(plan);
  const groups = source.kind === "proc-root"
    ? createGroupReader({ root: source.root, clock, host: ports.host }, {
      rules,
      template: tier.tierTemplate,
      hasFpm: fpmApps.length > 0,
    })
    : undefined;
  const allowed = source.kind === "proc-root"
    ? createAllowedCpus({ root: source.root, clock, host: ports.host })
    : undefined;
  const pools = createPoolReader(
    ports,
    fpmApps.map(({ name, unit, process }): FpmApp => ({ name, unit, process })),
  );
  let waits = NO_WAITS;

  async function metricsOf(
    config: InstanceConfig,
    group: Reading<ProcessGroup>,
  ): Promise<Reading<InstanceMetrics>> {
    const { metrics, preset, names, lagBaselineMs } = config;
    if (metrics === undefined) return absent("no address of metrics is set for it");
    // Asking could start it, where its socket is held open for it.
    if (group.kind === "ok" && group.value.length === 0) return absent("none of its processes runs");
    const page = await fetcher.fetch(metrics);
    if (page.kind !== "ok") return page;
    try {
      return ok(ports.readMetrics(page.value, { preset, names, lagBaselineMs }, pageText(metrics)));
    } catch (error) {
      return failed(messageOf(error));
    }
  }

  async function instanceSample(
    config: InstanceConfig,
    group: Reading<ProcessGroup>,
  ): Promise<InstanceSample> {
    return { name: config.name, group, metrics: await metricsOf(config, group) };
  }

  function takeInstances(look: GroupLook | undefined): Promise<readonly InstanceSample[]> {
    const configured = instances.map((config) => instanceSample(config, groupOfInstance(config, look)));
    const ofTemplate = [...look?.instances ?? []].flatMap(([index, group]) => {
      const unit = tierUnit(tier.tierTemplate, index);
      return instances.some((one) => one.unit === unit)
        ? []
        : [instanceSample(configOf(unit, index), ok(group))];
    });
    return Promise.all([...configured, ...ofTemplate]);
  }

  function groupOfInstance(
    { name, unit, pidFile }: InstanceConfig,
    look: GroupLook | undefined,
  ): Reading<ProcessGroup> {
    if (unit === "" && pidFile === "") return absent("neither a unit nor a pid file is set for it");
    return look?.groups.get(instanceKey(name)) ?? NO_ROOT;
  }

  function configOf(unit: string, index: number): InstanceConfig {
    return {
      name: unit,
      metrics: ports.tierAddressOf(tier, index),
      preset: tier.tierPreset,
      unit,
      pidFile: "",
      cpus: 0,
      loopsCount: 1,
      connectionLimitCount: 0,
      lagBaselineMs: tier.tierLagBaselineMs,
      names: NO_METRIC_NAMES,
    };
  }

  /** What the instances export of the wait for an application; their totals added up, whichever of them are there. */
  function waitOf(config: AppConfig, seen: readonly InstanceSample[]): Reading<WaitMetric> {
    if (config.queue.kind !== "instances") {
      return absent("no instance is set to tell how long requests wait for it");
    }
    const isTold = seen.some(({ metrics }) => maybeValue(metrics)?.queueWait !== undefined);
    return isTold ? ok(waits.total) : absent("no instance told how long requests wait");
  }

  function rememberWaits(seen: readonly InstanceSample[]): void {
    const now = new Map<string, WaitMetric>();
    for (const { name, metrics } of seen) {
      const wait = maybeValue(metrics)?.queueWait;
      if (wait !== undefined) now.set(name, wait);
    }
    waits = addWaits(waits, now);
  }

  function appSample(
    config: AppConfig,
    look: GroupLook | undefined,
    named: NamedGroups | undefined,
    ofPools: ReadonlyMap<string, readonly PoolSample[]>,
    cpuCount: number,
  ): Omit<AppSample, "queueWait"> {
    const { name } = config;
    const group = look === undefined
      ? NO_ROOT
      : (look.groups.get(appKey(name)) ?? named?.groups.get(appKey(name)) ??
        failed("its processes could not be told apart in time"));
    const allowedCpus = group.kind === "ok" ? allowed?.of(name, group.value, cpuCount) : undefined;
    return { name, group, allowedCpus, pools: ofPools.get(name) ?? [] };
  }

  async function takePools(
    named: Promise<NamedGroups | undefined>,
  ): Promise<ReadonlyMap<string, readonly PoolSample[]>> {
    const fpm = (await named)?.fpm;
    return fpm === undefined || fpmApps.length === 0 ? new Map() : await pools.look(fpm);
  }

  return {
    async take(): Promise<SeenPressure> {
      const times = {
        monotonicMs: clock.monotonicMs(),
        uptimeMs: readUptimeMs(source, clock),
        wallMs: clock.wallMs(),
      };
      const host = readHost(source);
      const look = groups?.look();
      const named = deadlineOf(LOOK_DEADLINE_MS, look?.named ?? Promise.resolve(undefined));
      const [seen, namedGroups, ofPools] = await Promise.all([takeInstances(look), named, takePools(named)]);
      rememberWaits(seen);
      return {
        ...times,
        instances: seen,
        apps: apps.map((config) => ({
          ...appSample(config, look, namedGroups, ofPools, host.cpuCount),
          queueWait: waitOf(config, seen),
        })),
        host,
      };
    },
    close(): void {
      fetcher.close();
      groups?.close();
      pools.close();
    },
  };
}

function rulesOf({ instances, apps }: PressurePlan): ReadonlyMap<string, GroupRule> {
  const rules = new Map<string, GroupRule>();
  for (const { name, unit, pidFile } of instances) {
    if (unit !== "") rules.set(instanceKey(name), { kind: "unit", unit });
    else if (pidFile !== "") rules.set(instanceKey(name), { kind: "pid-file", path: pidFile });
  }
  for (const { name, unit, process, argument } of apps) {
    rules.set(appKey(name), unit !== "" ? { kind: "unit", unit } : { kind: "name", process, argument });
  }
  return rules;
}
