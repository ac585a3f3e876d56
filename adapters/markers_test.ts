import { assertEquals, assertMatch } from "@std/assert";
import { type Marker, MARKERS } from "../mod/ladder/state.ts";
import { testNeeding } from "../test/needs.ts";
import { PROJECT } from "../scripts/project_files.ts";
import { inWorldOk } from "../test/world.ts";
import { applyGuard, applyMarkers } from "./markers.ts";

async function withFolder(test: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("applyMarkers() makes any set of markers out of any other, and then changes nothing", async () => {
  const sets = Array.from({ length: 16 }, (_, bits) => MARKERS.filter((_, index) => (bits >> index) & 1));
  await withFolder((folder) => {
    for (const before of sets) {
      for (const after of sets) {
        applyMarkers(before, folder);
        const outcome = applyMarkers(after, folder);
        assertEquals(outcome, {
          written: after.filter((marker) => !before.includes(marker)),
          removed: before.filter((marker) => !after.includes(marker)),
          problems: [],
        });
        assertEquals(namesIn(folder), after.map((marker) => `${marker}.pid`));
        assertEquals(applyMarkers(after, folder), { written: [], removed: [], problems: [] });
      }
    }
  });
});

Deno.test("applyMarkers() leaves files of others alone, and what others wrote into a marker", async () => {
  await withFolder((folder) => {
    const others = ["boa_run.pid", "boa_second_auto_healing.pid", "max_load.pid.old", "nginx.pid"];
    for (const name of others) Deno.writeTextFileSync(`${folder}/${name}`, "812");
    Deno.writeTextFileSync(`${folder}/max_load.pid`, "text of others");
    applyMarkers(["max_load"], folder);
    assertEquals(Deno.readTextFileSync(`${folder}/max_load.pid`), "text of others");
    applyMarkers([], folder);
    assertEquals(namesIn(folder), others);
  });
});

Deno.test("applyMarkers() writes empty files that everybody may see", async () => {
  await withFolder((folder) => {
    applyMarkers(["spider_load"], folder);
    const { size, mode } = Deno.statSync(`${folder}/spider_load.pid`);
    assertEquals([size, (mode ?? 0) & 0o777], [0, 0o644]);
  });
});

Deno.test("applyMarkers() does what it can, and says what it could not", async () => {
  await withFolder((folder) => {
    Deno.mkdirSync(`${folder}/max_load.pid/in-the-way`, { recursive: true });
    const { written, removed, problems } = applyMarkers(["normal_load"], folder);
    assertEquals([written, removed, problems.length], [["normal_load"], [], 1]);
    assertMatch(problems[0] ?? "", /^Cannot remove marker .*\/max_load\.pid: /);
    const missing = applyMarkers(["normal_load"], `${folder}/none`);
    assertEquals([missing.written, missing.removed], [[], []]);
    assertMatch(missing.problems.join(), /^Cannot write marker .*normal_load\.pid: its folder is not there/);
  });
});

Deno.test("applyGuard() is there or not, and says whether it was", async () => {
  await withFolder((folder) => {
    const changes = [true, true, false, false].map((on) => {
      const outcome = applyGuard(on, folder);
      return [namesIn(folder).join(), outcome.kind === "ok" && outcome.changed];
    });
    const name = "boa_second_auto_healing.pid";
    assertEquals(changes, [[name, true], [name, false], ["", true], ["", false]]);
    assertEquals(applyGuard(true, `${folder}/none`).kind, "failed");
  });
});

/** Writes and removes all markers, and tries a neighbour, under grants for the exact names alone. */
const SANDBOXED = `
const { applyGuard, applyMarkers } = await import(Deno.args[0]);
const all = Deno.args.slice(1);
console.log(JSON.stringify([applyMarkers(all, "/run"), applyGuard(true, "/run")]));
console.log(JSON.stringify([applyMarkers([], "/run"), applyGuard(false, "/run")]));
try {
  Deno.writeTextFileSync("/run/max_load.pid.x", "");
  console.log("escaped");
} catch (error) {
  console.log(error.name);
}
`;

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip"] as const;

testNeeding(WORLD, "applyMarkers() needs no more than leave to write the exact names", async () => {
  const files = [
    ...MARKERS.map((marker: Marker) => `/run/${marker}.pid`),
    "/run/boa_second_auto_healing.pid",
  ];
  const module = import.meta.resolve("./markers.ts");
  const output = await inWorldOk(
    `cat > /tmp/try.ts <<'END'
${SANDBOXED}
END
    grants='--allow-read=${PROJECT} --allow-write=${files.join()}'
    export DENO_DIR=/tmp/deno
    ${Deno.execPath()} run --quiet --no-lock --no-prompt $grants /tmp/try.ts ${module} ${MARKERS.join(" ")}`,
    { bind: false },
  );
  const [on, off, neighbour] = output.trim().split("\n");
  const guard = { kind: "ok", changed: true };
  assertEquals(JSON.parse(on ?? ""), [{ written: [...MARKERS], removed: [], problems: [] }, guard]);
  assertEquals(JSON.parse(off ?? ""), [{ written: [], removed: [...MARKERS], problems: [] }, guard]);
  assertEquals(neighbour, "NotCapable");
});
