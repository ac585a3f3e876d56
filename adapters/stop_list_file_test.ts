import { assertEquals, assertMatch } from "@std/assert";
import { openStopList, type StopList } from "./stop_list_file.ts";

const ONE = { pid: 41, startTicks: 1_000 };
const TWO = { pid: 42, startTicks: 1_001 };

/** A folder for a list, what was told of it, and a way to open it as the next agent does. */
interface Place extends AsyncDisposable {
  readonly path: string;
  readonly told: (string | undefined)[];
  readonly open: (bootId?: string) => Promise<StopList>;
}

async function aPlace(): Promise<Place> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/stopped.json`;
  const told: (string | undefined)[] = [];
  return {
    path,
    told,
    open: (bootId = "this") =>
      openStopList(path, {
        bootId,
        nowBootMs: () => 5_000.4,
        tellChange: (_subject, line) => void told.push(line),
      }, false),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test("openStopList() finds what an agent before it announced, until it is forgotten", async () => {
  await using place = await aPlace();
  const first = await place.open();
  assertEquals(first.processes(), []);
  assertEquals(first.announce([ONE]).kind, "ok");
  first.noteOthers([TWO]);
  const found = await place.open();
  assertEquals(found.processes(), [
    { ...ONE, wanted: "end", sinceBootMs: 5_000 },
    { ...TWO, wanted: "go-on", sinceBootMs: 5_000 },
  ]);
  found.announce([ONE]);
  assertEquals(found.processes().length, 2, "one entry for each");
  found.forget([{ ...ONE, startTicks: 1 }]);
  assertEquals(found.processes().length, 2, "another process with that pid");
  found.forget([ONE]);
  assertEquals((await place.open()).processes().map(({ pid }) => pid), [42]);
  found.forget([TWO]);
  assertEquals([found.processes(), isThere(place.path)], [[], false]);
});

Deno.test("openStopList() takes nothing from another boot, or from a file that cannot be read", async () => {
  await using place = await aPlace();
  (await place.open()).announce([ONE]);
  assertEquals((await place.open("another")).processes(), []);
  await Deno.writeTextFile(place.path, "{");
  assertEquals((await place.open()).processes(), []);
  assertMatch(place.told.at(-1) ?? "", /stopped.json.*; none of them is looked after$/);
});

Deno.test("a list that cannot be written names nothing new, but for what is stopped already", async () => {
  await using place = await aPlace();
  const list = await place.open();
  await Deno.mkdir(place.path);
  await Deno.writeTextFile(`${place.path}/full`, "");
  assertEquals(list.announce([ONE]).kind, "failed");
  assertEquals(list.processes(), []);
  assertMatch(place.told.at(-1) ?? "", /^Cannot write .*stopped.json: /);
  list.noteOthers([TWO]);
  assertEquals(list.processes().map(({ pid }) => pid), [42]);
});
