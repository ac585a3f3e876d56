/** Publishes one verdict, that of a host with one site and all checks, until it is ended. */

import { systemClock } from "../../../adapters/clock.ts";
import { openOutlets } from "../../../adapters/outlets/outlets.ts";
import { DEFAULT_WEIGHTS } from "../../../mod/probe/outlets/agent_line.ts";
import { ONE_SITE_RULES, probe, siteLooks } from "../../../mod/testing/probe.ts";

const verdict = probe(siteLooks("ooo"), ONE_SITE_RULES).at(-1)?.verdict;
openOutlets(
  () => ({
    httpAddresses: ["127.0.0.1"],
    agentAddresses: ["127.0.0.1"],
    weights: DEFAULT_WEIGHTS,
    trackDrainedValue: undefined,
  }),
  {
    clock: systemClock,
    published: () => ({ verdict, ageMs: 900, tickMs: 5_000, crawlerBlock: false }),
    tellChange(): void {},
  },
);
