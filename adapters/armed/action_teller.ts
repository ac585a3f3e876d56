/** Tells of what a decision asked for: of what needs nothing done at once, of everything else when it is done. */

import { type ActionOutcome, eventsOf, type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { ActionName, Decision } from "../../mod/ladder/decision.ts";
import type { BlockChange } from "./block_keeper.ts";
import type { ServiceOutcome, WebEvent } from "./web_keeper.ts";

/** Takes what happens, and tells it. */
export interface ActionTeller {
  /** A decision, before anything is done about it. */
  readonly decided: (decision: Decision) => void;
  /** What became of an action that a decision asked for. */
  readonly done: (action: ActionName, outcomes: readonly Omit<ActionOutcome, "action">[]) => void;
  readonly web: (event: WebEvent) => void;
  readonly block: (change: BlockChange) => void;
}

/** Actions that need nothing done. */
const TOLD_AT_ONCE: ReadonlySet<ActionName> = new Set(["exempt-backup-iowait", "no-pause-futile"]);

/**
 * Opens a teller.
 *
 * @param findCause Who fills the host now, one line each. Never rejects
 */
export function openActionTeller(
  tell: (event: IncidentEvent) => void,
  findCause: () => Promise<readonly string[]>,
): ActionTeller {
  const asked = new Map<ActionName, Decision>();

  /** A pause that did not help raises the question who fills the host, which is looked at before it is told. */
  async function tellWithCause(event: IncidentEvent): Promise<void> {
    const details = event.name === "max-hold-reached"
      ? [...event.details, ...await findCause()]
      : event.details;
    tell({ ...event, details });
  }

  function done(action: ActionName, outcomes: readonly Omit<ActionOutcome, "action">[]): void {
    const decision = asked.get(action);
    if (decision === undefined) return;
    const own = { ...decision, actions: [action], alerts: [] };
    for (const event of eventsOf(own, outcomes.map((outcome) => ({ action, ...outcome })))) tell(event);
  }

  return {
    decided(decision: Decision): void {
      for (const action of decision.actions) asked.set(action, decision);
      const actions = decision.actions.filter((action) => TOLD_AT_ONCE.has(action));
      // What others start is told by whoever saw it, with its name.
      const alerts = decision.alerts.filter((alert) => alert !== "web-started-in-hold");
      for (const event of eventsOf({ ...decision, actions, alerts }, [])) void tellWithCause(event);
    },
    done,
    web(event: WebEvent): void {
      switch (event.kind) {
        case "paused":
          return done("pause-web", [
            ...linesOf(event.outcomes),
            ...event.leftAlone.map((text) => ({ text })),
          ]);
        case "pause-failed":
          return done("pause-web", [{ text: event.text, failed: true }]);
        case "started":
        case "start-failed":
          return done("resume-web", linesOf(event.outcomes));
        case "started-by-others":
          return tell(plainEvent("web-started-in-hold", event.services.map(({ name }) => name)));
        case "ledger-failed":
          return tell(plainEvent("pause-failed", [`the ledger cannot be written: ${event.text}`]));
      }
    },
    block({ wanted, ok, text }: BlockChange): void {
      done(wanted === "on" ? "crawler-block-on" : "crawler-block-off", [{ text, failed: !ok }]);
    },
  };
}

function linesOf(outcomes: readonly ServiceOutcome[]): readonly Omit<ActionOutcome, "action">[] {
  return outcomes.map(({ service, ok, text }) => ({ text: `${service.name}: ${text}`, failed: !ok }));
}
