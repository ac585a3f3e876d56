/** Answers HAProxy's agent-check: one line to whoever connects, without waiting for what they say. */

import {
  type AgentWeights,
  renderAgentLine,
  renderFarewell,
  renderPlainLine,
} from "../../mod/probe/outlets/agent_line.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { answerOnce } from "./answer.ts";
import { keepListening, type ListenerPorts } from "./kept_listener.ts";
import type { Outlet } from "./outlet.ts";

/**
 * How long an agent that ends goes on to take back what it said: HAProxy asks every 2 s by default, and keeps
 * what it was told last when there is nobody to ask.
 */
const FAREWELL_MS = 5_000;

/** What it says, and where. */
export interface AgentCheckPlan {
  readonly address: string;
  readonly port: number;
  /** Those of now. */
  readonly weights: () => AgentWeights;
  /** The verdict, at once. */
  readonly published: () => Published;
  /** Default: 5 s. */
  readonly farewellMs?: number;
}

/** Begins to answer. */
export function openAgentCheck(
  { address, port, weights, published, farewellMs = FAREWELL_MS }: AgentCheckPlan,
  ports: ListenerPorts,
): Outlet {
  /** Whether something was said that stays in HAProxy; an agent before may have been killed in it. */
  let isOwing = true;
  let isEnding = false;

  function nextLine(): string {
    if (isEnding) return renderFarewell(weights());
    const current = published();
    const line = renderAgentLine(current, weights());
    // A line that names the weight alone takes nothing back.
    isOwing = line !== renderPlainLine(weights()) &&
      (isOwing || line.startsWith("drain") || current.crawlerBlock);
    return line;
  }

  const listener = keepListening({
    name: "agent-check",
    address,
    port,
    answer: (connection) => answerOnce(connection, nextLine),
  }, ports);
  return {
    addresses(): readonly Deno.NetAddr[] {
      const at = listener.maybeAddress();
      return at === undefined ? [] : [at];
    },
    publish(): void {},
    async close(isTakenOver = false): Promise<void> {
      if (!isTakenOver) {
        isEnding = true;
        if (isOwing) await ports.clock.sleep(farewellMs);
      }
      await listener.close();
    },
  };
}
