/** The pools of applications that php-fpm runs: as the checks of the probe see them, but in time for each second. */

import { poolSampleOf } from "../../mod/pressure/pool_sample.ts";
import type { PoolSample } from "../../mod/pressure/sample.ts";
import type { OwnService } from "../../mod/hold/own_services.ts";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { commOf } from "../../mod/processes/comm.ts";
import { baseName } from "../../mod/processes/program.ts";
import { mapReading, maybeValue, type Reading } from "../../mod/reading.ts";
import { deadlineOf } from "../deadline.ts";
import { createFpmPages, type FpmPages } from "../probe/fpm_pages.ts";
import { createFpmPools } from "../probe/fpm_pools.ts";
import { createOwnWeb, type OwnWeb, type OwnWebPorts } from "../probe/own_web.ts";

/** An application whose pools are wanted. */
export interface FpmApp {
  readonly name: string;
  /** Its unit; empty where it is found by its processes. */
  readonly unit: string;
  /** The name of its processes. */
  readonly process: string;
}

/** Looks at pools. */
export interface PoolReader {
  /**
   * The pools of each application, by its name; none where they cannot be told in time. Never rejects.
   *
   * @param fpm A process table with what php-fpm runs
   */
  readonly look: (fpm: Reading<ProcessTable>) => Promise<ReadonlyMap<string, readonly PoolSample[]>>;
  /** Hangs up. */
  readonly close: () => void;
}

/** What is kept for an application. */
interface Kept {
  readonly app: FpmApp;
  readonly pools: ReturnType<typeof createFpmPools>;
  readonly pages: FpmPages;
}

/** Half of the second between two looks: who waits longer for a worker waits for one of a full pool. */
const PAGE_DEADLINES = { ownMs: 400, apartMs: 150 };

/** What systemd and php-fpm itself take longer for comes with a later look. */
const DEADLINE_MS = 700;

/** Makes the look, which remembers; it is meant to live as long as the applications are wanted. */
export function createPoolReader(ports: OwnWebPorts, apps: readonly FpmApp[]): PoolReader {
  const ownWeb = createOwnWeb(ports);
  const kept = apps.map((app): Kept => ({
    app,
    pools: createFpmPools(ports),
    pages: createFpmPages(ports.source, PAGE_DEADLINES),
  }));
  let underWay: Promise<void> | undefined;
  let isClosed = false;

  async function lookOnce(
    fpm: Reading<ProcessTable>,
    into: Map<string, readonly PoolSample[]>,
  ): Promise<void> {
    const web = await ownWeb(fpm);
    await Promise.all(kept.map(async ({ app, pools, pages }) => {
      const sights = mapReading(
        await pools(mapReading(web, (all) => ofApp(all, app))),
        (all) => all.filter(({ conf }) => conf !== undefined),
      );
      if (isClosed) return;
      into.set(app.name, (maybeValue(await pages.look(sights)) ?? []).map(poolSampleOf));
    }));
  }

  return {
    async look(fpm: Reading<ProcessTable>): Promise<ReadonlyMap<string, readonly PoolSample[]>> {
      // What the look before still waits for is not begun twice.
      if (apps.length === 0 || underWay !== undefined || isClosed) return new Map();
      const found = new Map<string, readonly PoolSample[]>();
      underWay = lookOnce(fpm, found).catch(() => {}).finally(() => underWay = undefined);
      await deadlineOf(DEADLINE_MS, underWay);
      // What comes later is of another moment.
      return new Map(found);
    },
    close(): void {
      isClosed = true;
      for (const { pages } of kept) pages.close();
    },
  };
}

/** The php-fpm that an application runs in, by its unit, else by the name of its processes. */
function ofApp(web: OwnWeb, app: FpmApp): OwnWeb {
  return { ...web, services: web.services.filter((service) => isOf(service, app)) };
}

function isOf({ ref, masters }: OwnService, { unit, process }: FpmApp): boolean {
  if (unit !== "") return ref.name === unit;
  return baseName(ref.program ?? "") === process || masters.some(({ comm }) => comm === commOf(process));
}
