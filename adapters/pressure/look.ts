/** Samples of pressure as the settings have it. */

import { tierAddressOf } from "../../mod/config/metrics_address.ts";
import type { Watched } from "../../mod/pressure/config_rules.ts";
import { readMetrics } from "../../mod/pressure/read_metrics.ts";
import type { OwnWebPorts } from "../probe/own_web.ts";
import { createPressureSampler, type PressurePlan, type PressureSampler } from "./pressure_sampler.ts";

/** What a look takes. */
export type LookPorts = OwnWebPorts;

/** The part of the settings that looks go by, as plain data. */
export function planOf({ config, instances, apps }: Watched): PressurePlan {
  const { tierTemplate, tierMetrics, tierBasePort, tierPreset, tierLagBaselineMs } = config;
  return {
    instances,
    apps,
    tier: { tierTemplate, tierMetrics, tierBasePort, tierPreset, tierLagBaselineMs },
  };
}

/** Makes a sampler of what is watched. */
export function createSampler(ports: LookPorts, watched: Watched): PressureSampler {
  return createSamplerOf(ports, planOf(watched));
}

/** Makes the sampler of a plan. */
export function createSamplerOf(ports: LookPorts, plan: PressurePlan): PressureSampler {
  return createPressureSampler({ ...ports, readMetrics, tierAddressOf }, plan);
}
