/** The web tier in words. */

import { countText } from "./count.ts";
import type { ProcessInfo } from "../processes/process.ts";
import type { FpmInstance, NginxInstance, WebTier } from "../processes/web_tier.ts";
import type { OwnService } from "../hold/own_services.ts";
import type { ServiceRef } from "../hold/service_ref.ts";
import type { ForeignMaster, ForeignReason } from "../services/ownership.ts";
import { printable } from "./printable.ts";

const FOREIGN: Readonly<Record<ForeignReason, string>> = {
  "container": "in a container",
  "outside-unit": "started outside of its unit",
  "other-user": "run by another user than root",
  "ambiguous": "one of several that could be the service",
  "second-instance": "a second instance, started by no unit or script",
};

/** Each part that serves the web here, one line each; empty when nothing does. */
export function describeWebTier(tier: WebTier): readonly string[] {
  const lines = [...tier.nginx.map(nginxText), ...tier.fpm.map(fpmText)];
  if (tier.orphans.length > 0) lines.push(`workers without a master: pid ${pidsText(tier.orphans)}`);
  return lines;
}

/** A service with what runs of it: `nginx.service (master 130, 2 workers)`. Never throws. */
export function serviceText({ ref, masters, orphans }: OwnService, tier: WebTier): string {
  const pids = masters.map(({ pid }) => pid);
  const facts = [
    ...tier.nginx.filter(({ master }) => pids.includes(master.pid)).map(nginxFacts),
    ...tier.fpm.filter(({ master }) => pids.includes(master.pid)).map(fpmFacts),
    ...orphans.length === 0 ? [] : [`workers without a master: pid ${pidsText(orphans)}`],
  ];
  return facts.length === 0 ? ref.name : `${ref.name} (${facts.join("; ")})`;
}

/** A master that is not ours to stop: `not ours: nginx (pid 4120), in a container`. */
export function foreignText({ master, reason }: ForeignMaster): string {
  return `not ours: ${master.kind} (pid ${master.pid}), ${FOREIGN[reason]}`;
}

/** What runs and is left alone by a pause. */
export interface LeftAlone {
  readonly foreign: readonly ForeignMaster[];
  /** Ours, but could not be stopped or would not come back. */
  readonly outOfReach: readonly { readonly service: ServiceRef; readonly why: string }[];
  /** Workers without a master that may be anybody's. */
  readonly unsurePids: readonly number[];
  /** Why it is not known how the units stand; undefined when it is known, or there are no units. */
  readonly problem: string | undefined;
}

/** Lines of one sort that are shown: a host of containers has hundreds of nginxes. */
const FOREIGN_SHOWN = 8;

/** What a pause leaves alone, one line each; empty when that is nothing. Never throws. */
export function leftAloneLines({ foreign, outOfReach, unsurePids, problem }: LeftAlone): readonly string[] {
  const lines = foreign.slice(0, FOREIGN_SHOWN).map(foreignText);
  if (foreign.length > FOREIGN_SHOWN) {
    lines.push(`and ${foreign.length - FOREIGN_SHOWN} more that are not ours`);
  }
  lines.push(...outOfReach.map(({ service, why }) => `${service.name} left running: ${printable(why)}`));
  if (unsurePids.length > 0) {
    const pids = pidsText(unsurePids.map((pid) => ({ pid })));
    lines.push(`left running, workers without a master that may be anybody's: pid ${pids}`);
  }
  if (problem !== undefined) lines.push(`units not known: ${printable(problem)}`);
  return lines;
}

/** Pids as `12, 13 and 4 more`. */
export function pidsText(processes: readonly Pick<ProcessInfo, "pid">[]): string {
  const shown = processes.slice(0, 8).map(({ pid }) => pid).join(", ");
  return processes.length > 8 ? `${shown} and ${processes.length - 8} more` : shown;
}

function nginxText(instance: NginxInstance): string {
  return `nginx (${nginxFacts(instance)})`;
}

function nginxFacts({ master, workers, shuttingDown }: NginxInstance): string {
  const old = shuttingDown.length === 0 ? "" : `, ${shuttingDown.length} shutting down`;
  return `master ${master.pid}, ${countText(workers.length, "worker")}${old}`;
}

function fpmText(instance: FpmInstance): string {
  return `${instance.master.comm} (${fpmFacts(instance)})`;
}

function fpmFacts({ master, pools }: FpmInstance): string {
  const names = pools.map(({ name, workers }) => `${name}: ${countText(workers.length, "worker")}`).join(
    ", ",
  );
  return `master ${master.pid}${names === "" ? "" : `, pool ${names}`}`;
}
