import { assertEquals } from "@std/assert";
import { absent, failed, ok } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { type FpmConnection, type FpmPoolLook, judgeFpmDead, judgeFpmExhausted } from "./fpm.ts";

/** A pool of five, all busy and two waiting, seen at a socket of its own for the page. */
const FULL: FpmPoolLook = {
  name: "www",
  maxChildrenCount: 5,
  workerCount: ok(5),
  waitingCount: ok(2),
  backlogCount: 511,
  page: { kind: "shown", activeCount: 5, limitReachedCount: undefined, isOwnSocket: false },
};

const CASES: readonly {
  readonly what: string;
  readonly look: Partial<FpmPoolLook>;
  readonly says: string;
}[] = [
  { what: "all workers busy and requests that wait", look: {}, says: "drain" },
  { what: "all workers busy and nobody waiting", look: { waitingCount: ok(0) }, says: "warn" },
  {
    what: "one worker free and requests that wait for a moment",
    look: { page: { kind: "shown", activeCount: 4, limitReachedCount: undefined, isOwnSocket: false } },
    says: "ok",
  },
  {
    what: "the asker as the fifth busy worker",
    look: { page: { kind: "shown", activeCount: 5, limitReachedCount: undefined, isOwnSocket: true } },
    says: "ok",
  },
  {
    what: "a long queue before workers that are free",
    look: {
      waitingCount: ok(128),
      page: { kind: "shown", activeCount: 1, limitReachedCount: undefined, isOwnSocket: false },
    },
    says: "warn",
  },
  {
    what: "a quarter of the queue",
    look: {
      waitingCount: ok(127),
      page: { kind: "shown", activeCount: 1, limitReachedCount: undefined, isOwnSocket: false },
    },
    says: "ok",
  },
  {
    what: "any queue where its limit is not known",
    look: {
      waitingCount: ok(9_999),
      backlogCount: undefined,
      page: { kind: "shown", activeCount: 1, limitReachedCount: undefined, isOwnSocket: false },
    },
    says: "ok",
  },
  {
    what: "a page that hangs while all workers are there and requests wait",
    look: { page: { kind: "timed-out" } },
    says: "drain",
  },
  {
    what: "a page that hangs with nobody waiting",
    look: { page: { kind: "timed-out" }, waitingCount: ok(0) },
    says: "unknown",
  },
  {
    what: "a page that hangs while workers may still be started",
    look: { page: { kind: "timed-out" }, workerCount: ok(4) },
    says: "unknown",
  },
  {
    what: "a page that hangs while workers cannot be counted",
    look: { page: { kind: "timed-out" }, workerCount: failed("ps did not end") },
    says: "unknown",
  },
  {
    what: "a pool that was not asked, as it has fewer workers than it may have",
    look: { page: { kind: "spared" }, workerCount: ok(4) },
    says: "ok",
  },
  {
    what: "a pool that was not asked with workers that cannot be counted",
    look: { page: { kind: "spared" }, workerCount: failed("x") },
    says: "unknown",
  },
  { what: "no page", look: { page: { kind: "none", why: "pm.status_path is not set" } }, says: "unknown" },
  {
    what: "a page without the figure",
    look: {
      page: { kind: "shown", activeCount: undefined, limitReachedCount: undefined, isOwnSocket: false },
    },
    says: "unknown",
  },
  { what: "a queue that could not be read", look: { waitingCount: failed("cut") }, says: "unknown" },
];

for (const { what, look, says } of CASES) {
  Deno.test(`judgeFpmExhausted() says ${says} of ${what}`, () => {
    assertEquals(saysOf(judgeFpmExhausted(ok([{ ...FULL, ...look }]))), says);
  });
}

Deno.test("judgeFpmExhausted() names the pool that is full among others", () => {
  const free: FpmPoolLook = {
    ...FULL,
    name: "idle",
    page: { kind: "shown", activeCount: 0, limitReachedCount: undefined, isOwnSocket: false },
  };
  const result = judgeFpmExhausted(ok([free, FULL, free]));
  assertEquals(result.evidence, "pool www: 5 of 5 workers busy, 2 wait");
});

Deno.test("judgeFpmExhausted() and judgeFpmDead() know nothing without pools", () => {
  const none = [
    judgeFpmExhausted(ok([])),
    judgeFpmExhausted(absent("x")),
    judgeFpmDead(ok([]), 0),
    judgeFpmDead(failed("x"), 0),
  ];
  assertEquals(none.map(saysOf), none.map(() => "unknown"));
});

const SOCKETS: readonly (readonly [FpmConnection, string])[] = [
  ["taken", "ok"],
  ["full", "ok"],
  ["refused", "drain"],
  ["missing", "drain"],
];

for (const [connection, says] of SOCKETS) {
  Deno.test(`judgeFpmDead() says ${says} of a connection that is ${connection}`, () => {
    const well = { name: "idle", connection: ok("taken" as const) };
    assertEquals(saysOf(judgeFpmDead(ok([well, { name: "www", connection: ok(connection) }]), 0)), says);
  });
}

Deno.test("judgeFpmDead() does not blame php-fpm for a socket that we may not use", () => {
  assertEquals(
    saysOf(judgeFpmDead(ok([{ name: "www", connection: failed("permission denied") }]), 0)),
    "unknown",
  );
});

Deno.test("judgeFpmDead() warns of workers without a master, and of nothing worse while they serve", () => {
  const look = (connection: FpmConnection): string =>
    saysOf(judgeFpmDead(ok([{ name: "www", connection: ok(connection) }]), 3));
  assertEquals([look("taken"), look("refused")], ["warn", "drain"]);
});
