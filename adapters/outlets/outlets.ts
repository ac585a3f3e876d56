/** All places where the verdict is published. */

import type { AgentWeights } from "../../mod/probe/outlets/agent_line.ts";
import { AGENT_PORT, HTTP_PORT } from "../../mod/probe/outlets/listen_address.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { healthPages, type HttpPages } from "../../mod/probe/outlets/reply.ts";
import { openAgentCheck } from "./agent_check.ts";
import { openHttp } from "./http.ts";
import type { ListenerPorts } from "./kept_listener.ts";
import type { Outlet } from "./outlet.ts";
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

/** Opens all of them. What cannot be opened is told and tried again; nothing of this throws or rejects. */
export function openOutlets(plan: OutletPlan, ports: OutletPorts): Outlet {
  const { published } = ports;
  const pages: HttpPages = new Map([...ports.pages ?? [], ...healthPages(published)]);
  const outlets: readonly Outlet[] = [
    ...plan.httpAddresses.map((address) => openHttp({ address, port: HTTP_PORT, pages }, ports)),
    ...plan.agentAddresses.map((address) =>
      openAgentCheck({ address, port: AGENT_PORT, weights: plan.weights, published }, ports)
    ),
    ...plan.trackDrainedValue === undefined
      ? []
      : [openTrackFile({ path: TRACK_PATH, drainedValue: plan.trackDrainedValue, published }, ports)],
  ];
  return {
    addresses: () => outlets.flatMap((outlet) => outlet.addresses()),
    publish: () => outlets.forEach((outlet) => outlet.publish()),
    close: async () => void await Promise.all(outlets.map((outlet) => outlet.close())),
  };
}
