/**
 * Measures the compiled binary: `scripts/deno task bench [PART…]`, all parts or those named. Needs root, `dist/` from `scripts/deno task compile`, and a machine
 * with nothing else to do; takes about five minutes.
 */

import Table from "cli-table3";
import type { Measurement } from "./measurement.ts";
import { measureChecks, measureScan } from "./measures/host.ts";
import { measureMetrics, measureOutlets } from "./measures/outlets.ts";
import { measureColdStart, measureMemory, measureQuietPass } from "./measures/pass.ts";
import { measurePressure } from "./measures/pressure.ts";
import { measureProbe } from "./measures/probe.ts";
import { measureReplay } from "./measures/replay.ts";
import { removePrograms } from "./programs.ts";

const PARTS = {
  "cold-start": measureColdStart,
  "quiet-pass": measureQuietPass,
  "memory": measureMemory,
  "scan": measureScan,
  "checks": measureChecks,
  "pressure": measurePressure,
  "probe": measureProbe,
  "replay": measureReplay,
  "outlets": measureOutlets,
  "metrics": measureMetrics,
};

/** A number as it is best read: digits that mean something, thousands apart. */
function numberText(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US").replaceAll(",", " ");
  return String(Number(value.toPrecision(3)));
}

function verdictOf({ loadweir, goal }: Measurement): string {
  if (goal === undefined) return "";
  const met = goal.better === "less" ? loadweir <= goal.limit : loadweir >= goal.limit;
  return `${goal.better === "less" ? "<=" : ">="} ${numberText(goal.limit)} ${met ? "met" : "MISSED"}`;
}

/** The parts to measure. Throws where one is named that there is not. */
function partsOf(
  names: readonly string[],
): readonly (readonly [string, () => Promise<readonly Measurement[]>])[] {
  const unknown = names.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) {
    throw new Error(`Cannot measure "${unknown}", expected ${Object.keys(PARTS).join(", ")}`);
  }
  return Object.entries(PARTS).filter(([name]) => names.length === 0 || names.includes(name));
}

if (import.meta.main) {
  const log = (line: string): void => {
    Deno.stderr.writeSync(new TextEncoder().encode(`bench: ${line}\n`));
  };
  const rows: Measurement[] = [];
  try {
    for (const [name, measure] of partsOf(Deno.args)) {
      log(name);
      rows.push(...await measure());
    }
  } finally {
    await removePrograms();
  }
  const table = new Table({
    head: ["", "loadweir", "unit", "goal", "instead", ""],
    style: { head: [], border: [], compact: true },
  });
  for (const row of rows) {
    table.push([
      row.what,
      numberText(row.loadweir),
      row.unit,
      verdictOf(row),
      row.instead === undefined ? "" : numberText(row.instead.value),
      row.instead?.what ?? "",
    ]);
  }
  Deno.stdout.writeSync(new TextEncoder().encode(`${table.toString()}\n`));
  if (rows.some((row) => verdictOf(row).endsWith("MISSED"))) Deno.exit(1);
}
