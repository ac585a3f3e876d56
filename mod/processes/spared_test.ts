import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { aProcess, pidsOf } from "../testing/process.ts";
import type { ProcessInfo } from "./process.ts";
import { excludeProtected } from "./spared.ts";

/**
 * A host: loadweir (50) runs under cron (40), which also runs a site's job (60); a backup (70) runs php (72).
 */
const TABLE: readonly ProcessInfo[] = [
  aProcess(1, "systemd", { ppid: 0 }),
  aProcess(40, "cron"),
  aProcess(50, "loadweir", { ppid: 40 }),
  aProcess(51, "bash", { ppid: 50 }),
  aProcess(52, "curl", { ppid: 51 }),
  aProcess(60, "php", { ppid: 40 }),
  aProcess(70, "mysql_backup.sh"),
  aProcess(71, "bash", { ppid: 70 }),
  aProcess(72, "php", { ppid: 71 }),
  aProcess(80, "php", { namespaceDepth: 2 }),
  aProcess(81, "php", { namespaceDepth: undefined }),
  aProcess(82, "php", { startTicks: undefined }),
  aProcess(83, "php", { ppid: 999 }),
];

function process(pid: number): ProcessInfo {
  const found = TABLE.find((one) => one.pid === pid);
  if (found === undefined) throw new Error(`no process ${pid} in the table`);
  return found;
}

const CONTEXT = {
  table: TABLE,
  selfPid: 50,
  backups: [{ process: process(70), pattern: "mysql_backup.sh" }],
};

Deno.test("excludeProtected() spares each for its reason and gives up the rest", () => {
  const { victims, spared } = excludeProtected(TABLE, CONTEXT);
  assertEquals(pidsOf(victims), [60]);
  assertEquals(spared.map(({ process, reason }) => [process.pid, reason]), [
    [1, "init"],
    [40, "ancestor-of-self"],
    [50, "self"],
    [51, "descendant-of-self"],
    [52, "descendant-of-self"],
    [70, "backup"],
    [71, "descendant-of-backup"],
    [72, "descendant-of-backup"],
    [80, "other-pid-namespace"],
    [81, "namespace-unknown"],
    [82, "start-unknown"],
    [83, "ancestry-unknown"],
  ]);
});

Deno.test("excludeProtected() spares nobody for a backup that does not run", () => {
  const { victims } = excludeProtected([process(70), process(72)], { ...CONTEXT, backups: [] });
  assertEquals(pidsOf(victims), [70, 72]);
});

Deno.test("excludeProtected() spares all when a line to ourselves is missing", () => {
  const { victims, spared } = excludeProtected([process(60)], { ...CONTEXT, selfPid: 12_345 });
  assertEquals([victims.length, spared[0]?.reason], [0, "ancestry-unknown"]);
});

Deno.test("excludeProtected() knows no self in a recording", () => {
  const { victims } = excludeProtected([process(50), process(52)], { ...CONTEXT, selfPid: undefined });
  assertEquals(pidsOf(victims), [50, 52]);
});

Deno.test("excludeProtected() takes a parent outside the namespace for an end", () => {
  const entered = aProcess(90, "php", { ppid: 0 });
  assertEquals(pidsOf(excludeProtected([entered], { ...CONTEXT, table: [...TABLE, entered] }).victims), [90]);
});

Deno.test("excludeProtected() needs no pid 1 in the table", () => {
  const table = TABLE.filter(({ pid }) => pid !== 1);
  assertEquals(pidsOf(excludeProtected([process(60)], { ...CONTEXT, table }).victims), [60]);
});

Deno.test("excludeProtected() ends on a table whose parents go in a circle", () => {
  const table = [
    ...TABLE,
    aProcess(91, "php", { ppid: 92 }),
    aProcess(92, "php", { ppid: 91 }),
    aProcess(93, "php", { ppid: 93 }),
  ];
  const { victims, spared } = excludeProtected(table.slice(-3), { ...CONTEXT, table });
  assertEquals([victims.length, spared.map(({ reason }) => reason)], [0, Array(3).fill("ancestry-unknown")]);
});

Deno.test("excludeProtected() never gives up pid 1 or its own line, whatever the tree", () => {
  const tree = fc.array(fc.nat(30), { minLength: 31, maxLength: 31 }).map((parents) =>
    parents.map((parent, index) => aProcess(index + 1, "php", { ppid: index === 0 ? 0 : parent }))
  );
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 31 }), (table, selfPid) => {
      const { victims, spared } = excludeProtected(table, { table, selfPid, backups: [] });
      const parents = new Map(table.map(({ pid, ppid }) => [pid, ppid]));
      const gone = new Set(pidsOf(victims));
      // Bounded walks of its own, so that the test shares no code with the rule.
      let ancestor: number | undefined = selfPid;
      for (let step = 0; step < 40 && ancestor !== undefined; step++) {
        if (gone.has(ancestor)) return false;
        ancestor = parents.get(ancestor);
      }
      const childGone = table.some(({ pid, ppid }) => ppid === selfPid && gone.has(pid));
      return !gone.has(1) && !childGone && victims.length + spared.length === table.length;
    }),
    { numRuns: 10_000 },
  );
});
