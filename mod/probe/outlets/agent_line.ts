/**
 * The one line that HAProxy's agent-check reads.
 *
 *     ready up 100%
 *     ready up 50%
 *     drain #check-failed: swap: 1.20 % of swap free
 *
 * What is not said is not changed there, so a host that is not known to serve says nothing but its weight:
 * neither ready, which would undo a drain, nor drain. It never says maint, which stops HAProxy's own checks
 * and is for people.
 *
 * @see https://docs.haproxy.org/2.6/configuration.html#5.2-agent-check
 */

import { printableWithin } from "../../report/printable.ts";
import { freshVerdict, type Published } from "./published.ts";

/** HAProxy shows the text on its page; more of it helps nobody there. */
const TEXT_LIMIT = 120;

/** Weights in percent of the configured one, 1 to 100: 0 would be a drain. */
export interface AgentWeights {
  readonly normalPercent: number;
  /** While crawlers are turned away. */
  readonly crawlerBlockPercent: number;
}

/** Weights where nobody configured any. */
export const DEFAULT_WEIGHTS: AgentWeights = { normalPercent: 100, crawlerBlockPercent: 50 };

/** The line, with the line end that HAProxy wants. ASCII. Never throws. */
export function renderAgentLine(published: Published, weights: AgentWeights): string {
  const percent = published.crawlerBlock ? weights.crawlerBlockPercent : weights.normalPercent;
  const verdict = freshVerdict(published);
  switch (verdict?.phase) {
    case undefined:
    case "starting":
      return `${percent}%\n`;
    case "in":
      return `ready up ${percent}%\n`;
    case "drained": {
      const text = verdict.text === "" ? verdict.reason : `${verdict.reason}: ${verdict.text}`;
      return `drain #${asciiOf(printableWithin(TEXT_LIMIT, text))}\n`;
    }
  }
}

/** The line of a host that serves and holds nothing back: after it, nothing that was said before counts. */
export function renderPlainLine({ normalPercent }: AgentWeights): string {
  return `ready up ${normalPercent}%\n`;
}

/**
 * The last line of an agent that ends: it takes back what it said, because nobody would later. That the host
 * is up it cannot know, and it never said that it was down.
 */
export function renderFarewell({ normalPercent }: AgentWeights): string {
  return `ready ${normalPercent}%\n`;
}

function asciiOf(text: string): string {
  return text.replace(/[^ -~]/g, "?");
}
