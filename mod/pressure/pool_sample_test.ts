import { assertEquals } from "@std/assert";
import type { FpmPage, FpmPoolLook } from "../probe/checks/fpm.ts";
import { failed, ok } from "../reading.ts";
import { poolSampleOf } from "./pool_sample.ts";

/** A pool of eight that has all its workers. */
function aLook(page: FpmPage, rest: Partial<FpmPoolLook> = {}): FpmPoolLook {
  return {
    name: "www",
    maxChildrenCount: 8,
    workerCount: ok(8),
    waitingCount: ok(3),
    backlogCount: 511,
    page,
    ...rest,
  };
}

const LATE: FpmPage = { kind: "timed-out" };

const ROWS: Readonly<Record<string, readonly [FpmPoolLook, number | undefined]>> = {
  "a page over the pool's own socket, of which we had one": [
    aLook({ kind: "shown", activeCount: 6, limitReachedCount: undefined, isOwnSocket: true }),
    5,
  ],
  "a page over a socket apart": [
    aLook({ kind: "shown", activeCount: 6, limitReachedCount: undefined, isOwnSocket: false }),
    6,
  ],
  "an idle pool": [
    aLook({ kind: "shown", activeCount: 1, limitReachedCount: undefined, isOwnSocket: true }),
    0,
  ],
  "a page that does not say": [
    aLook({ kind: "shown", activeCount: undefined, limitReachedCount: undefined, isOwnSocket: true }),
    undefined,
  ],
  "a page that does not come from a full pool": [aLook(LATE), 8],
  "a page that does not come, also while nobody else waits": [aLook(LATE, { waitingCount: ok(0) }), 8],
  "a page that does not come while workers are missing": [aLook(LATE, { workerCount: ok(7) }), undefined],
  "a page that does not come, with workers that cannot be counted": [
    aLook(LATE, { workerCount: failed("not every process is known") }),
    undefined,
  ],
  "a page that was not asked for": [aLook({ kind: "spared" }, { workerCount: ok(2) }), undefined],
  "no page": [aLook({ kind: "none", why: "has no pm.status_path" }), undefined],
};

for (const [name, [look, busyCount]] of Object.entries(ROWS)) {
  Deno.test(`poolSampleOf() counts the busy workers by ${name}`, () => {
    assertEquals(poolSampleOf(look).busyCount, busyCount);
  });
}

Deno.test("poolSampleOf() gives nothing for what cannot be counted", () => {
  assertEquals(poolSampleOf(aLook(LATE, { waitingCount: failed("no proc root") })), {
    name: "www",
    maxCount: 8,
    busyCount: 8,
    waitingCount: undefined,
    limitReachedCount: undefined,
  });
});

Deno.test("poolSampleOf() tells how often the limit was reached, where a page says so", () => {
  const page: FpmPage = { kind: "shown", activeCount: 1, limitReachedCount: 7, isOwnSocket: false };
  assertEquals(poolSampleOf(aLook(page)).limitReachedCount, 7);
});
