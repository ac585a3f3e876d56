import { assertEquals } from "@std/assert";
import { absent, ok } from "../../mod/reading.ts";
import { NO_PROC_ROOT } from "./figures.ts";
import { readSocketQueues } from "./socket_queues.ts";

const HEADER =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

function row(local: string, state: string, queue: string): string {
  return `   0: ${local} 00000000:0000 ${state} 00000000:${queue} 00:00000000 00000000     0        0 31337 1\n`;
}

Deno.test("readSocketQueues() counts who waits at a port, and does not read the rows of connections", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${root}/net`);
    const listeners = row("0100007F:2328", "0A", "00000003") + row("00000000:0050", "0A", "00000000");
    const connections = row("0100007F:2328", "01", "00000700").repeat(5_000);
    // The kernel never writes a listener here: were it seen, all of the file would have been read.
    const last = row("0100007F:2329", "0A", "00000009");
    await Deno.writeTextFile(`${root}/net/tcp`, HEADER + listeners + connections + last);
    await Deno.writeTextFile(`${root}/net/unix`, "Num       RefCount Protocol Flags    Type St Inode Path\n");
    const { waitingAt } = readSocketQueues({ kind: "proc-root", root, name: "procfs-flag" });
    assertEquals(waitingAt({ kind: "tcp", host: "127.0.0.1", port: 9000 }), ok(3));
    assertEquals(waitingAt({ kind: "tcp", host: undefined, port: 80 }), ok(0));
    assertEquals(
      waitingAt({ kind: "tcp", host: undefined, port: 9001 }),
      absent("nobody listens at port 9001"),
    );
    assertEquals(
      waitingAt({ kind: "tcp", host: "10.0.0.1", port: 9000 }),
      absent("nobody listens at port 9000"),
    );
    assertEquals(waitingAt({ kind: "unix", path: "/run/x" }), absent("nobody listens at /run/x"));
    assertEquals(waitingAt({ kind: "unclear", text: "fpm.sock" }).kind, "failed");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("readSocketQueues() says nothing without a proc root", () => {
  const { waitingAt } = readSocketQueues({ kind: "kernel-calls", name: "kernel-calls" });
  assertEquals(waitingAt({ kind: "tcp", host: undefined, port: 80 }), NO_PROC_ROOT);
  assertEquals(waitingAt({ kind: "unix", path: "/run/x" }), NO_PROC_ROOT);
});
