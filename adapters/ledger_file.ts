/** The ledger on disk: whole at any instant, and never lost without a trace. */

import { messageOf } from "../mod/errors.ts";
import { type Ledger, parseLedger, renderLedger } from "../mod/hold/ledger.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { removeUnfinished, writeAtomically, type WriteOutcome } from "./atomic_file.ts";
import { readTrustedFile } from "./trusted_file.ts";

/** Where the ledger is. The folder is in memory: it is empty after a reboot, when nothing of ours is held. */
export const LEDGER_PATH = "/run/loadweir/state/ledger.json";

/**
 * Writes the ledger and flushes it: once this is `ok`, the next start will know, whatever happens. Whoever
 * writes holds the instance lock. Never throws.
 *
 * A ledger that cannot be read is kept as `ledger.json.torn` before it is replaced, not when it is read: a
 * start that is killed before it has given the web back must find it again.
 */
export function writeLedger(path: string, ledger: Ledger): WriteOutcome {
  const text = renderLedger(ledger);
  try {
    parseLedger(text, "the new ledger");
  } catch (error) {
    return { kind: "failed", error: `Cannot write ${path}: nobody could read it again: ${messageOf(error)}` };
  }
  removeUnfinished(path);
  keepTorn(path);
  return writeAtomically(path, text, { durable: true });
}

/**
 * Reads the ledger. Never rejects.
 *
 * @param asRoot Whether one that others than root may write is refused; it names what is started as root
 * @returns Absent where there is none. Failed where it is torn, of another version, or not to be trusted:
 * then something may be held, and the caller must give back what it can find
 */
export async function readLedger(path: string, asRoot: boolean): Promise<Reading<Ledger>> {
  const text = await readTrustedFile(path, asRoot);
  if (text.kind === "failed") return failed(`Cannot read ${path}: ${text.error}`);
  if (text.kind === "absent") return text;
  try {
    return ok(parseLedger(text.value, path));
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** The second name needs no space for a copy, and the file keeps its first one until it is replaced. */
function keepTorn(path: string): void {
  try {
    if (!isTorn(path)) return;
    const aside = `${path}.torn`;
    try {
      Deno.removeSync(aside);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    Deno.linkSync(path, aside);
  } catch {
    // What must be written now is worth more than what could not be read.
  }
}

/** @throws What `Deno.readTextFileSync` throws, but for a file that is not there */
function isTorn(path: string): boolean {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
  try {
    parseLedger(text, path);
    return false;
  } catch {
    return true;
  }
}
