import { assertEquals, assertThrows } from "@std/assert";
import { withTable } from "./document_table.ts";

const MARKS = "<!-- permissions: made by `scripts/deno task docs` -->\nold\n<!-- end of permissions -->";
const TABLE = { subject: "permissions", table: "| new |" };

Deno.test("withTable() replaces what is between the marks and nothing else", () => {
  const [start, , end] = MARKS.split("\n");
  const document = withTable(`# A\n${MARKS}\n\nB\n`, TABLE);
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
  assertEquals(withTable(document, TABLE), document);
});

Deno.test("withTable() refuses a document without the marks or with two pairs", () => {
  for (const document of ["# A", `${MARKS}\n${MARKS}`, MARKS.split("\n").toReversed().join("\n")]) {
    assertThrows(() => withTable(document, TABLE), Error, "Cannot place the permissions");
  }
});
