/** What becomes of the small files of the agent on a disk that is full: each goes on without, and says so. */

import { assertEquals } from "@std/assert";
import { HOLDING_STATE } from "../mod/testing/state.ts";
import { testNeeding } from "../test/needs.ts";
import { inWorldOk } from "../test/world.ts";

/** Uses every writer on a full file system, then on one with room again. */
const SCRIPT = `
const [adapters, folder, state] = Deno.args;
const { acquireLock } = await import(adapters + "instance_lock.ts");
const { applyGuard, applyMarkers } = await import(adapters + "markers.ts");
const { answerRequest, askAgent, takeRequests } = await import(adapters + "requests.ts");
const { readState, writeState } = await import(adapters + "state_file.ts");
const { systemClock } = await import(adapters + "clock.ts");
const moment = { bootMs: 7, bootId: "x", wallMs: Date.now() };
const request = { verb: "hold", reason: "", byUid: 0, atBootMs: 5, atWallMs: 5 };
const seen = [];
for (const turn of ["full", "room"]) {
  const { kind, lock } = await acquireLock(folder + "/lock", "run", systemClock);
  const rival = await acquireLock(folder + "/lock", "run", systemClock);
  const written = writeState(folder + "/status.json", JSON.parse(state));
  const markers = [applyMarkers(["max_load"], folder), applyGuard(true, folder), applyMarkers([], folder)];
  const answer = await askAgent(folder + "/requests", request, { clock: systemClock, deadlineMs: 0 });
  seen.push({
    lock: [kind, rival.kind, rival.heldBy?.what],
    state: [written.kind, readState(folder + "/status.json", moment).kind],
    markers: markers.map((outcome) => outcome.problems?.length ?? outcome.kind),
    request: [answer.kind, takeRequests(folder + "/requests", moment).problems.length],
    answer: answerRequest(folder + "/requests", "a1", { result: "done", text: "", atWallMs: 1 }).kind,
    errors: [written.error, answer.error].filter((error) => error !== undefined),
  });
  lock.close();
  Deno.removeSync(folder + "/filler", { recursive: true });
  Deno.mkdirSync(folder + "/filler");
}
console.log(JSON.stringify(seen));
`;

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip"] as const;

testNeeding(
  WORLD,
  "the lock, the state, the markers and requests do without a disk that is full",
  async () => {
    const adapters = import.meta.resolve("./");
    const output = await inWorldOk(
      `mkdir /mnt/tiny
    mount -t tmpfs -o size=16k,mode=755 tmpfs /mnt/tiny
    mkdir /mnt/tiny/requests
    dd if=/dev/zero of=/mnt/tiny/filler bs=4096 2> /dev/null || :
    cat > /tmp/script.ts <<'END'
${SCRIPT}
END
    export DENO_DIR=/tmp/deno
    state='${JSON.stringify(HOLDING_STATE)}'
    ${Deno.execPath()} run --quiet --no-lock --allow-all /tmp/script.ts ${adapters} /mnt/tiny "$state"`,
      { bind: false },
    );
    const [full, room] = JSON.parse(output);
    assertEquals(full.lock, ["taken", "held", undefined].map((word) => word ?? null));
    assertEquals(full.state, ["failed", "absent"]);
    assertEquals(full.markers, [0, "ok", 0]);
    assertEquals([full.request, full.answer], [["failed", 0], "failed"]);
    assertEquals(
      full.errors.map((error: string) => error.replace(/^.*: /, "")),
      Array(2).fill("no space left on its file system, make room there"),
    );
    assertEquals(room.lock, ["taken", "held", "run"]);
    assertEquals([room.state, room.markers], [["ok", "ok"], [0, "ok", 0]]);
    assertEquals([room.request, room.answer, room.errors], [["withdrawn", 0], "ok", []]);
  },
);
