import { assertEquals, assertNotEquals } from "@std/assert";
import { keepBootId, readBootId } from "./boot.ts";
import type { Source } from "./source.ts";

const ID = "6b1f5b9e-2c1d-4f6e-9c39-7c4c0f4bb2ab";
const BARE: Source = { kind: "kernel-calls", name: "kernel-calls" };
const BOOTED_MS = 1_796_000_000_000;

/** A folder with a proc root in it, and the path where the id is kept. */
async function inFolder(check: (root: Source, keptPath: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/proc/sys/kernel/random`, { recursive: true });
    await Deno.writeTextFile(`${folder}/proc/sys/kernel/random/boot_id`, `${ID}\n`);
    check({ kind: "proc-root", root: `${folder}/proc`, name: "procfs-flag" }, `${folder}/boot`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("readBootId() without a proc root is the id that an agent with one has kept", async () => {
  await inFolder((root, keptPath) => {
    const id = readBootId(root, 5_000, BOOTED_MS + 5_000, keptPath);
    assertEquals(id, ID);
    assertEquals(keepBootId(id, 5_000, BOOTED_MS + 5_000, keptPath), undefined);
    assertEquals(readBootId(BARE, 90_000, BOOTED_MS + 91_000, keptPath), ID);
  });
});

Deno.test("readBootId() without a proc root believes nothing that was kept in another boot", async () => {
  await inFolder((_root, keptPath) => {
    keepBootId(ID, 5_000, BOOTED_MS + 5_000, keptPath);
    // Forty seconds later the host has been up for one.
    const after = readBootId(BARE, 1_000, BOOTED_MS + 41_000, keptPath);
    assertNotEquals(after, ID);
    assertEquals(after, readBootId(BARE, 1_000, BOOTED_MS + 41_000, `${keptPath}-missing`));
    Deno.writeTextFileSync(keptPath, "torn");
    assertEquals(readBootId(BARE, 1_000, BOOTED_MS + 41_000, keptPath), after);
  });
});

Deno.test("keepBootId() says where it could not be kept", () => {
  assertEquals(
    keepBootId(ID, 1, 2, "/dev/null/boot")?.startsWith("Cannot write /dev/null/boot: "),
    true,
  );
});
