import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { parseNamespaceDepth } from "./pid_namespace.ts";

const STATUS = "Name:\tphp\nTgid:\t31337\nNStgid:\t31337\t7\nNSpid:\t31337\t7\nNSpgid:\t31337\t7\n";

Deno.test("parseNamespaceDepth() counts the ids of a process", () => {
  assertEquals(parseNamespaceDepth(STATUS), 2);
  assertEquals(parseNamespaceDepth(STATUS.replaceAll("\t7", "")), 1);
});

Deno.test("parseNamespaceDepth() is undefined where the kernel does not say", () => {
  for (const text of ["", "Name:\tphp\n", "NSpid:\n", "NSpid:\tx\n", "XNSpid:\t1\n"]) {
    assertEquals(parseNamespaceDepth(text), undefined, text);
  }
});

Deno.test("parseNamespaceDepth() is not fooled by a name, where line ends are escaped", () => {
  assertEquals(parseNamespaceDepth(`Name:\tx\\nNSpid:\t1\n${STATUS.slice(10)}`), 2);
});

Deno.test("parseNamespaceDepth() says 1 of a process of this machine's own namespace", async () => {
  assertEquals(parseNamespaceDepth(await Deno.readTextFile(`/proc/${Deno.pid}/status`)), 1);
});

Deno.test("parseNamespaceDepth() never throws", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const depth = parseNamespaceDepth(`NSpid:${text}`);
      return depth === undefined || depth >= 1;
    }),
    { numRuns: 10_000 },
  );
});
