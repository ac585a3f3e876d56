import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { RuntimeError, sha256Hex } from "./denort.ts";
import { findRuntime, runtimeCacheDir } from "./runtime.ts";
import { DENO_VERSION, type Target } from "./targets.ts";

/** The smallest file that is a runtime for a machine: an ELF header whose section headers end with it. */
function runtimeFor(machine: number, mark = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(65).fill(mark, 64);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  const view = new DataView(bytes.buffer);
  view.setUint16(18, machine, true);
  view.setBigUint64(40, 65n, true);
  return bytes;
}

const PINNED = runtimeFor(183);

/** A target whose runtime is `PINNED`, and whose npm package cannot exist: no test takes one from npm. */
const TARGET: Target = {
  arch: "aarch64",
  triple: "aarch64-unknown-linux-gnu",
  elfMachine: 183,
  runtimeSha256: await sha256Hex(PINNED),
  npmPackage: "file:/nonexistent",
  npmFile: "package/bin/none",
};

/**
 * Calls `findRuntime` with files in a folder of its own; `DENORT_BIN` is the file `given` when there is one.
 */
async function find(files: Readonly<Record<string, Uint8Array>>): Promise<{
  readonly found: string | Error;
  readonly log: readonly string[];
}> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-runtime-test-" });
  const log: string[] = [];
  try {
    for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(join(folder, name), bytes);
    const denortBin = "given" in files ? join(folder, "given") : undefined;
    const found = await findRuntime(TARGET, { denortBin, cacheDir: folder, log: (line) => log.push(line) })
      .catch((error: Error) => error);
    return { found: typeof found === "string" ? found.slice(folder.length + 1) : found, log };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const CACHED = `denort-${DENO_VERSION}-aarch64`;

Deno.test("findRuntime() takes DENORT_BIN before the cache", async () => {
  const { found, log } = await find({ given: PINNED, [CACHED]: PINNED });
  assertEquals(found, "given");
  assertEquals(log, ["aarch64: runtime from DENORT_BIN, as pinned"]);
});

Deno.test("findRuntime() leaves DENORT_BIN to the machine that it is for", async () => {
  assertEquals((await find({ given: runtimeFor(62), [CACHED]: PINNED })).found, CACHED);
});

Deno.test("findRuntime() takes another runtime where DENORT_BIN names it, and says so", async () => {
  const { found, log } = await find({ given: runtimeFor(183, 1), [CACHED]: PINNED });
  assertEquals(found, "given");
  assertStringIncludes(log.join(), "used because it was named: Cannot use the runtime of");
});

Deno.test("findRuntime() refuses a DENORT_BIN that is not there", async () => {
  const sources = { denortBin: "/nonexistent/denort", cacheDir: "/nonexistent", log: () => {} };
  await assertRejects(() => findRuntime(TARGET, sources), RuntimeError, "no such file");
});

Deno.test("findRuntime() takes a cached runtime only as long as it is the pinned one", async () => {
  assertEquals((await find({ [CACHED]: PINNED })).found, CACHED);
  const { found, log } = await find({ [CACHED]: runtimeFor(183, 1) });
  assertEquals(found instanceof Error, true, "goes on to npm");
  assertStringIncludes(log.join(), "taking it anew");
});

const CACHE_DIRS: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ XDG_CACHE_HOME: "/x", HOME: "/h" }, "/x/loadweir"],
  [{ XDG_CACHE_HOME: "", HOME: "/h" }, "/h/.cache/loadweir"],
  [{}, "/project/dist/.cache"],
];
for (const [env, folder] of CACHE_DIRS) {
  Deno.test(`runtimeCacheDir() is ${folder} where the environment is ${JSON.stringify(env)}`, () => {
    assertEquals(runtimeCacheDir((name) => env[name], "/project"), folder);
  });
}
