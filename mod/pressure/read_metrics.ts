/** From the bytes of a page to the figures of an instance. */

import type { MetricsPreset } from "../config/pressure_config.ts";
import type { InstanceMetrics } from "./metrics.ts";
import { generic } from "./presets/generic.ts";
import { haproxy } from "./presets/haproxy.ts";
import { nginx } from "./presets/nginx.ts";
import { phpFpm } from "./presets/php_fpm.ts";
import type { MetricsHow, MetricsPage, Preset } from "./presets/preset.ts";
import { promClient } from "./presets/prom_client.ts";

/** All presets, in the order in which `auto` tries them; every page is of the last one. */
const PRESETS: Readonly<Record<Exclude<MetricsPreset, "auto">, Preset>> = {
  "haproxy": haproxy,
  "nginx": nginx,
  "php-fpm": phpFpm,
  "prom-client": promClient,
  "generic": generic,
};

/**
 * Reads a page. Figures that it does not have are undefined.
 *
 * @param page The answer, which is the whole page
 * @param how How it is read; `auto` goes by the page
 * @param source Where the page is from, for errors
 * @throws {ParseError} If the page is not whole, or a figure is there and wrong: then the sample has no figures at all
 */
export function readMetrics(
  page: MetricsPage,
  { preset, ...how }: MetricsHow & { readonly preset: MetricsPreset },
  source: string,
): InstanceMetrics {
  const chosen = preset === "auto"
    ? Object.values(PRESETS).find(({ isOf }) => isOf(page.text)) ?? generic
    : PRESETS[preset];
  return chosen.read(page, how, source);
}
