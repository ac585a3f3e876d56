import { assertEquals } from "@std/assert";
import { PERMISSION_KINDS, PERMISSIONS, permittedValues } from "../../mod/permissions.ts";
import { lookAtSandbox } from "./sandbox.ts";

Deno.test({
  name: "lookAtSandbox() says when kinds are granted whole",
  permissions: "inherit",
  fn(): void {
    const { whole, missing, listed } = lookAtSandbox();
    assertEquals(whole, [...PERMISSION_KINDS, "ffi"]);
    assertEquals(missing, []);
    assertEquals(listed.run, permittedValues("run").length);
  },
});

Deno.test({
  name: "lookAtSandbox() says what of the list is not granted",
  permissions: { read: ["/etc/nginx"], sys: ["cpus"] },
  fn(): void {
    const { whole, missing } = lookAtSandbox();
    assertEquals(whole, []);
    assertEquals(missing.length, PERMISSIONS.length - 2);
    const values = missing.map(({ kind, value }) => `${kind} ${value}`);
    assertEquals(["read /etc/nginx", "sys cpus", "run /usr/bin/ps"].map((value) => values.includes(value)), [
      false,
      false,
      true,
    ]);
  },
});

Deno.test({
  name: "lookAtSandbox() finds exactly the list in order",
  permissions: {
    read: [...permittedValues("read")],
    write: [...permittedValues("write")],
    run: [...permittedValues("run")],
    net: [...permittedValues("net")],
    env: [...permittedValues("env")],
    sys: [...permittedValues("sys")] as "cpus"[],
  },
  fn(): void {
    const { whole, missing } = lookAtSandbox();
    assertEquals([whole, missing], [[], []]);
  },
});
