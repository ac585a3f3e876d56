import { assert, assertEquals } from "@std/assert";
import { maybeListeners, maybeSocketInodes } from "./listeners.ts";

Deno.test("maybeListeners() and maybeSocketInodes() find a socket that waits here", () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const at = `port ${listener.addr.port}`;
  const found = maybeListeners("/proc", "self")?.find((one) => one.at === at);
  assert(found !== undefined, `no ${at}`);
  assert(maybeSocketInodes("/proc", Deno.pid)?.has(found.inode));
});

Deno.test("maybeListeners() and maybeSocketInodes() tell nothing of a process that is not there", () => {
  assertEquals(maybeListeners("/proc", 2 ** 22), undefined);
  assertEquals(maybeSocketInodes("/proc", 2 ** 22), undefined);
});
