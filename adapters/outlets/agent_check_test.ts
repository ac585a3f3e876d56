import { assert, assertEquals } from "@std/assert";
import { DEFAULT_WEIGHTS } from "../../mod/probe/outlets/agent_line.ts";
import type { Published } from "../../mod/probe/outlets/published.ts";
import { aVerdict } from "../../mod/testing/probe.ts";
import { type Clock, systemClock } from "../clock.ts";
import { openAgentCheck } from "./agent_check.ts";
import { askRaw, connectTo, readAll } from "./raw_peer.ts";

const SERVING: Published = { verdict: aVerdict(), ageMs: 900, tickMs: 5_000, crawlerBlock: false };
const OUT: Published = { ...SERVING, verdict: aVerdict({ phase: "drained", reason: "web-paused" }) };

/** Answers while a test runs, at a port that is free, what the test says; tells how long the end waited. */
async function whileAnswering(
  test: (address: Deno.NetAddr, say: (published: Published) => void) => Promise<void>,
): Promise<readonly number[]> {
  let published = SERVING;
  const waitedMs: number[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep(ms, signal): Promise<void> {
      if (signal !== undefined) return systemClock.sleep(ms, signal);
      waitedMs.push(ms);
      return Promise.resolve();
    },
  };
  const outlet = openAgentCheck({
    address: "127.0.0.1",
    port: 0,
    weights: () => DEFAULT_WEIGHTS,
    published: () => published,
  }, { clock, tellChange: () => {} });
  try {
    const [address] = outlet.addresses();
    assert(address !== undefined);
    await test(address, (next) => {
      published = next;
    });
  } finally {
    await outlet.close();
  }
  return waitedMs;
}

Deno.test("openAgentCheck() says the line to peers that say nothing, something or a lot", async () => {
  await whileAnswering(async (address, say) => {
    assertEquals(await askRaw(address, ""), "ready up 100%\n");
    assertEquals(await askRaw(address, "web-1\n"), "ready up 100%\n");
    assertEquals(await askRaw(address, "x".repeat(50_000)), "ready up 100%\n");
    assertEquals(await askRaw(address, "", { ends: true }), "ready up 100%\n");
    say(OUT);
    assertEquals(await askRaw(address, ""), "drain #web-paused\n");
    say({ ...SERVING, crawlerBlock: true });
    assertEquals(await askRaw(address, ""), "ready up 50%\n");
  });
});

Deno.test("openAgentCheck() goes on while peers go away at once, never read or never end", async () => {
  await whileAnswering(async (address) => {
    for (let count = 0; count < 50; count++) (await connectTo(address)).close();
    const silent = await Promise.all(Array.from({ length: 100 }, () => connectTo(address)));
    // A peer that closes with something unread resets the connection.
    for (const peer of silent.slice(0, 20)) peer.close();
    assertEquals(await askRaw(address, ""), "ready up 100%\n");
    for (const peer of silent.slice(20)) peer.close();
  });
});

Deno.test("openAgentCheck() answers 500 peers at a time", async () => {
  await whileAnswering(async (address) => {
    const lines = await Promise.all(Array.from({ length: 500 }, () => askRaw(address, "web-1\n")));
    assertEquals(new Set(lines), new Set(["ready up 100%\n"]));
  });
});

Deno.test("openAgentCheck() takes back at its end what it said, and waits for nobody else", async () => {
  assertEquals(await whileAnswering(async (address) => void await askRaw(address, "")), []);
  // What an agent before has said nobody knows, until a line has taken it back.
  assertEquals(await whileAnswering(() => Promise.resolve()), [5_000]);
  const drained = await whileAnswering(async (address, say) => {
    say(OUT);
    await askRaw(address, "");
    // A verdict that is too old says the weight, which takes no drain back.
    say({ ...OUT, ageMs: 60_000 });
    assertEquals(await askRaw(address, ""), "100%\n");
  });
  assertEquals(drained, [5_000]);
  const back = await whileAnswering(async (address, say) => {
    say(OUT);
    await askRaw(address, "");
    say(SERVING);
    await askRaw(address, "");
  });
  assertEquals(back, []);
});

Deno.test("openAgentCheck() says ready while it ends", async () => {
  const farewell = Promise.withResolvers<void>();
  const clock: Clock = {
    ...systemClock,
    sleep: (ms, signal) => signal === undefined ? farewell.promise : systemClock.sleep(ms, signal),
  };
  const outlet = openAgentCheck(
    { address: "127.0.0.1", port: 0, weights: () => DEFAULT_WEIGHTS, published: () => OUT },
    { clock, tellChange: () => {} },
  );
  const [address] = outlet.addresses();
  assert(address !== undefined);
  assertEquals(await askRaw(address, ""), "drain #web-paused\n");
  const ended = outlet.close();
  assertEquals(await askRaw(address, ""), "ready 100%\n");
  farewell.resolve();
  await ended;
  assertEquals(outlet.addresses(), []);
  await outlet.close();
});

Deno.test("openAgentCheck() takes nothing back where another one goes on", async () => {
  const outlet = openAgentCheck(
    { address: "127.0.0.1", port: 0, weights: () => DEFAULT_WEIGHTS, published: () => OUT },
    { clock: { ...systemClock, sleep: () => new Promise(() => {}) }, tellChange: () => {} },
  );
  const [address] = outlet.addresses();
  assert(address !== undefined);
  assertEquals(await askRaw(address, ""), "drain #web-paused\n");
  await outlet.close(true);
});

Deno.test("openAgentCheck() closes peers that are connected when it ends", async () => {
  const peers: Deno.TcpConn[] = [];
  await whileAnswering(async (address) => {
    peers.push(await connectTo(address));
    await askRaw(address, "");
  });
  for (const peer of peers) {
    assertEquals(await readAll(peer), "ready up 100%\n");
    peer.close();
  }
});
