import { assertEquals, assertMatch } from "@std/assert";
import type { PastActions } from "../../mod/pressure/actions.ts";
import { openScaleMemory, type ScaleMemoryFile } from "./scale_memory_file.ts";

/** What is known by an agent of so many milliseconds since boot that found nothing. */
function unknownAt(bootMs: number): PastActions {
  return { actions: [], failedMs: undefined, unknownBeforeMs: bootMs };
}

/** Runs a test with a file that is not there yet. */
async function withFile(
  test: (open: (bootId: string, bootMs: number) => ScaleMemoryFile, path: string, lines: string[]) => void,
  name = "scaling.json",
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const lines: string[] = [];
  const path = `${folder}/${name}`;
  try {
    test((bootId, bootMs) => openScaleMemory(path, bootId, bootMs, (line) => lines.push(line)), path, lines);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openScaleMemory() goes on in the same boot, and begins anew in another", async () => {
  await withFile((open, path, lines) => {
    assertEquals(open("a", 60_000).past, unknownAt(60_000));
    assertEquals(open("a", 70_000).past, unknownAt(60_000), "the cooldowns run on over a restart");
    const past: PastActions = { actions: [{ action: "ScaleOut", atMs: 80_000 }], failedMs: 75_000 };
    open("a", 80_000).keep(past);
    assertEquals(open("a", 90_000).past, past);
    assertEquals(open("b", 20_000).past, unknownAt(20_000));
    assertEquals(open("b", 30_000).past, unknownAt(20_000));
    assertEquals(lines, []);
    assertEquals([...Deno.readDirSync(path.slice(0, path.lastIndexOf("/")))].length, 1);
  });
});

Deno.test("openScaleMemory() says what it cannot read, and waits for both cooldowns", async () => {
  await withFile((open, path, lines) => {
    Deno.writeTextFileSync(path, '{"version":1,"boot');
    assertEquals(open("a", 90_000).past, unknownAt(90_000));
    assertEquals(lines.length, 1);
    assertMatch(lines[0] ?? "", /^Cannot parse .*scaling\.json/);
  });
});

Deno.test("openScaleMemory() says what it cannot keep", async () => {
  await withFile((open, _path, lines) => {
    assertEquals(open("a", 90_000).past, unknownAt(90_000));
    assertMatch(lines[0] ?? "", /^Cannot write .*: its folder is not there/);
  }, "none/scaling.json");
});
