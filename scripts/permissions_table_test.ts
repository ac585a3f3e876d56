import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { PERMISSIONS } from "../mod/permissions.ts";
import { renderPermissions, withTable } from "./permissions_table.ts";

const MARKS = "<!-- permissions: made by `scripts/deno task docs` -->\nold\n<!-- end of permissions -->";

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

Deno.test("withTable() replaces what is between the marks and nothing else", () => {
  const [start, , end] = MARKS.split("\n");
  const document = withTable(`# A\n${MARKS}\n\nB\n`, "| new |");
  assertEquals(document.split("\n"), [
    ...[
      "# A",
      start,
      "<!-- deno-fmt-ignore-start -->",
      "",
      "| new |",
      "",
      "<!-- deno-fmt-ignore-end -->",
      "",
      end,
    ],
    ...["", "B", ""],
  ]);
  assertEquals(withTable(document, "| new |"), document);
});

Deno.test("withTable() refuses a document without the marks or with two pairs", () => {
  for (const document of ["# A", `${MARKS}\n${MARKS}`, MARKS.split("\n").toReversed().join("\n")]) {
    assertThrows(() => withTable(document, "x"), Error, "Cannot place the permissions");
  }
});
