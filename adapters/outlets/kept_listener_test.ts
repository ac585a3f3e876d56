import { assert, assertEquals } from "@std/assert";
import { type Clock, systemClock } from "../clock.ts";
import { answerOnce } from "./answer.ts";
import { keepListening, type KeptListener } from "./kept_listener.ts";
import { askRaw, connectTo, readAll } from "./raw_peer.ts";

const NEVER = new AbortController().signal;

interface Kept {
  readonly listener: KeptListener;
  readonly told: readonly (string | undefined)[];
  /** How long each wait was to be. */
  readonly waitsMs: readonly number[];
  /** Ends the wait of now. */
  readonly wake: () => Promise<void>;
}

/** A listener whose waits end when the test says so. */
function keep(address: string, port: number): Kept {
  const told: (string | undefined)[] = [];
  const waitsMs: number[] = [];
  let wakeUp = (): void => {};
  const clock: Clock = {
    ...systemClock,
    sleep(ms, signal): Promise<void> {
      waitsMs.push(ms);
      const { promise, resolve } = Promise.withResolvers<void>();
      wakeUp = resolve;
      (signal ?? NEVER).addEventListener("abort", () => resolve(), { once: true });
      return promise;
    },
  };
  const listener = keepListening({
    name: "test",
    address,
    port,
    answer: (connection) => answerOnce(connection, () => "here\n"),
  }, { clock, tellChange: (_, line) => void told.push(line) });
  return {
    listener,
    told,
    waitsMs,
    wake(): Promise<void> {
      wakeUp();
      return new Promise((resolve) => setTimeout(resolve, 0));
    },
  };
}

Deno.test("keepListening() tells of a port in use, tries with growing pauses, and listens when it is free", async () => {
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = other.addr;
  const { listener, told, waitsMs, wake } = keep("127.0.0.1", port);
  for (let count = 0; count < 7; count++) await wake();
  assertEquals(waitsMs, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  assertEquals(
    new Set(told),
    new Set([
      `test on 127.0.0.1:${port}: another program listens there, look at ss -ltnp; trying again`,
    ]),
  );
  assertEquals(listener.maybeAddress(), undefined);
  other.close();
  await wake();
  const address = listener.maybeAddress();
  assert(address !== undefined);
  assertEquals([await askRaw(address, ""), told.includes(undefined)], ["here\n", true]);
  await listener.close();
});

Deno.test("keepListening() tries again for an address that the host does not have yet", async () => {
  const { listener, told, waitsMs } = keep("192.0.2.1", 9_807);
  assertEquals(told, ["test on 192.0.2.1:9807: this host does not have the address now; trying again"]);
  assertEquals(waitsMs, [1_000]);
  await listener.close();
});

Deno.test("keepListening() asks nobody about a name, and says what an address is", async () => {
  const { listener, told, waitsMs } = keep("localhost", 9_807);
  assertEquals(waitsMs, []);
  assertEquals(told, [
    'test on localhost:9807: "localhost" is no IP address, expected one such as 127.0.0.1, 0.0.0.0 (all of IPv4) or ::',
  ]);
  await listener.close();
});

Deno.test({
  name: "keepListening() tells a refusal of the sandbox as one, and does not try again",
  permissions: { net: ["0.0.0.0/0:9807"] },
  async fn(): Promise<void> {
    const { listener, told, waitsMs } = keep("127.0.0.1", 9_808);
    assertEquals(waitsMs, []);
    assertEquals(told, ["test on 127.0.0.1:9808: this program has no permission to listen there"]);
    await listener.close();
  },
});

Deno.test("keepListening() listens at once again after it was closed, and closing twice is closing", async () => {
  const first = keep("127.0.0.1", 0);
  const address = first.listener.maybeAddress();
  assert(address !== undefined);
  await first.listener.close();
  await first.listener.close();
  const second = keep("127.0.0.1", address.port);
  assertEquals(second.listener.maybeAddress()?.port, address.port);
  await second.listener.close();
});

Deno.test("keepListening() leaves no file open", async () => {
  const { listener } = keep("127.0.0.1", 0);
  const address = listener.maybeAddress();
  assert(address !== undefined);
  const before = countFiles();
  for (let round = 0; round < 5; round++) {
    const peers = await Promise.all(Array.from({ length: 100 }, () => connectTo(address)));
    // A third reads, a third goes away, a third ends its half and then goes away.
    for (const [index, peer] of peers.entries()) {
      if (index % 3 === 0) assertEquals(await readAll(peer), "here\n");
      if (index % 3 === 1) await peer.closeWrite();
      peer.close();
    }
  }
  const deadlineMs = performance.now() + 60_000;
  while (countFiles() > before && performance.now() < deadlineMs) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // Fewer is no leak: a socket that an earlier test closed may have gone meanwhile.
  assert(countFiles() <= before, `${countFiles()} files open, ${before} before`);
  await listener.close();
});

/** Files that this process has open. */
function countFiles(): number {
  return [...Deno.readDirSync("/proc/self/fd")].length;
}
