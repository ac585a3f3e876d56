import { assertEquals } from "@std/assert";
import {
  addressText,
  type Asked,
  createAsker,
  type LocalAddress,
  type Question,
  tryConnection,
} from "./local_socket.ts";

/** Answers with the first line that comes. */
function firstLine(): Question<string> {
  let text = "";
  return {
    request: new TextEncoder().encode("hello\n"),
    take(chunk): string | undefined {
      text += new TextDecoder().decode(chunk);
      return text.endsWith("\n") ? text.trim() : undefined;
    },
  };
}

/** A folder with a socket at which a server may listen. */
async function withSocket(
  test: (address: LocalAddress & { readonly kind: "unix" }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test({ kind: "unix", path: `${folder}/socket` });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function listen({ path }: { readonly path: string }): Deno.UnixListener {
  return Deno.listen({ transport: "unix", path });
}

Deno.test("createAsker() puts an answer together, and asks anew the next time", () =>
  withSocket(async (address) => {
    using server = listen(address);
    const serving = (async (): Promise<void> => {
      for (const words of [["on", "e\n"], ["two\n"]]) {
        using connection = await server.accept();
        for (const word of words) await connection.write(new TextEncoder().encode(word));
      }
    })();
    const asker = createAsker(address, firstLine);
    assertEquals(await asker.ask(5_000), { kind: "answered", value: "one" });
    assertEquals(asker.isWaiting(), false);
    assertEquals(await asker.ask(5_000), { kind: "answered", value: "two" });
    await serving;
  }));

Deno.test("createAsker() has one question at a time, and waits for it however often it is asked", () =>
  withSocket(async (address) => {
    using server = listen(address);
    const asker = createAsker(address, firstLine);
    for (let times = 0; times < 3; times++) {
      assertEquals(await asker.ask(20), { kind: "timed-out" });
      assertEquals(asker.isWaiting(), true);
    }
    const answer = asker.ask(5_000);
    using connection = await server.accept();
    await connection.write(new TextEncoder().encode("late\n"));
    assertEquals(await answer, { kind: "answered", value: "late" });
    // No other question is in the queue.
    const next = asker.ask(5_000);
    using second = await server.accept();
    await second.write(new TextEncoder().encode("next\n"));
    assertEquals(await next, { kind: "answered", value: "next" });
  }));

Deno.test("createAsker() hangs up, and leaves nothing behind", () =>
  withSocket(async (address) => {
    using _server = listen(address);
    const asker = createAsker(address, firstLine);
    assertEquals(await asker.ask(20), { kind: "timed-out" });
    asker.close();
    assertEquals((await asker.ask(5_000)).kind, "failed");
  }));

Deno.test("createAsker() tells a socket that is closed, one that is missing, and one without an answer apart", () =>
  withSocket(async (address) => {
    const ask = (): Promise<Asked<string>> => createAsker(address, firstLine).ask(5_000);
    assertEquals(await ask(), { kind: "missing" });
    const server = listen(address);
    const answer = ask();
    (await server.accept()).close();
    assertEquals((await answer).kind, "failed");
    server.close();
    await new Deno.Command("/usr/bin/perl", {
      args: [
        "-MIO::Socket::UNIX",
        "-e",
        "IO::Socket::UNIX->new(Local => shift, Listen => 1) or die",
        address.path,
      ],
    }).output();
    assertEquals(await ask(), { kind: "refused" });
    assertEquals(await tryConnection(address, 5_000), { kind: "refused" });
  }));

Deno.test("createAsker() knows a queue without a place", () =>
  withSocket(async (address) => {
    using _server = listen(address);
    const connections: Deno.UnixConn[] = [];
    try {
      for (let count = 0; count < 5_000; count++) {
        connections.push(await Deno.connect({ transport: "unix", path: address.path }));
      }
    } catch {
      // The queue is full now.
    }
    assertEquals(await createAsker(address, firstLine).ask(5_000), { kind: "full" });
    for (const connection of connections) connection.close();
  }));

Deno.test("addressText() writes addresses as people and permissions do", () => {
  assertEquals(addressText({ kind: "unix", path: "/run/x.sock" }), "/run/x.sock");
  assertEquals(addressText({ kind: "tcp", host: "127.0.0.1", port: 9000 }), "127.0.0.1:9000");
  assertEquals(addressText({ kind: "tcp", host: "::1", port: 9000 }), "[::1]:9000");
});
