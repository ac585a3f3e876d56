/** The incident that is open, in a small file in memory: the next agent goes on with it. */

import { messageOf } from "../../mod/errors.ts";
import { parseIncidentRecord, renderIncidentRecord } from "../../mod/incident/incident_record.ts";
import type { Incident } from "../../mod/incident/incident.ts";
import { writeAtomically } from "../atomic_file.ts";
import { maybeText, removeQuietly } from "../quiet_file.ts";

/** Where incidents are kept from one agent to the next. Nothing here throws. */
export interface IncidentMemory {
  /** What an agent of this boot left; undefined where there was none. */
  readonly left: Incident | undefined;
  /** Keeps how it stands now; undefined is that there is none any more. */
  readonly keep: (incident: Incident | undefined) => void;
}

/**
 * Opens the memory with its file at a path, for one agent at a time.
 *
 * @param report Told what could not be read or kept: people then hear of an incident twice, or not of its end
 */
export function openIncidentMemory(
  path: string,
  bootId: string,
  report: (line: string) => void,
): IncidentMemory {
  return {
    left: readLeft(path, bootId, report),
    keep(incident: Incident | undefined): void {
      if (incident === undefined) {
        removeQuietly(path);
        return;
      }
      // Lost with the host: it would be of another boot.
      const outcome = writeAtomically(path, renderIncidentRecord({ bootId, incident }), { durable: false });
      if (outcome.kind === "failed") report(outcome.error);
    },
  };
}

function readLeft(path: string, bootId: string, report: (line: string) => void): Incident | undefined {
  const text = maybeText(path);
  if (text === undefined) return undefined;
  try {
    const record = parseIncidentRecord(text, path);
    return record.bootId === bootId ? record.incident : undefined;
  } catch (error) {
    report(messageOf(error));
    return undefined;
  }
}
