/** The web tier in words. */

import type { ProcessInfo } from "../processes/process.ts";
import type { FpmInstance, NginxInstance, WebTier } from "../processes/web_tier.ts";

/** Each part that serves the web here, one line each; empty when nothing does. */
export function describeWebTier(tier: WebTier): readonly string[] {
  const lines = [...tier.nginx.map(nginxText), ...tier.fpm.map(fpmText)];
  if (tier.orphans.length > 0) lines.push(`workers without a master: pid ${pidsText(tier.orphans)}`);
  return lines;
}

/** Pids as `12, 13 and 4 more`. */
export function pidsText(processes: readonly ProcessInfo[]): string {
  const shown = processes.slice(0, 8).map(({ pid }) => pid).join(", ");
  return processes.length > 8 ? `${shown} and ${processes.length - 8} more` : shown;
}

function nginxText({ master, workers, shuttingDown }: NginxInstance): string {
  const old = shuttingDown.length === 0 ? "" : `, ${shuttingDown.length} shutting down`;
  return `nginx (master ${master.pid}, ${countText(workers.length, "worker")}${old})`;
}

function fpmText({ master, pools }: FpmInstance): string {
  const names = pools.map(({ name, workers }) => `${name}: ${countText(workers.length, "worker")}`).join(
    ", ",
  );
  return `${master.comm} (master ${master.pid}${names === "" ? "" : `, pool ${names}`})`;
}

/** A number and its noun: `1 worker`, `2 workers`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
