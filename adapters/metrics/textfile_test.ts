import { assertEquals } from "@std/assert";
import type { WriteOutcome } from "../atomic_file.ts";
import { keepTextfile } from "./textfile.ts";

/** Plays so many turns, each wanted or not, written or not; what was done and told, in its order. */
async function play(
  turns: readonly { readonly wanted: boolean; readonly error?: string }[],
): Promise<readonly string[]> {
  const stop = new AbortController();
  const seen: string[] = [];
  let last = new Map<string, string>();
  let turn = 0;
  await keepTextfile({
    clock: {
      sleep(ms: number): Promise<void> {
        seen.push(`wait ${ms}`);
        turn += 1;
        if (turn >= turns.length) stop.abort();
        return Promise.resolve();
      },
    },
    isWanted: () => turns[turn]?.wanted ?? false,
    render: () => `page ${turn}`,
    write(text: string): Promise<WriteOutcome> {
      const error = turns[turn]?.error;
      seen.push(`write ${text}`);
      return Promise.resolve(error === undefined ? { kind: "ok" } : { kind: "failed", error });
    },
    remove(): Promise<void> {
      seen.push("remove");
      return Promise.resolve();
    },
    tellChange(subject: string, line: string | undefined): void {
      if (last.get(subject) === line) return;
      last = new Map(line === undefined ? [] : [[subject, line]]);
      seen.push(`tell ${line}`);
    },
  }, stop.signal);
  return seen.filter((line) => line !== "wait 15000");
}

Deno.test("keepTextfile() writes each 15 s, and removes at its end what it wrote", async () => {
  assertEquals(await play([{ wanted: true }, { wanted: true }]), ["write page 0", "write page 1", "remove"]);
});

Deno.test("keepTextfile() removes what an agent before left where no file is wanted, and that is all", async () => {
  assertEquals(await play([{ wanted: false }, { wanted: false }]), ["remove"]);
});

Deno.test("keepTextfile() removes a file that is not wanted any more, once", async () => {
  const turns = [{ wanted: true }, { wanted: false }, { wanted: false }, { wanted: true }];
  assertEquals(await play(turns), ["write page 0", "remove", "write page 3", "remove"]);
});

Deno.test("keepTextfile() tells a failure once, and goes on", async () => {
  const turns = [{ wanted: true, error: "full" }, { wanted: true, error: "full" }];
  assertEquals(await play(turns), ["write page 0", "tell full", "write page 1", "remove"]);
  assertEquals(await play([...turns, { wanted: true }]), [
    "write page 0",
    "tell full",
    "write page 1",
    "write page 2",
    "tell undefined",
    "remove",
  ]);
});
