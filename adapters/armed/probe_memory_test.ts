import { assertEquals, assertMatch } from "@std/assert";
import { PROVEN } from "../../mod/testing/probe.ts";
import { systemClock } from "../clock.ts";
import { openProbeMemory } from "./probe_memory.ts";

/** Two places of a test's own, and what was told of them. */
async function withPlaces(
  test: (places: {
    readonly open: (bootMs: number) => ReturnType<typeof openProbeMemory>;
    readonly told: readonly (string | undefined)[];
    readonly paths: { readonly standing: string; readonly proven: string };
  }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const paths = { standing: `${folder}/probe.json`, proven: `${folder}/probe/proven.json` };
  const told: (string | undefined)[] = [];
  try {
    await test({
      paths,
      told,
      open: (bootMs) =>
        openProbeMemory({ bootId: "b", bootMs: () => bootMs, report: (line) => void told.push(line), paths }),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The sites are written in the background. */
async function untilWritten(path: string): Promise<void> {
  for (let tries = 0; tries < 1_000; tries++) {
    if (await Deno.stat(path).then(() => true, () => false)) return;
    await systemClock.sleep(5);
  }
  throw new Error(`${path} was not written`);
}

Deno.test("openProbeMemory() gives the next agent that the host was in, and which sites have passed", async () => {
  await withPlaces(async ({ open, told, paths }) => {
    const first = open(10_000);
    assertEquals([first.recall().standing, [...first.recall().provenSites]], [undefined, []]);
    first.keep({ ...PROVEN, standing: { phase: "in", sinceMs: 1 } });
    await untilWritten(paths.proven);
    const next = open(15_000).recall();
    assertEquals([next.standing, next.provenSites], [{ phase: "in", sinceMs: 15_000 }, PROVEN.provenSites]);
    // One that is out is no more in for the next one than it is.
    first.keep({ ...PROVEN, standing: undefined });
    assertEquals(open(15_000).recall().standing, undefined);
    assertEquals(told.filter((line) => line !== undefined), []);
  });
});

Deno.test("openProbeMemory() begins anew where a file was torn, and says which", async () => {
  await withPlaces(async ({ open, told, paths }) => {
    await Deno.writeTextFile(paths.standing, '{"version":1,');
    assertEquals(open(10_000).recall().standing, undefined);
    assertMatch(told.at(-1) ?? "", /probe\.json/);
  });
});

Deno.test("openProbeMemory() tries again with the next state what could not be kept", async () => {
  await withPlaces(async ({ open, told, paths }) => {
    const folder = paths.proven.slice(0, paths.proven.lastIndexOf("/"));
    await Deno.writeTextFile(folder, "in the way");
    const memory = open(10_000);
    memory.recall();
    memory.keep(PROVEN);
    for (let tries = 0; tries < 1_000 && told.at(-1) === undefined; tries++) await systemClock.sleep(5);
    assertMatch(told.at(-1) ?? "", /^Cannot /);
    await Deno.remove(folder);
    memory.keep(PROVEN);
    await untilWritten(paths.proven);
  });
});
