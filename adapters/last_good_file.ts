/** The last good configuration on disk. It may hold a mail address, so it is for root alone. */

import {
  type GoodConfig,
  isSameLastGood,
  type LastGood,
  parseLastGood,
  renderLastGood,
} from "../mod/config/last_good.ts";
import { failed, type Reading } from "../mod/reading.ts";
import { describeFileError, writeInBackground, type WriteOutcome } from "./atomic_file.ts";
import { readTrustedFile } from "./trusted_file.ts";

/** In a folder of its own, because only there its unfinished twin may be written too. */
export const LAST_GOOD_PATH = "/var/lib/loadweir/config/last-good.ini";

/**
 * Reads what was kept. Never rejects.
 *
 * @param asRoot Whether one that others than root may write is refused
 * @returns Absent where nothing was kept, failed with the reason where that cannot be used
 */
export async function readLastGood(path: string, asRoot: boolean): Promise<Reading<LastGood>> {
  const text = await readTrustedFile(path, asRoot);
  if (text.kind === "failed") return failed(`Cannot use "${path}": ${text.error}`);
  if (text.kind === "absent") return text;
  return parseLastGood({ source: path, text: text.value });
}

/**
 * Keeps a configuration, unless it is what is kept already. The disk may be slow or full, so it is not waited for
 * where anything depends on it. One writer at a time. Never rejects.
 */
export async function keepLastGood(
  path: string,
  config: GoodConfig,
  { wallMs, asRoot }: { readonly wallMs: number; readonly asRoot: boolean },
): Promise<WriteOutcome> {
  const text = renderLastGood(config, wallMs);
  const kept = await readTrustedFile(path, asRoot);
  if (kept.kind === "ok" && isSameLastGood(kept.value, text)) return { kind: "ok" };
  const folder = path.slice(0, path.lastIndexOf("/"));
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { kind: "failed", error: `Cannot make ${folder}: ${describeFileError(error, folder)}` };
  }
  return await writeInBackground(path, text);
}
