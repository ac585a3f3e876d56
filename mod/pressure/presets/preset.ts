/** What every preset is: how to tell one of its pages, and how to read it. */

import type { MetricNames } from "../../config/pressure_config.ts";
import { parseExposition } from "../../prom/exposition.ts";
import { formatOf } from "../../prom/format.ts";
import { type FigureNames, readFigures, seriesNames, withOwnNames } from "../figure_names.ts";
import type { InstanceMetrics } from "../metrics.ts";

/** A page as it came. */
export interface MetricsPage {
  readonly text: string;
  /** The header; undefined where the answer had none. */
  readonly contentType: string | undefined;
}

/** What is configured of how a page is read. */
export interface MetricsHow {
  /** Names that come before those of the preset; empty is the preset's. */
  readonly names: MetricNames;
  /** What the lag is larger than by its own timer; undefined is the preset's. */
  readonly lagBaselineMs: number | undefined;
}

/** One way of naming figures. */
export interface Preset {
  /** Whether a page is of this kind, at a glance and without reading it. */
  readonly isOf: (text: string) => boolean;
  /** @throws {ParseError} If the page is not whole and sound */
  readonly read: (page: MetricsPage, how: MetricsHow, source: string) => InstanceMetrics;
}

/**
 * A preset of pages in the text formats of Prometheus.
 *
 * @param prefix With what some line of such a page begins, and of others does not
 * @param lagBaselineMs Where none is configured
 */
export function expositionPreset(prefix: string, usual: FigureNames, lagBaselineMs = 0): Preset {
  return {
    isOf(text): boolean {
      return text.startsWith(prefix) || text.includes(`\n${prefix}`);
    },
    read({ text, contentType }, how, source): InstanceMetrics {
      const names = withOwnNames(usual, how.names);
      const exposition = parseExposition(text, formatOf(contentType), source, seriesNames(names));
      return readFigures({ exposition, source }, names, how.lagBaselineMs ?? lagBaselineMs);
    },
  };
}
