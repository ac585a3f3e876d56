import { assertEquals } from "@std/assert";
import { formatOf } from "./format.ts";

const TYPES = [
  { type: "application/openmetrics-text; version=1.0.0; charset=utf-8", format: "openmetrics" },
  { type: "Application/OpenMetrics-Text", format: "openmetrics" },
  { type: "text/plain; version=0.0.4", format: "text" },
  { type: "text/plain; note=application/openmetrics-text", format: "text" },
  { type: "application/openmetrics-text-2", format: "text" },
  { type: undefined, format: "text" },
];

for (const { type, format } of TYPES) {
  Deno.test(`formatOf() takes ${type ?? "no type"} for ${format}`, () => {
    assertEquals(formatOf(type), format);
  });
}
