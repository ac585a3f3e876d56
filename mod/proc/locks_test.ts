import { assertEquals } from "@std/assert";
import { maybeLockHolder } from "./locks.ts";

const LOCKS = `1: -> FLOCK  ADVISORY  WRITE 4133 00:1a:1893 0 EOF
2: POSIX  ADVISORY  WRITE 812 00:1a:1893 0 EOF
3: FLOCK  ADVISORY  READ  813 00:1a:1893 0 EOF
4: FLOCK  ADVISORY  WRITE 4120 00:1a:1893 0 EOF
5: FLOCK  ADVISORY  WRITE 0 00:1a:77 0 EOF
`;

Deno.test("maybeLockHolder() is who holds a file whole, not who waits or holds a part", () => {
  assertEquals(maybeLockHolder(LOCKS, 1893), 4120);
  for (const inode of [189, 18_930, 77]) assertEquals(maybeLockHolder(LOCKS, inode), undefined);
  assertEquals(maybeLockHolder("", 1893), undefined);
});
