import { assertEquals } from "@std/assert";
import { parseTcpListeners, parseUnixListeners, waitingAtPort } from "./net_listeners.ts";

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31337 1 ff 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 02:000007D0 00000000    33        0 555 2 ff 20 4 30 10 -1
`;

const TCP6 = `  sl  local_address                         remote_address                        st
   0: 00000000000000000000000000000000:01BB 00000000000000000000000000000000:0000 0A 00000000:00000001 00:00000000 00000000     0        0 31340 1 ff 100 0 0 10 0
`;

const UNIX = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 31338 /run/php/php8.2-fpm.sock
0000000000000000: 00000003 00000000 00000000 0001 03 31339 /run/php/php8.2-fpm.sock
0000000000000000: 00000002 00000000 00010000 0001 01   12 @abstract one
0000000000000000: 00000002 00000000 00010000 0001 01 99
`;

Deno.test("parseTcpListeners() gives addresses, ports, queues and inodes of those that listen", () => {
  assertEquals(parseTcpListeners(TCP), [
    { inode: 31337, at: "port 80", port: 80, address: "0.0.0.0", waitingCount: 0 },
  ]);
  assertEquals(parseTcpListeners(TCP6), [
    { inode: 31340, at: "port 443", port: 443, address: "0".repeat(32), waitingCount: 1 },
  ]);
  const fpm = TCP.replace("00000000:0050", "0100007F:2328").replace(
    "0A 00000000:00000000",
    "0A 00000000:0000001F",
  );
  assertEquals(parseTcpListeners(fpm).map(({ at, address, waitingCount }) => [at, address, waitingCount]), [
    ["port 9000", "127.0.0.1", 31],
  ]);
});

Deno.test("waitingAtPort() adds up listeners of one port, and knows nothing where nobody listens", () => {
  const row = { inode: 1, at: "port 9000", port: 9000 };
  const listeners = [
    { ...row, address: "127.0.0.1", waitingCount: 3 },
    { ...row, address: "127.0.0.1", waitingCount: 4 },
    { ...row, address: "10.0.0.7", waitingCount: 50 },
    { ...row, port: 80, address: "0.0.0.0", waitingCount: 100 },
  ];
  assertEquals(waitingAtPort(listeners, 9000, "127.0.0.1"), 7);
  assertEquals(waitingAtPort(listeners, 9000), 57);
  assertEquals(waitingAtPort(listeners, 9001), undefined);
  assertEquals(waitingAtPort(listeners, 9000, "127.0.0.2"), undefined);
});

Deno.test("parseUnixListeners() gives paths and inodes of those that listen", () => {
  assertEquals(parseUnixListeners(UNIX), [
    { inode: 31338, at: "/run/php/php8.2-fpm.sock" },
    { inode: 12, at: "@abstract one" },
  ]);
});

Deno.test("parseTcpListeners() and parseUnixListeners() find nothing in other text", () => {
  for (const text of ["", "\n\n", TCP.slice(0, 150), "Num RefCount"]) {
    assertEquals([...parseTcpListeners(text), ...parseUnixListeners(text)], []);
  }
});

Deno.test("parseTcpListeners() and parseUnixListeners() read the tables of this kernel", async () => {
  using tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const path = `${await Deno.makeTempDir()}/socket`;
  using _unix = Deno.listen({ transport: "unix", path });
  const tcpText = await Deno.readTextFile("/proc/self/net/tcp");
  const unixText = await Deno.readTextFile("/proc/self/net/unix");
  const port = `port ${tcp.addr.port}`;
  assertEquals(
    parseTcpListeners(tcpText).filter(({ at }) => at === port).map(({ address }) => address),
    ["127.0.0.1"],
  );
  assertEquals(parseUnixListeners(unixText).filter(({ at }) => at === path).length, 1);
  await Deno.remove(path.slice(0, path.lastIndexOf("/")), { recursive: true });
});
