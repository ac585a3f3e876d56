import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseUnixQueues } from "./net_unix.ts";

const HEADER = "Num       RefCount Protocol Flags    Type St Inode Path\n";

const UNIX = `${HEADER}\
ffff888003aa1000: 00000002 00000000 00010000 0001 01 31338 /run/php/php8.2-fpm.sock
ffff888003aa1400: 00000002 00000000 00000000 0001 02     0 /run/php/php8.2-fpm.sock
ffff888003aa1800: 00000003 00000000 00000000 0001 03 31400 /run/php/php8.2-fpm.sock
ffff888003aa1c00: 00000002 00000000 00000000 0001 02     0 /run/php/php8.2-fpm.sock
ffff888003aa1d00: 00000002 00000000 00000000 0001 04     0 /run/php/php8.2-fpm.sock
ffff888003aa2000: 00000002 00000000 00010000 0001 01 31339 /run/php/idle.sock
ffff888003aa2400: 00000002 00000000 00010000 0005 01   880 /run/udev/control
ffff888003aa2800: 00000002 00000000 00010000 0001 01    12 @abstract one
ffff888003aa2c00: 00000002 00000000 00000000 0001 02     0 @abstract one
ffff888003aa3000: 00000002 00000000 00010000 0001 01    13 /srv/my site/php.sock
ffff888003aa3400: 00000002 00000000 00000000 0001 02     0 /srv/my site/php.sock
ffff888003aa3800: 00000002 00000000 00000000 0001 02     0 /run/gone.sock
ffff888003aa3c00: 00000003 00000000 00000000 0001 03   632
`;

Deno.test("parseUnixQueues() counts what waits at each listener, and nothing at others", () => {
  assertEquals([...parseUnixQueues(UNIX)], [
    ["/run/php/php8.2-fpm.sock", 2],
    ["/run/php/idle.sock", 0],
    ["/run/udev/control", 0],
    ["@abstract one", 1],
    ["/srv/my site/php.sock", 1],
  ]);
});

Deno.test("parseUnixQueues() passes over what a path with a line end leaves", () => {
  const row = "ffff888003aa1000: 00000002 00000000 00010000 0001 01 31338 /run/odd\nname.sock\n";
  assertEquals([...parseUnixQueues(HEADER + row)], [["/run/odd", 0]]);
});

Deno.test("parseUnixQueues() does not take a socket that has an inode for one that waits", () => {
  const text = UNIX.replaceAll("02     0 /run/php", "02 70001 /run/php");
  assertEquals(parseUnixQueues(text).get("/run/php/php8.2-fpm.sock"), 0);
});

const REFUSED = [
  { what: "an empty text", text: "", says: 'begins with "", expected' },
  { what: "another file", text: "  sl  local_address\n", says: 'begins with "  sl  local_address' },
  { what: "a cut file", text: UNIX.slice(0, -9), says: "expected a line end: it is cut" },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseUnixQueues() refuses ${what}`, () => {
    assertThrows(() => parseUnixQueues(text), ParseError, says);
  });
}

Deno.test("parseUnixQueues() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(UNIX, (text) => assertSoundNumbers([...parseUnixQueues(text).values()]));
});

Deno.test("parseUnixQueues() sees connections wait on this kernel, and sees them accepted", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/a socket`;
    using listener = Deno.listen({ transport: "unix", path });
    using _one = await Deno.connect({ transport: "unix", path });
    using _two = await Deno.connect({ transport: "unix", path });
    const read = (): number | undefined =>
      parseUnixQueues(Deno.readTextFileSync("/proc/self/net/unix")).get(path);
    assertEquals(read(), 2);
    using _accepted = await listener.accept();
    assertEquals(read(), 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
