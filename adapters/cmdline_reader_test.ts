import { assert, assertEquals, assertMatch } from "@std/assert";
import { whyMissing } from "../mod/reading.ts";
import { createCmdlineReader } from "./cmdline_reader.ts";

/** A deadline that no healthy read comes near, on a busy machine neither. */
const GENEROUS_MS = 20_000;
const SHORT_MS = 60;

/** A proc root with these command lines; undefined makes one whose read hangs until it is fed. */
async function procRoot(cmdlines: Readonly<Record<number, string | undefined>>): Promise<TestRoot> {
  const root = await Deno.makeTempDir();
  const pipes: Deno.FsFile[] = [];
  for (const [pid, text] of Object.entries(cmdlines)) {
    const path = `${root}/${pid}/cmdline`;
    await Deno.mkdir(`${root}/${pid}`);
    if (text === undefined) pipes.push(await openPipe(path));
    else await Deno.writeTextFile(path, text);
  }
  function feed(): void {
    for (const pipe of pipes.splice(0)) {
      pipe.writeSync(new TextEncoder().encode("late\0"));
      pipe.close();
    }
  }
  async function dispose(): Promise<void> {
    feed();
    await Deno.remove(root, { recursive: true });
  }
  return { root, feed, [Symbol.asyncDispose]: dispose };
}

interface TestRoot extends AsyncDisposable {
  readonly root: string;
  /** Lets all hanging reads end. */
  readonly feed: () => void;
}

/** A pipe that somebody holds open for writing, so that opening it returns at once and reading it waits. */
async function openPipe(path: string): Promise<Deno.FsFile> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  assert(success, `mkfifo ${path} failed`);
  return await Deno.open(path, { read: true, write: true });
}

function keys(...pids: readonly number[]): { readonly pid: number; readonly startTicks: number }[] {
  return pids.map((pid) => ({ pid, startTicks: 100 }));
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !holds(); turn++) await new Promise((resolve) => setTimeout(resolve, 5));
  assert(holds(), "waited in vain");
}

Deno.test("createCmdlineReader() reads command lines in the order asked for", async () => {
  await using test = await procRoot({ 7: "bash\0/x/a b.sh\0", 8: "", 9: "nginx: worker process\0\0\0" });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: GENEROUS_MS });
  assertEquals(await reader.readAll(keys(9, 7, 8)), [
    { kind: "ok", value: ["nginx: worker process"] },
    { kind: "ok", value: ["bash", "/x/a b.sh"] },
    { kind: "ok", value: [] },
  ]);
});

Deno.test("createCmdlineReader() takes a process that is gone for absent", async () => {
  await using test = await procRoot({ 7: "a\0" });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: GENEROUS_MS });
  const [gone, there] = await reader.readAll(keys(6, 7));
  assertEquals([gone?.kind, there?.kind], ["absent", "ok"]);
});

Deno.test("createCmdlineReader() gives up a read that hangs and reads the others", async () => {
  await using test = await procRoot({ 7: "a\0", 8: undefined, 9: "b\0" });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: 300 });
  const [first, hanging, last] = await reader.readAll(keys(7, 8, 9));
  assertEquals([first?.kind, hanging?.kind, last?.kind], ["ok", "failed", "ok"]);
  assertMatch(whyMissing(hanging!) ?? "", /^Cannot read .*\/8\/cmdline: no answer within 300 ms$/);
  test.feed();
  await until(() => reader.unfinishedCount() === 0);
});

Deno.test("createCmdlineReader() does not start a read a second time while the first one hangs", async () => {
  await using test = await procRoot({ 8: undefined });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: SHORT_MS });
  await reader.readAll(keys(8));
  assertEquals(reader.unfinishedCount(), 1);
  const [again] = await reader.readAll(keys(8));
  assertMatch(whyMissing(again!) ?? "", /an earlier read has not come back$/);
  assertEquals(reader.unfinishedCount(), 1);

  // Once it comes back, the process is read again like any other.
  test.feed();
  await until(() => reader.unfinishedCount() === 0);
  await Deno.remove(`${test.root}/8/cmdline`);
  await Deno.writeTextFile(`${test.root}/8/cmdline`, "a\0");
  assertEquals(await reader.readAll(keys(8)), [{ kind: "ok", value: ["a"] }]);
});

Deno.test("createCmdlineReader() reads a new process that got the pid of a hanging one", async () => {
  await using test = await procRoot({ 8: undefined });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: SHORT_MS });
  await reader.readAll(keys(8));
  await Deno.remove(`${test.root}/8/cmdline`);
  await Deno.writeTextFile(`${test.root}/8/cmdline`, "new\0");
  assertEquals(await reader.readAll([{ pid: 8, startTicks: 200 }]), [{ kind: "ok", value: ["new"] }]);
  test.feed();
  await until(() => reader.unfinishedCount() === 0);
});

Deno.test("createCmdlineReader() leaves threads for other files, however many reads hang", async () => {
  const hanging = Array.from({ length: 20 }, (_, index) => 100 + index);
  await using test = await procRoot({
    ...Object.fromEntries(hanging.map((pid) => [pid, undefined])),
    900: "a\0",
  });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: SHORT_MS });
  const readings = await reader.readAll(keys(...hanging, 900));
  assertEquals(reader.unfinishedCount(), 12);
  assertMatch(whyMissing(readings.at(-1)!) ?? "", /12 earlier reads have not come back$/);
  assertEquals(
    await Deno.readTextFile(`${test.root}/900/cmdline`),
    "a\0",
    "no thread is left for other files",
  );
  test.feed();
  await until(() => reader.unfinishedCount() === 0);
  assertEquals(await reader.readAll(keys(900)), [{ kind: "ok", value: ["a"] }]);
});

Deno.test("createCmdlineReader() stops when the time for all reads together is over", async () => {
  await using test = await procRoot(Object.fromEntries([1, 2, 3].map((pid) => [pid, "a\0"])));
  let nowMs = 0;
  const monotonicMs = (): number => nowMs += 2_600;
  const reader = createCmdlineReader({ root: test.root, deadlineMs: 1_000, monotonicMs });
  const readings = await reader.readAll(keys(1, 2, 3));
  assertEquals(readings.map(({ kind }) => kind), ["ok", "failed", "failed"]);
  assertMatch(whyMissing(readings[2]!) ?? "", /the time for all of them is over$/);
});

Deno.test("createCmdlineReader() lets go of hanging reads on close", async () => {
  // An operation still under way keeps a program from ending, and fails a test.
  await using test = await procRoot({ 8: undefined });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: SHORT_MS });
  await reader.readAll(keys(8));
  reader.close();
  await until(() => reader.unfinishedCount() === 0);
  const [closed] = await reader.readAll(keys(8));
  assertMatch(whyMissing(closed!) ?? "", /the reader is closed$/);
});

Deno.test("createCmdlineReader() keeps the beginning of a huge one, in whole arguments", async () => {
  const huge = "x".repeat(3_000);
  await using test = await procRoot({
    7: `bash\0/x/a.sh\0${`${huge}\0`.repeat(900)}`,
    8: `title ${"y".repeat(9_000)}\0`,
  });
  const reader = createCmdlineReader({ root: test.root, deadlineMs: GENEROUS_MS });
  const [args, title] = await reader.readAll(keys(7, 8));
  assertEquals(args, { kind: "ok", value: ["bash", "/x/a.sh", huge] });
  assertEquals(title?.kind === "ok" && title.value.length === 1 && title.value[0]?.length, 4_096);
});
