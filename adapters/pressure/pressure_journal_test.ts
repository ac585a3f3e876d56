import { assert, assertEquals } from "@std/assert";
import type { PressureEvaluation } from "../../mod/pressure/pressure.ts";
import { parsePressureRecord } from "../../mod/replay/pressure_record.ts";
import { CALM_TIER, evaluationOf } from "../../mod/testing/tiers.ts";
import { openPressureJournal } from "./pressure_journal.ts";

/** Evaluations five seconds apart, of a saturated tier or of an idle one that is left alone. */
function evaluations(count: number, isHot: boolean): readonly PressureEvaluation[] {
  return Array.from({ length: count }, (_, index) => {
    const input = isHot ? {} : { ...CALM_TIER, instances: 1 };
    return evaluationOf(input, { atMs: index * 5_000, wallMs: index * 5_000 });
  });
}

/** Ids of the lines that can be evaluated again; throws at one that cannot. */
function idsIn(path: string): readonly string[] {
  const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
  return lines.map((line, index) => parsePressureRecord(line, path, index + 1).id);
}

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const tick = (): Promise<void> => new Promise((go) => setTimeout(go, 5));

Deno.test("openPressureJournal() keeps one file before, and loses no evaluation at the change", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/pressure.jsonl`;
    const journal = openPressureJournal({ path, tellChange: () => {}, sizeLimitBytes: 6_000 });
    for (const one of evaluations(9, true)) {
      journal.note(one);
      await tick();
    }
    await journal.close();
    const [before, after] = [idsIn(`${folder}/pressure.1.jsonl`), idsIn(path)];
    assert(before.length > 0 && after.length > 0);
    assertEquals([...before, ...after], evaluations(9, true).map(({ wallMs }) => isoSeconds(wallMs)));
  });
});

Deno.test("openPressureJournal() lets the disk sleep while nothing is the matter, and writes all at the end", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/pressure.jsonl`;
    const journal = openPressureJournal({ path, tellChange: () => {} });
    for (const one of evaluations(5, false)) {
      journal.note(one);
      await tick();
    }
    assertEquals(idsIn(path).length, 1);
    await journal.close();
    assertEquals(idsIn(path).length, 5);
  });
});

function isoSeconds(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(".000", "");
}
