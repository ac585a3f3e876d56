import { assertEquals, assertMatch } from "@std/assert";
import { removeUnfinished, writeAtomically, writeInBackground } from "./atomic_file.ts";

async function withFolder(test: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

for (const durable of [true, false]) {
  Deno.test(`writeAtomically() replaces the text and leaves nothing else (durable: ${durable})`, async () => {
    await withFolder((folder) => {
      for (const text of ["a long first text", "short", ""]) {
        assertEquals(writeAtomically(`${folder}/x.json`, text, { durable }), { kind: "ok" });
        assertEquals(Deno.readTextFileSync(`${folder}/x.json`), text);
      }
      assertEquals(namesIn(folder), ["x.json"]);
    });
  });
}

Deno.test("writeAtomically() makes files for root alone unless asked otherwise", async () => {
  await withFolder((folder) => {
    writeAtomically(`${folder}/a`, "x", { durable: false });
    writeAtomically(`${folder}/b`, "x", { durable: false, mode: 0o644 });
    assertEquals(
      ["a", "b"].map((name) => (Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o777),
      [0o600, 0o644],
    );
  });
});

Deno.test("writeInBackground() makes files for root alone unless asked otherwise", async () => {
  await withFolder(async (folder) => {
    await writeInBackground(`${folder}/a`, "x");
    await writeInBackground(`${folder}/b`, "x", { durable: false, mode: 0o644 });
    assertEquals(
      ["a", "b"].map((name) => (Deno.statSync(`${folder}/${name}`).mode ?? 0) & 0o777),
      [0o600, 0o644],
    );
  });
});

Deno.test("writeAtomically() never writes through a link that was left in its way", async () => {
  await withFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/precious`, "untouched");
    Deno.symlinkSync(`${folder}/precious`, `${folder}/x.${Deno.pid}.new`);
    Deno.symlinkSync(`${folder}/precious`, `${folder}/x`);
    assertEquals(writeAtomically(`${folder}/x`, "new", { durable: true }), { kind: "ok" });
    assertEquals(Deno.readTextFileSync(`${folder}/x`), "new");
    assertEquals(Deno.readTextFileSync(`${folder}/precious`), "untouched");
  });
});

for (
  const { name, prepare, path, problem } of [
    { name: "a missing folder", prepare: [], path: "none/x", problem: /its folder is not there, make it$/ },
    { name: "a folder that is a file", prepare: ["f"], path: "f/x", problem: /its folder is no folder/ },
    { name: "a folder in its place", prepare: ["d/sub/f"], path: "d/sub", problem: /it is a folder/ },
  ]
) {
  Deno.test(`writeAtomically() says what to do about ${name}`, async () => {
    await withFolder((folder) => {
      for (const file of prepare) {
        Deno.mkdirSync(`${folder}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
        Deno.writeTextFileSync(`${folder}/${file}`, "");
      }
      const before = namesIn(folder);
      const outcome = writeAtomically(`${folder}/${path}`, "x", { durable: true });
      assertEquals(outcome.kind, "failed");
      if (outcome.kind === "failed") {
        assertMatch(outcome.error, /^Cannot write \//);
        assertMatch(outcome.error, problem);
      }
      assertEquals(namesIn(folder), before);
    });
  });
}

Deno.test("writeInBackground() replaces the text for root alone, and follows no link", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/precious`, "untouched");
    for (const text of ["a long first text", "short"]) {
      Deno.symlinkSync(`${folder}/precious`, `${folder}/x.new`);
      assertEquals(await writeInBackground(`${folder}/x`, text), { kind: "ok" });
      assertEquals(Deno.readTextFileSync(`${folder}/x`), text);
    }
    assertEquals((Deno.statSync(`${folder}/x`).mode ?? 0) & 0o777, 0o600);
    assertEquals(Deno.readTextFileSync(`${folder}/precious`), "untouched");
    assertEquals(namesIn(folder), ["precious", "x"]);
  });
});

Deno.test("writeInBackground() leaves nothing where it cannot write", async () => {
  await withFolder(async (folder) => {
    Deno.mkdirSync(`${folder}/x`);
    assertEquals(await writeInBackground(`${folder}/x`, "text"), {
      kind: "failed",
      error: `Cannot write ${folder}/x: it is a folder, move that away`,
    });
    assertEquals(namesIn(folder), ["x"]);
  });
});

Deno.test("removeUnfinished() removes what ended writers of one file left, and nothing else", async () => {
  await withFolder((folder) => {
    const others = [
      "x.json",
      "x.json.new",
      "x.json.a.new",
      "x.json.torn",
      "y.json.12.new",
      "x.json.12.new.bak",
    ];
    for (const name of [...others, "x.json.12.new", "x.json.4.new"]) {
      Deno.writeTextFileSync(`${folder}/${name}`, "");
    }
    assertEquals(removeUnfinished(`${folder}/x.json`), 2);
    assertEquals(namesIn(folder), [...others].sort());
    assertEquals(removeUnfinished(`${folder}/none/x.json`), 0);
  });
});
