import { assert, assertEquals, assertMatch } from "@std/assert";
import { ok } from "../mod/reading.ts";
import { HOLDING_STATE } from "../mod/testing/state.ts";
import { readState, writeState } from "./state_file.ts";

const NOW = { bootId: HOLDING_STATE.bootId, bootMs: HOLDING_STATE.writtenBootMs + 3_000 };

async function withFolder(test: (path: string, folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    test(`${folder}/status.json`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readState() gives what writeState() was given, with its age; absent before", async () => {
  await withFolder((path, folder) => {
    assertEquals(readState(path, NOW).kind, "absent");
    for (let pass = 0; pass < 3; pass++) assertEquals(writeState(path, HOLDING_STATE), { kind: "ok" });
    assertEquals(readState(path, NOW), ok({ state: HOLDING_STATE, ageMs: 3_000 }));
    const reading = readState(path, { ...NOW, bootId: "another" });
    assert(reading.kind === "ok");
    assertEquals(reading.value.ageMs, undefined);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["status.json"]);
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o644);
  });
});

Deno.test("readState() fails on a text that is no state, and on what is no file", async () => {
  await withFolder((path, folder) => {
    Deno.writeTextFileSync(path, "{");
    const reading = readState(path, NOW);
    assert(reading.kind === "failed");
    assertMatch(reading.error, /^Cannot parse .*status\.json/);
    const folderReading = readState(folder, NOW);
    assert(folderReading.kind === "failed");
    assertMatch(folderReading.error, /^Cannot read .*: it is a folder/);
  });
});

Deno.test("writeState() is a failure, not an exception, where the folder is missing", async () => {
  await withFolder((_path, folder) => {
    const outcome = writeState(`${folder}/none/status.json`, HOLDING_STATE);
    assert(outcome.kind === "failed");
    assertMatch(outcome.error, /its folder is not there/);
  });
});
