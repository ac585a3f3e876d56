/** All checks of one look: the sites and the host, side by side. */

import type { SiteConfig } from "../../mod/config/site.ts";
import {
  type CheckId,
  type CheckResult,
  type HostCheck,
  isSite,
  siteCheck,
  unknown,
} from "../../mod/probe/check.ts";
import type { WantedCheck } from "../../mod/probe/rules.ts";
import { readSiteUrl } from "../../mod/probe/site.ts";
import { type SiteFinding, SLOW_MS } from "../../mod/probe/site_look.ts";
import type { Clock } from "../clock.ts";
import { waitAtMost } from "../deadline.ts";
import { type Fault, watchFault } from "../outlets/fault.ts";
import type { HostChecks } from "./host_checks.ts";
import { createSiteProbe, type SiteProbe } from "./site_probe.ts";

/** What looking takes. */
export interface ChecksPorts {
  readonly clock: Clock;
  /** Version of loadweir, for the user agent. */
  readonly version: string;
  readonly host: HostChecks;
  /** Told of what visitors may notice of a site and is no reason to take the host out; undefined when it is over. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/** Looks at checks. */
export interface Checks {
  /**
   * Looks at these now.
   *
   * @returns What has been seen by the deadline. Never rejects
   */
  readonly look: (
    wanted: readonly WantedCheck[],
    deadlineMs: number,
  ) => Promise<ReadonlyMap<CheckId, CheckResult>>;
  /** Gives up the looks that are under way, so that the program can end by itself. */
  readonly close: () => void;
}

/** What a look may find besides, in words that stay the same for as long as it lasts. */
const FINDINGS: Readonly<Record<SiteFinding["about"], (text: string) => string>> = {
  certificate: (text) => text,
  time: () => `it takes over ${SLOW_MS} ms`,
};

/** What comes and goes within this is told once. */
const CALM_MS = 600_000;

/** A finding, and whether people know. */
interface WatchedFinding {
  readonly about: SiteFinding["about"];
  readonly fault: Fault;
}

/** Makes the looks of these sites and of the host. */
export function createChecks(sites: readonly SiteConfig[], ports: ChecksPorts): Checks {
  const { clock, host } = ports;
  const closing = new AbortController();
  const probes = new Map(sites.map((site) => [siteCheck(site.name), maybeProbe(site, ports)]));

  const faults = new Map<string, readonly WatchedFinding[]>();

  function faultsOf(name: string): readonly WatchedFinding[] {
    const known = faults.get(name) ?? (["certificate", "time"] as const).map((about) => ({
      about,
      fault: watchFault(`${about} of ${name}`, CALM_MS, ports),
    }));
    faults.set(name, known);
    return known;
  }

  /** Looks that took longer than they were waited for: the next look gets what they come to. */
  const underWay = new Map<CheckId, Promise<CheckResult>>();

  async function lookAtSite(id: CheckId): Promise<CheckResult> {
    const probe = isSite(id) ? probes.get(id) : undefined;
    if (probe === undefined) return unknown("its URL cannot be used");
    const looking = underWay.get(id) ?? ask(probe);
    underWay.set(id, looking);
    return await looking;
  }

  async function ask(probe: SiteProbe): Promise<CheckResult> {
    const { result, findings } = await probe.look(closing.signal);
    for (const { about, fault } of faultsOf(probe.target.name)) {
      const finding = findings.find((one) => one.about === about);
      if (finding === undefined) fault.passed();
      else fault.happened(`${probe.target.name}: ${FINDINGS[about](finding.text)}`);
    }
    return result;
  }

  return {
    async look(
      wanted: readonly WantedCheck[],
      deadlineMs: number,
    ): Promise<ReadonlyMap<CheckId, CheckResult>> {
      const results = new Map<CheckId, CheckResult>();
      const ids = wanted.map(({ id }) => id);
      const hostIds = ids.filter((id): id is HostCheck => !isSite(id));
      const all = Promise.all([
        ...ids.filter(isSite).map(async (id) => results.set(id, await lookAtSite(id))),
        host.look(hostIds, (id, result) => results.set(id, result)),
      ]);
      await waitAtMost(deadlineMs, all, clock);
      for (const id of results.keys()) underWay.delete(id);
      // A copy: what comes later belongs to the next look.
      return new Map(results);
    },
    close(): void {
      closing.abort();
      host.close();
    },
  };
}

function maybeProbe(
  { name, url, text, address, deadlineMs }: SiteConfig,
  ports: Pick<ChecksPorts, "clock" | "version">,
): SiteProbe | undefined {
  const read = readSiteUrl(url);
  if (read.kind !== "ok") return undefined;
  return createSiteProbe({ ...read.value, name, expectedText: text, address, deadlineMs }, ports);
}
