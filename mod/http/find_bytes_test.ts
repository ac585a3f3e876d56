import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { findBytes } from "./find_bytes.ts";

Deno.test("findBytes() finds what a text search finds", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 30 });
  const encoder = new TextEncoder();
  fc.assert(fc.property(letters, letters, fc.nat(30), (among, wanted, from) => {
    const found = findBytes(encoder.encode(among), encoder.encode(wanted), from);
    assertEquals(found, wanted === "" ? 0 : among.indexOf(wanted, from));
  }));
});
