import { assertEquals, assertStringIncludes } from "@std/assert";
import { PERMISSIONS } from "../mod/permissions.ts";
import { renderPermissions } from "./permissions_table.ts";

Deno.test("renderPermissions() shows every value, one row a purpose, and what is not granted at all", () => {
  const table = renderPermissions([
    { kind: "run", value: "/usr/bin/ps", why: "processes" },
    { kind: "read", value: "/etc/a", why: "configuration" },
    { kind: "run", value: "/bin/ps", why: "processes" },
    { kind: "read", value: "/bin/ps", why: "whether it is there" },
  ]);
  assertEquals(table.split("\n"), [
    "| it | what | what for |",
    "| --- | --- | --- |",
    "| reads | `/etc/a` | configuration |",
    "| reads | every program that it runs | whether it is there |",
    "| writes | nothing | |",
    "| runs | `/usr/bin/ps` `/bin/ps` | processes |",
    "| listens on, connects to | nothing | |",
    "| reads variable | nothing | |",
    "| asks the kernel for | nothing | |",
  ]);
});

Deno.test("renderPermissions() leaves nothing of the real list out", () => {
  const table = renderPermissions();
  for (const { value } of PERMISSIONS) assertStringIncludes(table, `\`${value}\``);
});
