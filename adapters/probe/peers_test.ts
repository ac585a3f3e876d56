import { assertEquals } from "@std/assert";
import { countPeersOut } from "./peers.ts";

/** Serves one reply at a free port until it is closed; undefined is a server that never answers. */
function serve(reply: string | undefined): { readonly port: number; readonly close: () => void } {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connections: Deno.Conn[] = [];
  (async (): Promise<void> => {
    for await (const connection of listener) {
      connections.push(connection);
      if (reply === undefined) continue;
      await connection.read(new Uint8Array(1024)).catch(() => null);
      await connection.write(new TextEncoder().encode(reply)).catch(() => 0);
    }
  })().catch(() => {});
  return {
    port: listener.addr.port,
    close(): void {
      listener.close();
      for (const connection of connections) connection.close();
    },
  };
}

const DEADLINE_MS = 500;

const REPLIES: readonly (readonly [string, string | undefined, number])[] = [
  ["one that is in", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 0],
  ["one that is out", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\n{}", 1],
  ["one without an agent's page", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 1],
  ["one that answers rubbish", "hello\r\n\r\n", 1],
  ["one that hangs", undefined, 1],
];

for (const [name, reply, out] of REPLIES) {
  Deno.test(`countPeersOut() counts ${name} as ${out === 1 ? "out" : "in"}`, async () => {
    const { port, close } = serve(reply);
    try {
      assertEquals(await countPeersOut(["127.0.0.1"], DEADLINE_MS, port), out);
    } finally {
      close();
    }
  });
}

Deno.test("countPeersOut() counts those that are not there as out, and none where there are none", async () => {
  const { port, close } = serve(undefined);
  close();
  assertEquals(await countPeersOut(["127.0.0.1", "::1"], DEADLINE_MS, port), 2);
  assertEquals(await countPeersOut([], DEADLINE_MS), 0);
});

Deno.test("countPeersOut() asks those that are in once more after it has waited for one that is gone", async () => {
  let asked = 0;
  const listener = Deno.listen({ hostname: "127.0.0.2", port: 0 });
  const { port } = listener.addr;
  const hanging = Deno.listen({ hostname: "127.0.0.3", port });
  const served = (async (): Promise<void> => {
    for await (const connection of listener) {
      asked += 1;
      await connection.read(new Uint8Array(1024));
      const status = asked === 1 ? "200 OK" : "503 Service Unavailable";
      await connection.write(new TextEncoder().encode(`HTTP/1.1 ${status}\r\n\r\n`));
      connection.close();
    }
  })();
  try {
    assertEquals([await countPeersOut(["127.0.0.2", "127.0.0.3"], DEADLINE_MS, port), asked], [2, 2]);
  } finally {
    listener.close();
    hanging.close();
    await served;
  }
});
