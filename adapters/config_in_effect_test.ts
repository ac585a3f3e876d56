import { assertEquals } from "@std/assert";
import { defaultConfig } from "../mod/config/schema.ts";
import { type InEffectOptions, readConfigInEffect } from "./config_in_effect.ts";
import { readConfig } from "./config_files.ts";
import { keepLastGood } from "./last_good_file.ts";

const TAKEN_MS = Date.UTC(2026, 10, 29, 19, 31, 5);

interface Paths {
  readonly defaultConfigPath: string;
  readonly barracudaPath: string;
  readonly lastGoodPath: string;
  readonly asRoot: false;
}

/** Runs a test on a host whose settings of both files were good and are kept. */
async function onHost(test: (paths: Paths) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const paths = {
    defaultConfigPath: `${folder}/loadweir.ini`,
    barracudaPath: `${folder}/.barracuda.cnf`,
    lastGoodPath: `${folder}/last-good.ini`,
    asRoot: false,
  } as const;
  try {
    Deno.writeTextFileSync(paths.defaultConfigPath, "[ladder]\nmax = 7\n[web]\nmax_hold = 10m\n");
    Deno.writeTextFileSync(paths.barracudaPath, "_CPU_MAX_RATIO=7.5\n");
    await keepLastGood(paths.lastGoodPath, await readConfig(paths), { wallMs: TAKEN_MS, asRoot: false });
    await test(paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function seen(options: InEffectOptions): Promise<unknown> {
  const { config, profile, standIn, unusable, problems } = await readConfigInEffect(options);
  return [
    config.maxRatio,
    config.maxHoldMs,
    profile,
    standIn?.kind,
    unusable,
    problems.map(({ source }) => source),
  ];
}

Deno.test("readConfigInEffect() goes by the files for as long as they can be used", async () => {
  await onHost(async (paths) => {
    assertEquals(await seen(paths), [7.5, 600_000, "boa", undefined, false, []]);
    Deno.writeTextFileSync(paths.defaultConfigPath, "[ladder]\ncrit = 9,5\n");
    const { defaultConfigPath } = paths;
    assertEquals(await seen(paths), [7.5, 1_800_000, "boa", undefined, false, [defaultConfigPath]]);
  });
});

Deno.test("readConfigInEffect() takes the last good one whole when one of the files cannot be used", async () => {
  await onHost(async (paths) => {
    const { defaultConfigPath, barracudaPath } = paths;
    Deno.writeTextFileSync(defaultConfigPath, "[ladder]\nmax = 5\n");
    Deno.writeTextFileSync(barracudaPath, "\0");
    assertEquals(await seen(paths), [7.5, 600_000, "boa", "last-good", true, [barracudaPath]]);
    Deno.removeSync(barracudaPath);
    Deno.writeTextFileSync(defaultConfigPath, "max = 5\n");
    assertEquals(await seen(paths), [7.5, 600_000, "boa", "last-good", true, [defaultConfigPath]]);
    const { standIn } = await readConfigInEffect(paths);
    assertEquals(standIn, { kind: "last-good", takenAt: "2026-11-29T19:31:05Z" });
  });
});

Deno.test("readConfigInEffect() stands in for a named file too", async () => {
  await onHost(async (paths) => {
    const configPath = `${paths.defaultConfigPath}.none`;
    assertEquals(await seen({ ...paths, configPath }), [7.5, 600_000, "boa", "last-good", true, [
      configPath,
    ]]);
  });
});

Deno.test("readConfigInEffect() lays overrides over the last good one, and tells what is wrong with them", async () => {
  await onHost(async (paths) => {
    Deno.writeTextFileSync(paths.defaultConfigPath, "\0");
    const overrides = ["ladder.max=8", "ladder.mx=1"];
    assertEquals(await seen({ ...paths, overrides }), [
      8,
      600_000,
      "boa",
      "last-good",
      true,
      [paths.defaultConfigPath, "--set"],
    ]);
  });
});

Deno.test("readConfigInEffect() is defaults and SPIDER at most without a last good one that can be used", async () => {
  await onHost(async (paths) => {
    Deno.writeTextFileSync(paths.defaultConfigPath, "\0");
    Deno.removeSync(paths.barracudaPath);
    Deno.writeTextFileSync(paths.lastGoodPath, "[ladder]\nmax = 1.5\n");
    const torn = await readConfigInEffect(paths);
    assertEquals([torn.config, torn.unusable], [defaultConfig(), true]);
    assertEquals(torn.standIn, {
      kind: "spider-only",
      why:
        `Cannot use "${paths.lastGoodPath}": it does not say when it was taken, expected a file as it was kept`,
    });
    Deno.removeSync(paths.lastGoodPath);
    const { config, standIn } = await readConfigInEffect(paths);
    assertEquals([config, standIn], [defaultConfig(), { kind: "spider-only", why: undefined }]);
  });
});
