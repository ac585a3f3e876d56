import { assert, assertEquals } from "@std/assert";
import { type Clock, systemClock } from "../clock.ts";
import { answerOnce } from "./answer.ts";
import { keepListening, type KeptListener } from "./kept_listener.ts";
import { askRaw } from "./raw_peer.ts";

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

/**
 * Takes 500 connections, of which a third read, a third go away, and a third end their half and then go away, and waits until no more
 * files are open than before.
 */
const COUNT_FILES = `
const [{ keepListening }, { answerOnce }, { systemClock }, { connectTo, readAll }] =
  await Promise.all(Deno.args.map((module) => import(module)));
const count = () => [...Deno.readDirSync("/proc/self/fd")].length;
const listener = keepListening(
  { name: "test", address: "127.0.0.1", port: 0, answer: (connection) => answerOnce(connection, () => "here\\n") },
  { clock: systemClock, tellChange() {} },
);
const before = count();
for (let round = 0; round < 5; round++) {
  const peers = await Promise.all(Array.from({ length: 100 }, () => connectTo(listener.maybeAddress())));
  for (const [index, peer] of peers.entries()) {
    if (index % 3 === 0 && await readAll(peer) !== "here\\n") throw new Error("not answered");
    if (index % 3 === 1) await peer.closeWrite();
    peer.close();
  }
}
for (let turn = 0; count() > before && turn < 3000; turn++) await systemClock.sleep(10);
console.log(count() <= before ? "none" : count() - before);
await listener.close();
`;

Deno.test("keepListening() leaves no file open", async () => {
  // In a process of its own: tests side by side are one process, with the files of all.
  const modules = ["./kept_listener.ts", "./answer.ts", "../clock.ts", "./raw_peer.ts"];
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", COUNT_FILES, ...modules.map((module) => import.meta.resolve(module))],
  }).output();
  assertEquals(new TextDecoder().decode(stdout), "none\n", new TextDecoder().decode(stderr));
});
