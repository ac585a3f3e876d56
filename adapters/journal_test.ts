import { assertEquals, assertMatch } from "@std/assert";
import { beginReplay } from "../mod/replay/replay.ts";
import { DEFAULT_RULES, sampleAt } from "../mod/testing/climb.ts";
import { climb } from "../mod/testing/climb.ts";
import { INITIAL_STATE } from "../mod/ladder/state.ts";
import { step } from "../mod/ladder/ladder.ts";
import type { LadderRules } from "../mod/ladder/rules.ts";
import type { Pass } from "./agent.ts";
import { openJournal } from "./journal.ts";

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Passes every five seconds from a time on, at these loads. */
function passesAt(
  fromMs: number,
  percents: readonly (number | undefined)[],
  rules: LadderRules = DEFAULT_RULES,
): readonly Pass[] {
  let before = INITIAL_STATE;
  return percents.map((percent, index) => {
    const sample = sampleAt(fromMs + index * 9_000, percent);
    const [result] = climb([sample], rules, before);
    if (result === undefined) throw new Error("not due");
    const pass = { sample, decision: result.decision, outcomes: [], lateMs: 0, before, rules };
    before = result.state;
    return pass;
  });
}

function linesOf(path: string): readonly string[] {
  return Deno.readTextFileSync(path).trimEnd().split("\n");
}

/** How many decisions of a journal there are, and how many come out otherwise. */
function replayed(path: string): readonly [number, number] {
  const replay = beginReplay(DEFAULT_RULES, path);
  for (const line of linesOf(path)) replay.take(line);
  const { count, differing } = replay.comparison();
  return [count, differing];
}

/** Opens a journal, notes passes and closes it. */
async function noteAll(path: string, passes: readonly Pass[], sizeLimitBytes?: number): Promise<string[]> {
  const told: string[] = [];
  const journal = openJournal({
    path,
    version: "0.1.0",
    settingsOf: () => [],
    tellChange: (_, line) => line === undefined ? undefined : told.push(line),
    ...sizeLimitBytes === undefined ? {} : { sizeLimitBytes },
  });
  for (const pass of passes) {
    journal.note(pass);
    await new Promise((go) => setTimeout(go, 5));
  }
  await journal.close();
  return told;
}

const STORM = [20, 20, 700, 700, 700, undefined, 400, 20, 20];

Deno.test("openJournal() keeps what was asked for before it was due, and it replays", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/journal.jsonl`;
    const [first] = passesAt(1_000_000, [700]);
    if (first === undefined) throw new Error("no pass");
    const before = step(INITIAL_STATE, first.sample, DEFAULT_RULES).state;
    const sample = { ...sampleAt(1_002_000, 700), byHand: "hold" } as const;
    const early = { ...first, before, sample, decision: step(before, sample, DEFAULT_RULES).decision };
    assertEquals(await noteAll(path, [first, early]), []);
    assertEquals(replayed(path), [2, 0]);
  });
});

Deno.test("openJournal() writes what replays to the decisions of the time, one agent after the other", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/log/journal.jsonl`;
    await noteAll(path, passesAt(0, STORM));
    // Ended within a line, as by a loss of power.
    Deno.writeTextFileSync(path, '{"t":100,"loa', { append: true });
    await noteAll(path, passesAt(500_000, STORM));
    assertEquals(replayed(path), [2 * STORM.length, 0]);
    assertEquals(linesOf(path).filter((line) => line.startsWith('{"journal":1')).length, 2);
  });
});

Deno.test("openJournal() begins anew below a head when the rules change", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/journal.jsonl`;
    const later = passesAt(100_000, [20, 20], { ...DEFAULT_RULES, maxPercent: 900 });
    await noteAll(path, [...passesAt(0, [20, 20]), ...later]);
    assertEquals(linesOf(path).map((line) => line.startsWith('{"journal":1')), [
      true,
      false,
      false,
      true,
      false,
      false,
    ]);
  });
});

Deno.test("openJournal() keeps the file before, and begins the new one with a head", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/journal.jsonl`;
    await noteAll(path, passesAt(0, Array(12).fill(700)), 2_000);
    const [before] = replayed(`${folder}/journal.1.jsonl`);
    const [after, differing] = replayed(path);
    assertEquals(differing, 0);
    assertMatch(linesOf(path)[0] ?? "", /^\{"journal":1/);
    assertEquals(before > 0 && after > 0, true);
  });
});

Deno.test("openJournal() tells once that it cannot write, and goes on below a head when it can again", async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/log/journal.jsonl`;
    Deno.writeTextFileSync(`${folder}/log`, "in the way");
    const passes = passesAt(0, [...STORM, ...STORM]);
    const told: string[] = [];
    const journal = openJournal({
      path,
      version: "0.1.0",
      settingsOf: () => [],
      tellChange: (_, line) => line === undefined || line === told.at(-1) ? undefined : told.push(line),
    });
    for (const [index, pass] of passes.entries()) {
      if (index === STORM.length) Deno.removeSync(`${folder}/log`);
      journal.note(pass);
      await new Promise((go) => setTimeout(go, 5));
    }
    await journal.close();
    assertEquals(told.length, 1);
    const [count, differing] = replayed(path);
    assertEquals([count > 0, differing], [true, 0]);
  });
});
