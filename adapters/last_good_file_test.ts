import { assert, assertEquals } from "@std/assert";
import { resolveConfig } from "../mod/config/resolve.ts";
import { keepLastGood, readLastGood } from "./last_good_file.ts";
import type { GoodConfig } from "../mod/config/last_good.ts";

const FIRST_MS = Date.UTC(2026, 10, 29, 19, 31, 5);

function configWith(max: number): GoodConfig {
  const ini = { source: "x.ini", text: `[ladder]\nmax = ${max}\n` };
  return { ...resolveConfig({ ini }), profile: "generic" };
}

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function seen(path: string, asRoot = false): Promise<unknown> {
  const kept = await readLastGood(path, asRoot);
  return kept.kind === "ok"
    ? [resolveConfig({ ini: kept.value.ini }).config.maxRatio, kept.value.takenAt]
    : kept;
}

Deno.test("keepLastGood() makes the folder and writes when something is new, for root alone", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/config/last-good.ini`;
    const keep = async (max: number, wallMs: number): Promise<void> =>
      assertEquals(await keepLastGood(path, configWith(max), { wallMs, asRoot: false }), { kind: "ok" });
    assertEquals(await seen(path), { kind: "absent", reason: "not there" });
    await keep(7, FIRST_MS);
    assertEquals(await seen(path), [7, "2026-11-29T19:31:05Z"]);
    assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    const { ino } = Deno.statSync(path);
    await keep(7, FIRST_MS + 60_000);
    assertEquals([Deno.statSync(path).ino, await seen(path)], [ino, [7, "2026-11-29T19:31:05Z"]]);
    await keep(7.5, FIRST_MS + 60_000);
    assertEquals(await seen(path), [7.5, "2026-11-29T19:32:05Z"]);
    assertEquals([...Deno.readDirSync(`${folder}/config`)].map(({ name }) => name), ["last-good.ini"]);
  });
});

Deno.test("keepLastGood() says what keeps it from writing", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/config`, "");
    const outcome = await keepLastGood(`${folder}/config/last-good.ini`, configWith(7), {
      wallMs: FIRST_MS,
      asRoot: false,
    });
    assert(outcome.kind === "failed");
    assertEquals(outcome.error.startsWith(`Cannot make ${folder}/config: `), true, outcome.error);
  });
});

Deno.test({
  name: "readLastGood() refuses what others may write, and keepLastGood() puts a good one in its place",
  ignore: Deno.uid() !== 0 && Deno.env.get("CI") !== "true",
  async fn(): Promise<void> {
    await withFolder(async (folder) => {
      const path = `${folder}/last-good.ini`;
      const keep = (): Promise<unknown> =>
        keepLastGood(path, configWith(7), { wallMs: FIRST_MS, asRoot: true });
      await keep();
      Deno.chmodSync(path, 0o666);
      assertEquals(await seen(path, true), {
        kind: "failed",
        error: `Cannot use "${path}": mode is 666, so that others may write it (run: chmod go-w ${path})`,
      });
      await keep();
      assertEquals(await seen(path, true), [7, "2026-11-29T19:31:05Z"]);
    });
  },
});
