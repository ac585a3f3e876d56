import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Ledger, renderLedger } from "../mod/hold/ledger.ts";
import { ok } from "../mod/reading.ts";
import { FULL_LEDGER } from "../mod/testing/ledger.ts";
import { testNeeding } from "../test/needs.ts";
import { inWorldOk } from "../test/world.ts";
import { systemClock } from "./clock.ts";
import { readLedger, writeLedger } from "./ledger_file.ts";

const AS_ROOT = Deno.uid() === 0;
const TEXT = renderLedger(FULL_LEDGER);

async function withFolder(test: (path: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/ledger.json`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("readLedger() gives what writeLedger() was given; absent before", async () => {
  await withFolder(async (path, folder) => {
    assertEquals((await readLedger(path, AS_ROOT)).kind, "absent");
    assertEquals(writeLedger(path, FULL_LEDGER), { kind: "ok" });
    assertEquals(await readLedger(path, AS_ROOT), ok(FULL_LEDGER));
    assertEquals(namesIn(folder), ["ledger.json"]);
  });
});

Deno.test("readLedger() fails on every ledger that is cut short, and finds it again next time", async () => {
  await withFolder(async (path, folder) => {
    const bytes = new TextEncoder().encode(TEXT);
    for (let length = 0; length < bytes.length - 1; length++) {
      Deno.writeFileSync(path, bytes.subarray(0, length));
      const reading = await readLedger(path, AS_ROOT);
      assertEquals(reading.kind, "failed", `${length} bytes`);
      if (length % 100 === 0) assertEquals(await readLedger(path, AS_ROOT), reading);
    }
    assertEquals(namesIn(folder), ["ledger.json"]);
  });
});

Deno.test("readLedger() fails on a ledger of a later version, and names it", async () => {
  await withFolder(async (path) => {
    await Deno.writeTextFile(path, TEXT.replace('"version": 1', '"version": 2'));
    const reading = await readLedger(path, AS_ROOT);
    assert(reading.kind === "failed");
    assertMatch(reading.error, /ledger\.json": version is "2", expected 1$/);
  });
});

testNeeding(["root"], "readLedger() does not trust a ledger that somebody else may write", async () => {
  await withFolder(async (path) => {
    writeLedger(path, FULL_LEDGER);
    await Deno.chown(path, 65534, null);
    const reading = await readLedger(path, true);
    assert(reading.kind === "failed");
    assertMatch(reading.error, /owned by uid 65534, expected root/);
  });
});

Deno.test("writeLedger() keeps a ledger that cannot be read", async () => {
  await withFolder(async (path, folder) => {
    for (const torn of [TEXT.slice(0, 100), "", "\0\0\0\0"]) {
      await Deno.writeTextFile(path, torn);
      assertEquals(writeLedger(path, FULL_LEDGER), { kind: "ok" });
      assertEquals(await readLedger(path, AS_ROOT), ok(FULL_LEDGER));
      assertEquals(await Deno.readTextFile(`${path}.torn`), torn);
      // A sound one that is replaced is no news.
      assertEquals(writeLedger(path, FULL_LEDGER), { kind: "ok" });
      assertEquals(await Deno.readTextFile(`${path}.torn`), torn);
    }
    assertEquals(namesIn(folder), ["ledger.json", "ledger.json.torn"]);
  });
});

Deno.test("writeLedger() clears away what an ended writer left", async () => {
  await withFolder(async (path, folder) => {
    await Deno.writeTextFile(`${path}.4711.new`, TEXT.slice(0, 10));
    assertEquals(writeLedger(path, FULL_LEDGER), { kind: "ok" });
    assertEquals(namesIn(folder), ["ledger.json"]);
  });
});

Deno.test("writeLedger() is a failure, not an exception, where the folder is missing", async () => {
  await withFolder((_path, folder) => {
    const outcome = writeLedger(`${folder}/none/ledger.json`, FULL_LEDGER);
    assert(outcome.kind === "failed");
    assertMatch(outcome.error, /^Cannot write .*ledger\.json: its folder is not there, make it$/);
    return Promise.resolve();
  });
});

Deno.test("writeLedger() refuses a ledger that could not be read again, and keeps the old one", async () => {
  await withFolder(async (path) => {
    writeLedger(path, FULL_LEDGER);
    const outcome = writeLedger(path, { ...FULL_LEDGER, writtenBootMs: 0.5 });
    assert(outcome.kind === "failed");
    assertMatch(
      outcome.error,
      /nobody could read it again: .*writtenBootMs is "0\.5", expected a whole number/,
    );
    assertEquals(await readLedger(path, AS_ROOT), ok(FULL_LEDGER));
  });
});

/** Writes ledgers for ever, each with its number in it. */
const WRITER = `
const { writeLedger } = await import(Deno.args[0]);
const ledger = JSON.parse(Deno.args[1]);
for (let count = 1;; count++) {
  const outcome = writeLedger(Deno.args[2], { ...ledger, writtenBootMs: count });
  if (outcome.kind !== "ok") throw new Error(outcome.error);
  if (count === 1) console.log("started");
}
`;

Deno.test("readLedger() finds a whole ledger wherever its writer was killed", async () => {
  await withFolder(async (path, folder) => {
    const seen = new Set<number>();
    // Where the disk or the CPUs are busy, writers are given longer, so that they are killed at other writes than the first.
    for (let time = 0; time < 50 || (seen.size <= 10 && time < 200); time++) {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["eval", "--quiet", WRITER, import.meta.resolve("./ledger_file.ts")]
          .concat(JSON.stringify(FULL_LEDGER), path),
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      await systemClock.sleep(Math.random() * (30 + 2 * Math.max(0, time - 50)));
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const reading = await readLedger(path, AS_ROOT);
      assert(reading.kind === "ok", JSON.stringify(reading));
      seen.add(reading.value.writtenBootMs);
      assertEquals(namesIn(folder).includes("ledger.json.torn"), false);
    }
    assert(seen.size > 10, "the writers were killed too early to show anything");
    assertEquals(writeLedger(path, FULL_LEDGER), { kind: "ok" });
    assertEquals(namesIn(folder), ["ledger.json"]);
  });
});

/** Fills a tiny file system, then writes, makes room, writes, makes it read-only, and writes again. */
const FULL_DISK = `
const { readLedger, writeLedger } = await import(Deno.args[0]);
const ledger = JSON.parse(Deno.args[1]);
const path = Deno.args[2] + "/ledger.json";
const run = (program, ...args) => new Deno.Command(program, { args }).outputSync();
const show = async (outcome) => {
  const reading = await readLedger(path, true);
  const names = [...Deno.readDirSync(Deno.args[2])].map(({ name }) => name).sort().join(" ");
  console.log(outcome.error ?? outcome.kind, "|", reading.value?.writtenBootMs ?? reading.kind, "|", names);
};
await show(writeLedger(path, { ...ledger, writtenBootMs: 1 }));
run("dd", "if=/dev/zero", "of=" + Deno.args[2] + "/filler", "bs=4096");
await show(writeLedger(path, { ...ledger, writtenBootMs: 2 }));
Deno.writeTextFileSync(path, "torn");
await show(writeLedger(path, { ...ledger, writtenBootMs: 3 }));
Deno.removeSync(Deno.args[2] + "/filler");
await show(writeLedger(path, { ...ledger, writtenBootMs: 4 }));
run("mount", "-o", "remount,ro", Deno.args[2]);
await show(writeLedger(path, { ...ledger, writtenBootMs: 5 }));
`;

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip"] as const;

testNeeding(
  WORLD,
  "writeLedger() leaves the old ledger whole on a disk that is full or read-only",
  async () => {
    const module = import.meta.resolve("./ledger_file.ts");
    const output = await inWorldOk(
      `mkdir /mnt/tiny
    mount -t tmpfs -o size=16k,mode=755 tmpfs /mnt/tiny
    export DENO_DIR=/tmp/deno
    ${Deno.execPath()} eval --quiet --no-lock '${FULL_DISK}' '${module}' '${sent(FULL_LEDGER)}' /mnt/tiny`,
      { bind: false },
    );
    const path = "/mnt/tiny/ledger.json";
    const full = `Cannot write ${path}: no space left on its file system, make room there`;
    const readOnly = `Cannot write ${path}: its file system is read-only, remount it for writing`;
    assertEquals(output.trim().split("\n"), [
      "ok | 1 | ledger.json",
      `${full} | 1 | filler ledger.json`,
      `${full} | failed | filler ledger.json ledger.json.torn`,
      "ok | 4 | ledger.json ledger.json.torn",
      `${readOnly} | 4 | ledger.json ledger.json.torn`,
    ]);
  },
);

/** A ledger as an argument of a shell command in single quotes. */
function sent(ledger: Ledger): string {
  return JSON.stringify(ledger).replaceAll("'", "");
}
