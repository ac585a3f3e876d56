/** The trace that a replay reads: a file, or standard input. */

import { messageOf } from "../../mod/errors.ts";

/** What can be read from. */
export type SyncReader = Pick<Deno.FsFile, "readSync">;

/**
 * Opens a trace; `-` is standard input.
 *
 * @throws {Error} If it cannot be read, with the cure
 */
export function openTrace(name: string): Disposable & { readonly file: SyncReader } {
  if (name === "-") return { file: Deno.stdin, [Symbol.dispose](): void {} };
  try {
    const file = Deno.openSync(name);
    if (file.statSync().isDirectory) {
      file.close();
      throw new Error("it is a folder, expected a trace: a recording has its own in trace.jsonl");
    }
    return { file, [Symbol.dispose]: () => file.close() };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new Error(
        `Cannot read "${name}": the sandbox of this binary does not list it; ` +
          `feed it in instead: loadweir replay - < ${name}`,
      );
    }
    const why = error instanceof Deno.errors.NotFound
      ? "not there; `loadweir record NAME` makes a trace, and an armed agent keeps /var/log/loadweir/journal.jsonl"
      : messageOf(error);
    throw new Error(`Cannot read "${name}": ${why}`);
  }
}
