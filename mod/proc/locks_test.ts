import { assertEquals } from "@std/assert";
import { maybeLockHolder } from "./locks.ts";

const LOCKS = `1: -> FLOCK  ADVISORY  WRITE 4133 00:1a:1893 0 EOF
2: POSIX  ADVISORY  WRITE 812 00:1a:1893 0 EOF
3: FLOCK  ADVISORY  READ  813 00:1a:1893 0 EOF
4: FLOCK  ADVISORY  WRITE 814 00:1b:1893 0 EOF
5: FLOCK  ADVISORY  WRITE 815 08:1a:1893 0 EOF
6: FLOCK  ADVISORY  WRITE 4120 00:1a:1893 0 EOF
7: FLOCK  ADVISORY  WRITE 0 00:1a:77 0 EOF
8: FLOCK  ADVISORY  WRITE 4121 103:12345:1893 0 EOF
`;

const RUN = { dev: 0x1a, inode: 1893 };

Deno.test("maybeLockHolder() is who holds a file whole, not who waits or holds a part", () => {
  assertEquals(maybeLockHolder(LOCKS, RUN), 4120);
  for (const inode of [189, 18_930, 77]) assertEquals(maybeLockHolder(LOCKS, { ...RUN, inode }), undefined);
  assertEquals(maybeLockHolder("", RUN), undefined);
});

Deno.test("maybeLockHolder() takes no file of another file system that has the same inode", () => {
  for (
    const [dev, pid] of [[0x1b, 814], [0x81a, 815], [0x1c, undefined], [
      0x1234_1030_0 + 0x45,
      undefined,
    ]] as const
  ) assertEquals(maybeLockHolder(LOCKS, { ...RUN, dev }), pid);
  // As makedev(0x103, 0x12345) packs them.
  assertEquals(maybeLockHolder(LOCKS, { ...RUN, dev: 0x1231_0345 }), 4121);
});
