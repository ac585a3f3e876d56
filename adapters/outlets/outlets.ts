/** All places where the verdict is published. */

import type { AgentWeights } from "../../mod/probe/outlets/agent_line.ts";
import { AGENT_PORT, HTTP_PORT } from "../../mod/probe/outlets/listen_address.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { healthPages, type HttpPages } from "../../mod/probe/outlets/reply.ts";
import { openAgentCheck } from "./agent_check.ts";
import { openHttp } from "./http.ts";
import type { ListenerPorts } from "./kept_listener.ts";
import type { Outlet } from "./outlet.ts";
import { TRACK_HEALTHY } from "../../mod/probe/outlets/track_value.ts";
import { openTrackFile, TRACK_PATH } from "./track_file.ts";

/** Which outlets there are. */
export interface OutletPlan {
  /** IP addresses for the pages, on port 9807. */
  readonly httpAddresses: readonly string[];
  /** IP addresses for HAProxy's agent-check, on port 9808. */
  readonly agentAddresses: readonly string[];
  readonly weights: AgentWeights;
  /** Number of a host that is out, for keepalived; undefined is no track file. */
  readonly trackDrainedValue: number | undefined;
}

/** What the outlets publish, and what they need. */
export interface OutletPorts extends ListenerPorts {
  /** The last verdict, with its age now. Called for each request, so it only hands out what is there. */
  readonly published: () => Published;
  /** Pages besides those for balancers, by path. */
  readonly pages?: HttpPages;
}

/**
 * Opens all of them, and makes them as the plan has them on each publishing: what stays wanted goes on as it is, so that
 * new settings close no door that a balancer knocks at. What cannot be opened is told and tried again; nothing of this
 * throws or rejects.
 */
export function openOutlets(planOf: () => OutletPlan, ports: OutletPorts): Outlet {
  const { published } = ports;
  const pages: HttpPages = new Map([...ports.pages ?? [], ...healthPages(published)]);
  const open = new Map<string, Outlet>();
  const closing = new Set<Promise<void>>();
  follow();

  function wantedOutlets(plan: OutletPlan): ReadonlyMap<string, () => Outlet> {
    const weights = (): AgentWeights => planOf().weights;
    const drainedValue = (): number => planOf().trackDrainedValue ?? TRACK_HEALTHY;
    return new Map([
      ...plan.httpAddresses.map((address) =>
        [`http ${address}`, () => openHttp({ address, port: HTTP_PORT, pages }, ports)] as const
      ),
      ...plan.agentAddresses.map((address) =>
        [
          agentKey(address),
          () => openAgentCheck({ address, port: AGENT_PORT, weights, published }, ports),
        ] as const
      ),
      ...plan.trackDrainedValue === undefined ? [] : [
        ["track file", () => openTrackFile({ path: TRACK_PATH, drainedValue, published }, ports)] as const,
      ],
    ]);
  }

  function follow(): void {
    const plan = planOf();
    const wanted = wantedOutlets(plan);
    for (const [key, outlet] of open) {
      if (wanted.has(key)) continue;
      open.delete(key);
      // One who asks at an address that another one covers now is told the truth there, and no farewell.
      const closed = outlet.close(plan.agentAddresses.some((address) => isTakenOver(key, address)));
      closing.add(closed);
      void closed.then(() => closing.delete(closed));
    }
    for (const [key, make] of wanted) if (!open.has(key)) open.set(key, make());
  }

  return {
    addresses: () => [...open.values()].flatMap((outlet) => outlet.addresses()),
    publish(): void {
      follow();
      for (const outlet of open.values()) outlet.publish();
    },
    async close(): Promise<void> {
      await Promise.all([...closing, ...[...open.values()].map((outlet) => outlet.close())]);
    },
  };
}

/** Addresses that are all of this host's. */
const ALL_ADDRESSES: readonly string[] = ["0.0.0.0", "::"];

function agentKey(address: string): string {
  return `agent-check ${address}`;
}

/** Whether an agent-check that ends goes on at another address. */
function isTakenOver(key: string, address: string): boolean {
  return key.startsWith(agentKey("")) &&
    [address, key.slice(agentKey("").length)].some((one) => ALL_ADDRESSES.includes(one));
}
