import { assert, assertEquals } from "@std/assert";
import { PROC_MOUNT } from "../check/proc_mount.ts";
import { BLOCK_INCLUDE, BLOCK_MARK } from "../nginx/block_conf.ts";
import { maybeShipped, SHIPPED } from "./shipped.ts";

Deno.test("SHIPPED says in each file how it was printed, and where it belongs", () => {
  for (const { name, path, text } of SHIPPED) {
    assert(text().includes(`loadweir print ${name}`), name);
    if (path !== undefined) assert(text().includes(path), `${name} names ${path}`);
    assert(text().endsWith("\n") && !text().endsWith("\n\n"), name);
  }
});

Deno.test("SHIPPED is in alphabetical order", () => {
  const names = SHIPPED.map(({ name }) => name);
  assertEquals(names, [...names].sort());
});

Deno.test("SHIPPED prints a crawler block that is known by its first line and names the line to include it", () => {
  const text = maybeShipped("nginx-block")?.text() ?? "";
  assertEquals(text.split("\n")[0], BLOCK_MARK);
  assert(text.includes(`#     ${BLOCK_INCLUDE}\n`));
});

Deno.test("SHIPPED mounts /proc in all that runs the agent where the binary reads it", () => {
  for (const name of ["audit-unit", "proc-mount", "sysv", "unit"]) {
    assert(maybeShipped(name)?.text().includes(PROC_MOUNT), name);
  }
});

Deno.test("maybeShipped() knows no other name", () => {
  assertEquals(maybeShipped("units"), undefined);
});
