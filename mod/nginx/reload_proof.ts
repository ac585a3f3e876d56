/**
 * Whether nginx took a reload, from its processes and its error log.
 *
 * That `nginx -t` found no mistake and that the reload was sent prove nothing: with a port that another
 * process holds, or a `limit_req` zone whose key has changed, the master keeps the old configuration, and
 * only its log says so.
 *
 * @see https://nginx.org/en/docs/control.html#reconfiguration
 */

import type { ProcessInfo } from "../processes/process.ts";
import type { NginxInstance } from "../processes/web_tier.ts";
import { type Emergency, isTriedAgain } from "./log_line.ts";

/**
 * What is to be seen:
 * - `taken`: there are new workers, and no old one takes connections
 * - `overlapping`: there is a whole new set of workers, but old ones have not yet heard that they should go
 * - `open`: nothing either way
 * - `refused`: nginx keeps the old configuration, or is gone
 */
export type ReloadVerdict =
  | { readonly kind: "taken" | "overlapping" | "open" }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Judges a reload. Never throws.
 *
 * @param before nginx as it was right before the reload
 * @param after As it is now; undefined when its master is gone
 * @param emergencies Lines that were logged since, by whichever process
 */
export function judgeReload(
  before: NginxInstance,
  after: NginxInstance | undefined,
  emergencies: readonly Emergency[],
): ReloadVerdict {
  if (after === undefined) return { kind: "refused", why: "its master process has ended" };
  const oldKeys = new Set([...before.workers, ...before.newborn].map(keyOf));
  const isFresh = (worker: ProcessInfo): boolean => !oldKeys.has(keyOf(worker));
  const fresh = after.workers.filter(isFresh);
  const unnamed = after.newborn.filter(isFresh);
  // Other processes write to the same log: an `nginx -t` of somebody else, or a second nginx.
  const writers = new Set([after.master, ...fresh, ...unnamed].map(({ pid }) => pid));
  const own = emergencies.filter(({ pid }) => writers.has(pid));
  if (!own.every(isTriedAgain)) return { kind: "refused", why: own[0]?.message ?? "" };
  // A worker that has no name yet may still fail to begin.
  if (fresh.length === 0 || unnamed.length > 0) return { kind: "open" };
  if (fresh.length === after.workers.length + after.newborn.length) return { kind: "taken" };
  // A single worker that crashed is replaced too: that is no whole new set.
  return { kind: fresh.length >= before.workers.length ? "overlapping" : "open" };
}

/** Whether the same workers serve as before: nginx then runs the configuration that it had. */
export function servesAsBefore(before: NginxInstance, after: NginxInstance | undefined): boolean {
  const keys = new Set([...after?.workers ?? [], ...after?.newborn ?? []].map(keyOf));
  return before.workers.length > 0 && before.workers.every((worker) => keys.has(keyOf(worker)));
}

function keyOf({ pid, startTicks }: ProcessInfo): string {
  return `${pid} ${startTicks ?? ""}`;
}
