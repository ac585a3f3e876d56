import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Clock, systemClock } from "./clock.ts";
import { acquireLock, takesRequests, waitForLock } from "./instance_lock.ts";

async function withFolder(test: (path: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/lock`, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A clock that stands still but for its own sleeps. */
function fakeClock(onSleep: (ms: number) => void = () => {}): Clock {
  let nowMs = 1_000;
  return {
    monotonicMs: () => nowMs,
    wallMs: () => 1_796_155_865_000 + nowMs,
    sleep(ms: number): Promise<void> {
      nowMs += ms;
      onSleep(ms);
      return Promise.resolve();
    },
  };
}

/** Takes the lock, starts a program, prints its pid, and stays. */
const HOLDER = `
const { acquireLock } = await import(Deno.args[0]);
const { systemClock } = await import(Deno.args[1]);
const { lock } = await acquireLock(Deno.args[2], "run", systemClock);
globalThis.kept = lock;
console.log(lock && new Deno.Command("/bin/sleep", { args: ["300"] }).spawn().pid);
setInterval(() => {}, 1000);
`;

interface Holder {
  readonly child: Deno.ChildProcess;
  /** The pid of the program that it started. */
  readonly program: number;
}

async function startHolder(path: string): Promise<Holder> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", HOLDER, import.meta.resolve("./instance_lock.ts")]
      .concat(import.meta.resolve("./clock.ts"), path),
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const program = Number(new TextDecoder().decode((await reader.read()).value));
  await reader.cancel();
  assert(program > 1, "the holder did not get the lock");
  return { child, program };
}

Deno.test("noteEnding() tells others that the holder takes no requests any more", async () => {
  await withFolder(async (path) => {
    const clock = fakeClock();
    const first = await acquireLock(path, "enforce", clock);
    assert(first.kind === "taken");
    for (const what of ["enforce", "enforce, ending"]) {
      const second = await acquireLock(path, "run", clock);
      assert(second.kind === "held");
      assertEquals([second.heldBy?.what, second.heldBy?.pid], [what, Deno.pid]);
      assertEquals(takesRequests(second.heldBy), what === "enforce");
      first.lock.noteEnding();
    }
    first.lock.close();
    first.lock.noteEnding();
  });
});

Deno.test("acquireLock() tells the second who holds it, and the next gets it once it is closed", async () => {
  await withFolder(async (path) => {
    const clock = fakeClock();
    const first = await acquireLock(path, "run", clock);
    assert(first.kind === "taken");
    const heldBy = { pid: Deno.pid, startedWallMs: clock.wallMs(), what: "run" };
    assertEquals(await acquireLock(path, "enforce", clock), { kind: "held", heldBy });
    assertEquals(await acquireLock(path, "enforce", clock), { kind: "held", heldBy });
    first.lock.close();
    first.lock.close();
    const next = await acquireLock(path, "x", clock);
    assert(next.kind === "taken");
    const rival = await acquireLock(path, "y", clock);
    assert(rival.kind === "held");
    assertEquals(rival.heldBy?.what, "x");
    next.lock[Symbol.dispose]();
  });
});

Deno.test("acquireLock() takes over from a holder in another process that was killed", async () => {
  await withFolder(async (path) => {
    const { child, program } = await startHolder(path);
    const held = await acquireLock(path, "enforce", systemClock);
    assert(held.kind === "held");
    assertEquals([held.heldBy?.pid, held.heldBy?.what], [child.pid, "run"]);
    Deno.kill(program, "SIGKILL");
    child.kill("SIGKILL");
    await child.status;
    const taken = await acquireLock(path, "enforce", systemClock);
    assert(taken.kind === "taken");
    taken.lock.close();
  });
});

Deno.test("acquireLock() does not hand the lock on to programs that its holder started", async () => {
  await withFolder(async (path) => {
    const { child, program } = await startHolder(path);
    child.kill("SIGKILL");
    await child.status;
    const next = await acquireLock(path, "run", systemClock);
    Deno.kill(program, "SIGKILL");
    assert(next.kind === "taken");
    next.lock.close();
  });
});

Deno.test("acquireLock() knows that it is held where nobody could write down by whom", async () => {
  await withFolder(async (path) => {
    const first = await acquireLock(path, "run", systemClock);
    assert(first.kind === "taken");
    for (const text of ["", "{", '{"pid":"x"}']) {
      await Deno.writeTextFile(path, text);
      assertEquals(await acquireLock(path, "x", systemClock), { kind: "held", heldBy: undefined });
    }
    first.lock.close();
  });
});

Deno.test("acquireLock() makes a file that only root can lock", async () => {
  await withFolder(async (path) => {
    const first = await acquireLock(path, "run", systemClock);
    assert(first.kind === "taken");
    assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    first.lock.close();
  });
});

Deno.test("acquireLock() says why there can be no lock here", async () => {
  await withFolder(async (path) => {
    const result = await acquireLock(`${path}/none`, "run", systemClock);
    assert(result.kind === "failed");
    assertMatch(result.error, /^Cannot lock .*\/lock\/none: its folder is not there, make it$/);
  });
});

Deno.test("waitForLock() gets it when the holder lets go", async () => {
  await withFolder(async (path) => {
    const first = await acquireLock(path, "run", systemClock);
    assert(first.kind === "taken");
    let sleeps = 0;
    const clock = fakeClock(() => {
      sleeps += 1;
      if (sleeps === 3) first.lock.close();
    });
    const result = await waitForLock(path, "resume", { clock, deadlineMs: 60_000 });
    assert(result.kind === "taken");
    assertEquals(sleeps, 3);
    result.lock.close();
  });
});

Deno.test("waitForLock() gives up at its deadline, or when it is told to", async () => {
  await withFolder(async (path) => {
    const first = await acquireLock(path, "run", systemClock);
    assert(first.kind === "taken");
    const clock = fakeClock();
    const startMs = clock.monotonicMs();
    const late = await waitForLock(path, "resume", { clock, deadlineMs: 1_050 });
    assert(late.kind === "held");
    assertEquals([late.heldBy?.what, clock.monotonicMs() - startMs], ["run", 1_050]);
    const signal = AbortSignal.abort();
    const aborted = await waitForLock(path, "resume", { clock, deadlineMs: 60_000, signal });
    assertEquals([aborted.kind, clock.monotonicMs() - startMs], ["held", 1_050]);
    first.lock.close();
  });
});
