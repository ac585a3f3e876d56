import { assert, assertEquals, assertMatch } from "@std/assert";
import { maybeValue, whyMissing } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { acquireNginxLock, isNginxReloadDue, type NginxLock } from "./nginx_lock.ts";

/** A clock that only goes on while somebody waits. */
function waitingClock(onSleep: () => void = () => {}): Clock {
  let now = 0;
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep(ms: number): Promise<void> {
      now += ms;
      onSleep();
      return Promise.resolve();
    },
  };
}

async function withPath(test: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(`${folder}/state/nginx.lock`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function acquire(path: string, clock = waitingClock()): Promise<NginxLock> {
  const lock = maybeValue(await acquireNginxLock(path, clock, 1_000));
  assert(lock !== undefined);
  return lock;
}

Deno.test("acquireNginxLock() has one holder, and says so to the next after its deadline", async () => {
  await withPath(async (path) => {
    const first = await acquire(path);
    const clock = waitingClock();
    const second = await acquireNginxLock(path, clock, 1_000);
    assertEquals(whyMissing(second), `Cannot lock ${path}: another process has held it for 1000 ms`);
    assertEquals(clock.monotonicMs(), 1_000);
    first.release();
    (await acquire(path)).release();
  });
});

Deno.test("acquireNginxLock() gets the lock as soon as it is free", async () => {
  await withPath(async (path) => {
    const first = await acquire(path);
    let sleeps = 0;
    const clock = waitingClock(() => {
      if (++sleeps === 3) first.release();
    });
    (await acquire(path, clock)).release();
    assertEquals(sleeps, 3);
  });
});

Deno.test("acquireNginxLock() says when there can be no lock", async () => {
  await withPath(async (path) => {
    const lock = await acquireNginxLock(`/dev/null${path}`, waitingClock(), 1_000);
    assertMatch(whyMissing(lock) ?? "", /^Cannot open \/dev\/null.*: Not a directory/);
  });
});

Deno.test("a reload that is due stays so over the end of its holder, until it is settled", async () => {
  await withPath(async (path) => {
    assertEquals(isNginxReloadDue(path), false);
    const first = await acquire(path);
    assertEquals(isNginxReloadDue(path), false);
    assertEquals(first.setReloadDue(true).kind, "ok");
    first.release();
    assertEquals(isNginxReloadDue(path), true);
    const second = await acquire(path);
    assertEquals(second.isReloadDue(), true);
    second.setReloadDue(false);
    assertEquals([second.isReloadDue(), isNginxReloadDue(path)], [false, false]);
    second.release();
    const size = Deno.statSync(path).size;
    const third = await acquire(path);
    third.setReloadDue(true);
    third.release();
    assertEquals(Deno.statSync(path).size, size, "nothing is added, so that a full disk does not matter");
  });
});

Deno.test("what cannot be read is looked at with the lock", async () => {
  await withPath((path) => {
    assertEquals(isNginxReloadDue(`/dev/null${path}`), true);
    return Promise.resolve();
  });
});
