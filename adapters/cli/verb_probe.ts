/** `loadweir probe`: asks a site of this host once, or again and again, and says what a visitor would see. */

import { durationType } from "../../mod/config/values.ts";
import { maybeIpVersion } from "../../mod/ip_address.ts";
import { readSiteUrl, SITE_DEADLINE_MS, type SiteTarget } from "../../mod/probe/site.ts";
import type { SiteLook } from "../../mod/probe/site_look.ts";
import { systemClock } from "../clock.ts";
import { maybeRefusedConnection } from "../probe/net_grant.ts";
import { createSiteProbe, type SiteProbe } from "../probe/site_probe.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { complain, OutputClosedError, print } from "./output.ts";
import { renderLook, renderLookJson, renderWatchLine } from "./probe_report.ts";
import { VERSION } from "./version.ts";

const TIMEOUT = durationType(10, 600_000);
const EVERY = durationType(10, 3_600_000);
const DEFAULT_EVERY_MS = 5_000;

const ENDS = ["ping", "yell", "exit"] as const;
type End = typeof ENDS[number];

/** Looks, and ends with what was seen. */
export async function probe(args: Arguments): Promise<ExitCode> {
  const [url, text, word, ...extra] = args.operands;
  const end = ENDS.find((known) => known === word);
  if (url === undefined || text === undefined || word !== end || extra.length > 0) {
    complain(`loadweir: usage: loadweir probe URL TEXT [${ENDS.join("|")}]`);
    return EXIT.failed;
  }
  const everyMs = timeOf(args, "every", EVERY);
  const site = createSiteProbe(targetOf(url, text, args), { clock: systemClock, version: VERSION });
  if (args.has("watch")) {
    if (end !== undefined) throw new UsageError(`--watch takes no ${end}: it only shows`);
    return await watch(site, everyMs ?? DEFAULT_EVERY_MS, args.has("json"));
  }
  if (everyMs !== undefined) throw new UsageError("--every is for --watch");
  const look = await site.look();
  if (args.has("json")) print(`${renderLookJson(site.target, look)}\n`);
  return await endWith(end, look, site.target, args.has("json"));
}

/** @throws {UsageError} If the URL or an address is none, or may not be asked */
function targetOf(url: string, expectedText: string, args: Arguments): SiteTarget {
  const reading = readSiteUrl(url);
  if (reading.kind === "refused") throw new UsageError(`URL is ${JSON.stringify(url)}: ${reading.problem}`);
  if (expectedText === "") {
    throw new UsageError("TEXT is empty, and every page holds nothing: give a text of the page");
  }
  const named = args.value("address")?.replace(/^\[(.*)\]$/, "$1");
  if (named !== undefined && maybeIpVersion(named) === undefined) {
    throw new UsageError(
      `--address is ${JSON.stringify(named)}, expected an address such as 127.0.0.1 or ::1`,
    );
  }
  const address = named ?? reading.value.address;
  const refusal = maybeRefusedConnection(address, reading.value.port);
  if (refusal !== undefined) {
    const cure = named === undefined ? "; with --address 127.0.0.1 this host is asked" : "";
    throw new UsageError(`${refusal}${cure}`);
  }
  const deadlineMs = timeOf(args, "timeout", TIMEOUT) ?? SITE_DEADLINE_MS;
  return { ...reading.value, name: reading.value.host, address, expectedText, deadlineMs };
}

async function endWith(
  end: End | undefined,
  look: SiteLook,
  target: SiteTarget,
  isJson: boolean,
): Promise<ExitCode> {
  const { state, evidence } = look.result;
  if (state === "unknown") {
    // Neither up nor down: whoever would act on it must not.
    if (isJson) return EXIT.tryLater;
    if (end === undefined) print(`${renderLook(look)}\n`);
    else complain(`loadweir: nothing can be said of ${target.url}: ${evidence}`);
    return EXIT.tryLater;
  }
  const isUp = state === "ok";
  switch (end) {
    case "ping":
      return await (await import("./verb_pings.ts")).pingsByHand("auto", !isUp);
    case "yell":
      if (!isJson) print(`${target.url} is ${isUp ? "UP" : "DOWN"}.\n`);
      break;
    case "exit":
      break;
    case undefined:
      if (!isJson) print(`${renderLook(look)}\n`);
  }
  return isUp ? EXIT.ok : EXIT.failed;
}

/** Looks until it is interrupted; each look begins in time, or right after one that took longer. */
async function watch(site: SiteProbe, everyMs: number, isJson: boolean): Promise<ExitCode> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, onSignal);
  const isColoured = !isJson && Deno.stdout.isTerminal() && !Deno.noColor;
  try {
    while (!stop.signal.aborted) {
      const startedMs = systemClock.monotonicMs();
      const wallMs = systemClock.wallMs();
      const look = await site.look(stop.signal);
      if (stop.signal.aborted) break;
      print(
        `${isJson ? renderLookJson(site.target, look, wallMs) : renderWatchLine(look, wallMs, isColoured)}\n`,
      );
      await systemClock.sleep(everyMs - (systemClock.monotonicMs() - startedMs), stop.signal);
    }
  } catch (error) {
    if (!(error instanceof OutputClosedError)) throw error;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.removeSignalListener(signal, onSignal);
  }
  return EXIT.ok;
}
