/**
 * Probes sites as the agent does, under the agent's permissions, and prints each look as a line of JSON:
 *
 *     site_probe_program.ts '[{"url": "http://www.mywebsite.com", "text": "Welcome"}]'
 *
 * With `times` it looks so often and prints the last look; with `twice` it asks again while the first look lasts.
 */

import { systemClock } from "../adapters/clock.ts";
import { createSiteProbe } from "../adapters/probe/site_probe.ts";
import { readSiteUrl } from "../mod/probe/site.ts";

/** One thing to do. */
interface Task {
  readonly url: string;
  readonly text: string;
  readonly address?: string;
  readonly deadlineMs?: number;
  /** PEM file of an authority. */
  readonly authority?: string;
  readonly times?: number;
  readonly twice?: boolean;
}

function openFiles(): number {
  return [...Deno.readDirSync("/run/loadweir/proc/self/fd")].length;
}

const tasks = JSON.parse(Deno.args[0] ?? "[]") as readonly Task[];
for (const { url, text, address, deadlineMs = 1_000, authority, times = 1, twice = false } of tasks) {
  const reading = readSiteUrl(url);
  if (reading.kind !== "ok") throw new Error(reading.problem);
  const site = { ...reading.value, ...address === undefined ? {} : { address } };
  const authorities = authority === undefined ? [] : [Deno.readTextFileSync(authority)];
  const target = { ...site, name: site.host, expectedText: text, deadlineMs };
  const probe = createSiteProbe(target, { clock: systemClock, version: "0.0.0", authorities });
  const before = openFiles();
  const startedMs = performance.now();
  const looks = [];
  for (let left = times; left > 0; left--) {
    const first = probe.look();
    if (twice) looks.push(await probe.look());
    looks.push(await first);
  }
  const tookMs = Math.round(performance.now() - startedMs);
  // What closes in the background has this long.
  await systemClock.sleep(600);
  const line = JSON.stringify({ looks: looks.slice(-2), tookMs, leaked: openFiles() - before });
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
