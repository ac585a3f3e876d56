/** Figures of pressure in the base units of metrics. What is not known stays so. */

import { type Interval, isKnown } from "../pressure/interval.ts";

const BYTES_PER_MIB = 1_048_576;

/** The figure of a component, where it is known. */
export function maybeFigure(interval: Interval): number | undefined {
  return isKnown(interval) ? interval.low : undefined;
}

/** Milliseconds as seconds, where they are known. */
export function maybeSeconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}

/** MiB as bytes, where they are known. */
export function maybeBytes(mib: number | undefined): number | undefined {
  return mib === undefined ? undefined : mib * BYTES_PER_MIB;
}
