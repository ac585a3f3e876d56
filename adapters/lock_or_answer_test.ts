import { assert, assertEquals } from "@std/assert";
import type { Clock } from "./clock.ts";
import type { HungAgentOutcome } from "./hung_agent.ts";
import { acquireLock, type InstanceLock } from "./instance_lock.ts";
import { type LockOrAnswer, takeLockOrAsk } from "./lock_or_answer.ts";

/** A host whose lock somebody holds. */
interface World {
  readonly lockFor: (what: string) => Promise<InstanceLock>;
  /** Does something at a time, while somebody waits. */
  readonly at: (ms: number, what: () => void | Promise<void>) => void;
  /** What becomes of a request; undefined is that nobody takes it. */
  answer: () => string | undefined;
  /** What ending the holder does; false is that it cannot be ended. */
  end: () => boolean | Promise<boolean>;
  /** Lets go of a lock that it got. */
  readonly take: () => Promise<LockOrAnswer<string>>;
  /** What was done, and when. */
  readonly done: string[];
}

const ASKED_FOR_MS = 15_000;

async function inWorld(test: (world: World) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/lock`;
  let nowMs = 0;
  const events: { readonly ms: number; readonly what: () => void | Promise<void> }[] = [];
  async function goOn(ms: number): Promise<void> {
    nowMs += ms;
    while (events[0] !== undefined && events[0].ms <= nowMs) await events.shift()?.what();
  }
  const clock: Clock = { monotonicMs: () => nowMs, wallMs: () => nowMs, sleep: goOn };
  const world: World = {
    async lockFor(what: string): Promise<InstanceLock> {
      const result = await acquireLock(path, what, clock);
      assert(result.kind === "taken");
      return result.lock;
    },
    at: (ms, what) => void events.push({ ms, what }),
    answer: () => undefined,
    end: () => true,
    async take(): Promise<LockOrAnswer<string>> {
      const result = await takeLockOrAsk<string>(path, "release", {
        clock,
        async ask(): Promise<string | undefined> {
          world.done.push("asked");
          const answer = world.answer();
          if (answer === undefined) await goOn(ASKED_FOR_MS);
          return answer;
        },
        askedForMs: ASKED_FOR_MS,
        async end(pid: number | undefined): Promise<HungAgentOutcome> {
          assertEquals(pid, Deno.pid);
          world.done.push(`ended at ${Math.round(nowMs / 1000)} s`);
          return await world.end()
            ? { kind: "ended", pid: 4120 }
            : { kind: "refused", why: "it waits for a disk" };
        },
        tell: (line) => void world.done.push(line.replaceAll(`${Deno.pid}`, "4120")),
      });
      if (result.kind === "taken") result.lock.close();
      return result;
    },
    done: [],
  };
  try {
    await test(world);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("takeLockOrAsk() takes a lock that nobody holds, and asks nobody", async () => {
  await inWorld(async ({ take, done }) => {
    assertEquals((await take()).kind, "taken");
    assertEquals(done, []);
  });
});

Deno.test("takeLockOrAsk() gives the answer of whoever takes the request", async () => {
  await inWorld(async (world) => {
    using _lock = await world.lockFor("run");
    world.answer = () => "done";
    assertEquals(await world.take(), { kind: "answered", answer: "done" });
    assertEquals(world.done, ["asked"]);
  });
});

Deno.test("takeLockOrAsk() ends an agent that runs and takes no request", async () => {
  await inWorld(async (world) => {
    const lock = await world.lockFor("run");
    world.end = () => {
      lock.close();
      return true;
    };
    assertEquals((await world.take()).kind, "taken");
    assertEquals(world.done, [
      "asked",
      "ended at 16 s",
      "the agent did not answer within 15 s; ended pid 4120",
    ]);
  });
});

for (
  const { name, what, ending, endsMs, done } of [
    {
      name: "an agent that gives back to its end",
      what: "run",
      ending: true,
      endsMs: 170_000,
      done: ["waiting for pid 4120, `loadweir run, ending`, 180 s at most"],
    },
    {
      name: "another release",
      what: "release",
      ending: false,
      endsMs: 120_000,
      done: ["waiting for pid 4120, `loadweir release`, 180 s at most"],
    },
    {
      name: "a single pass that takes no request",
      what: "enforce",
      ending: false,
      endsMs: 170_000,
      done: ["asked", "waiting for pid 4120, `loadweir enforce`, 180 s at most"],
    },
  ]
) {
  Deno.test(`takeLockOrAsk() lets ${name} end by itself`, async () => {
    await inWorld(async (world) => {
      const lock = await world.lockFor(what);
      if (ending) lock.noteEnding();
      world.at(endsMs, lock.close);
      assertEquals((await world.take()).kind, "taken");
      assertEquals(world.done, done);
    });
  });
}

Deno.test("takeLockOrAsk() lets an agent end that begins to while it is asked", async () => {
  await inWorld(async (world) => {
    const lock = await world.lockFor("run");
    world.at(10_000, lock.noteEnding);
    world.at(100_000, lock.close);
    assertEquals((await world.take()).kind, "taken");
    assertEquals(world.done, ["asked", "waiting for pid 4120, `loadweir run, ending`, 180 s at most"]);
  });
});

Deno.test("takeLockOrAsk() ends what has not ended when its time is over", async () => {
  await inWorld(async (world) => {
    const lock = await world.lockFor("run");
    lock.noteEnding();
    world.end = () => {
      lock.close();
      return true;
    };
    assertEquals((await world.take()).kind, "taken");
    assertEquals(world.done.slice(1), [
      "ended at 180 s",
      "the agent did not end within 180 s; ended pid 4120",
    ]);
  });
});

Deno.test("takeLockOrAsk() asks the agent that comes after one that was ended", async () => {
  await inWorld(async (world) => {
    const lock = await world.lockFor("run");
    const revived: InstanceLock[] = [];
    world.end = async () => {
      lock.close();
      revived.push(await world.lockFor("run"));
      world.answer = () => "done";
      return true;
    };
    assertEquals(await world.take(), { kind: "answered", answer: "done" });
    assertEquals(world.done.filter((line) => line === "asked").length, 2);
    for (const { close } of revived) close();
  });
});

Deno.test("takeLockOrAsk() gives up on what cannot be ended, and tries once", async () => {
  await inWorld(async (world) => {
    using _lock = await world.lockFor("run");
    world.end = () => false;
    assertEquals((await world.take()).kind, "refused");
    assertEquals(world.done, [
      "asked",
      "ended at 16 s",
      "the agent did not answer within 15 s, and could not be ended: it waits for a disk",
    ]);
  });
});
