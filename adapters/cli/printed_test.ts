import { assert, assertEquals } from "@std/assert";
import { allPrinted } from "./printed.ts";
import { VERBS } from "./verbs.ts";

Deno.test("allPrinted() has the names that print completes, in this order", () => {
  const print = VERBS.find(({ name }) => name === "print");
  assertEquals(print?.completes, allPrinted().map(({ name }) => name));
});

Deno.test("allPrinted() says in each file how it was printed, and where it belongs", () => {
  for (const { name, path, text } of allPrinted()) {
    assert(text().includes(`loadweir print ${name}`), name);
    if (path !== undefined) assert(text().includes(path), `${name} names ${path}`);
  }
});
