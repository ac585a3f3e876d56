/** What an agent that starts takes up of the one before: what it held, and the crawler block that is on. */

import type { Ledger } from "../../mod/hold/ledger.ts";
import {
  type Boot,
  rebuiltLedger,
  restore,
  type Restored,
  withBlockFound,
  withHoldEnding,
} from "../../mod/hold/restore.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import type { Reading } from "../../mod/reading.ts";
import { readBootId } from "../boot.ts";
import type { Clock } from "../clock.ts";
import { isOurs, readCrawlerBlock } from "../crawler_block.ts";
import { LEDGER_PATH, readLedger } from "../ledger_file.ts";
import type { Source } from "../source.ts";

/** What taking up takes. */
export interface TakeUpHost {
  readonly clock: Clock;
  readonly source: Source;
  readonly profile: "generic" | "boa";
  /** What to do about a pause that an agent before left: go on with it, or give it back. */
  readonly takeOver: "hold" | "give-back";
  /** Told what happened; in the order in which it did. */
  readonly tell: (event: IncidentEvent) => void;
}

/** What was taken up. */
export interface TakenUp {
  /** The boot that we are in, as of now. */
  readonly boot: Boot;
  readonly restored: Restored;
}

/**
 * Takes up what the agent before left, and tells it. Never rejects: of a ledger that cannot be read the safer way is taken.
 *
 * @param findStopped Which services that serve the web are installed and do not run
 */
export async function takeUp(
  { clock, source, profile, takeOver, tell }: TakeUpHost,
  findStopped: () => Promise<Reading<readonly ServiceRef[]>>,
): Promise<TakenUp> {
  const boot = {
    id: readBootId(source, clock.monotonicMs(), clock.wallMs()),
    nowBootMs: clock.monotonicMs(),
    nowWallMs: clock.wallMs(),
  };
  const unmarked = await readOrRebuild();
  const isBlockFound = readCrawlerBlock(profile) === "on" && isOurs(profile);
  const left = isBlockFound ? withBlockFound(unmarked, boot) : unmarked;
  const restored = restore(takeOver === "hold" ? left : withHoldEnding(left), boot);
  if (restored.note !== undefined) tell(plainEvent("hold-taken-over", [restored.note]));
  return { boot, restored };

  /** A ledger that cannot be read may have held anything: whatever is installed and does not run is started. */
  async function readOrRebuild(): Promise<Ledger | undefined> {
    const read = await readLedger(LEDGER_PATH, true);
    if (read.kind === "ok") return read.value;
    if (read.kind === "absent") return undefined;
    const stopped = await findStopped();
    const what = `${read.error}; starting whatever serves the web here and does not run`;
    tell(plainEvent("hold-taken-over", [what]));
    return rebuiltLedger(boot, stopped.kind === "ok" ? stopped.value : []);
  }
}
