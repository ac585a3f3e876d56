import { assertEquals } from "@std/assert";
import { holdsNothing } from "./holds_nothing.ts";
import type { ServiceRef } from "./service_ref.ts";

const NGINX: ServiceRef = {
  kind: "nginx",
  manager: "sysv",
  name: "nginx",
  program: undefined,
  args: [],
  confPath: undefined,
};

Deno.test("holdsNothing() says so of a pause that is done and stopped nothing alone", () => {
  assertEquals(holdsNothing({ phase: "held", services: [] }), true);
  assertEquals(holdsNothing({ phase: "stopping", services: [] }), false);
  assertEquals(holdsNothing({ phase: "held", services: [NGINX] }), false);
});
