/** Pages of which nothing is known but the names that are configured. */

import { NO_NAMES } from "../figure_names.ts";
import { expositionPreset, type Preset } from "./preset.ts";

/** Of this kind is every page. */
export const generic: Preset = expositionPreset("", {
  ...NO_NAMES,
  startTime: ["process_start_time_seconds"],
});
