import { assertEquals, assertMatch } from "@std/assert";
import { openScaleMemory } from "./scale_memory_file.ts";

const UNKNOWN = { actions: [], failedAtBootMs: undefined, cooldownsFromBootMs: 90_000 };

/** Runs a test with the path of a file that is not there yet. */
async function withPath(test: (path: string, lines: string[]) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    test(`${folder}/scaling.json`, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openScaleMemory() goes on in the same boot, and begins anew in another", async () => {
  await withPath((path, lines) => {
    const open = (bootId: string): ReturnType<typeof openScaleMemory> =>
      openScaleMemory(path, bootId, 90_000, (line) => lines.push(line));
    assertEquals(open("a").past, UNKNOWN);
    const actions = [{ action: "ScaleOut", atBootMs: 80_000 }] as const;
    open("a").keep({ actions, failedAtBootMs: 70_000 });
    assertEquals(open("a").past, { actions, failedAtBootMs: 70_000, cooldownsFromBootMs: undefined });
    assertEquals(open("b").past, UNKNOWN);
    assertEquals(lines, []);
    assertEquals([...Deno.readDirSync(path.slice(0, path.lastIndexOf("/")))].length, 1);
  });
});

Deno.test("openScaleMemory() says what it cannot read, and waits for both cooldowns", async () => {
  await withPath((path, lines) => {
    Deno.writeTextFileSync(path, '{"version":1,"boot');
    assertEquals(openScaleMemory(path, "a", 90_000, (line) => lines.push(line)).past, UNKNOWN);
    assertEquals(lines.length, 1);
    assertMatch(lines[0] ?? "", /^Cannot parse .*scaling\.json/);
  });
});

Deno.test("openScaleMemory() says what it cannot keep", async () => {
  await withPath((path, lines) => {
    openScaleMemory(`${path}/none/x`, "a", 90_000, (line) => lines.push(line))
      .keep({ actions: [], failedAtBootMs: undefined });
    assertMatch(lines[0] ?? "", /^Cannot write .*: its folder is not there/);
  });
});
