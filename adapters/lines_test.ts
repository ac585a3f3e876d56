import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../mod/errors.ts";
import { readLineBatches } from "./lines.ts";

/** A stream that gives these texts, one at a read. */
function streamOf(...texts: readonly string[]): { readSync(buffer: Uint8Array): number | null } {
  const chunks = texts.map((text) => new TextEncoder().encode(text));
  return {
    readSync(buffer: Uint8Array): number | null {
      const chunk = chunks.shift();
      if (chunk === undefined) return null;
      buffer.set(chunk);
      return chunk.length;
    },
  };
}

Deno.test("readLineBatches() joins lines across reads, and keeps a last one without line end", () => {
  const lines = [...readLineBatches(streamOf("one\ntw", "o\nthree\n", "fo", "ur"), "x")].flat();
  assertEquals(lines, ["one", "two", "three", "four"]);
});

Deno.test("readLineBatches() keeps a character that was cut in two", () => {
  const bytes = new TextEncoder().encode("ä\nb\n");
  const parts = [bytes.subarray(0, 1), bytes.subarray(1)];
  const stream = {
    readSync(buffer: Uint8Array): number | null {
      const part = parts.shift();
      if (part !== undefined) buffer.set(part);
      return part?.length ?? null;
    },
  };
  assertEquals([...readLineBatches(stream, "x")].flat(), ["ä", "b"]);
});

Deno.test("readLineBatches() refuses a line without end", () => {
  const long = "x".repeat(10_000);
  const stream = streamOf(...Array.from({ length: 120 }, () => long));
  assertThrows(
    () => [...readLineBatches(stream, "blob")],
    ParseError,
    'Cannot parse "blob": a line is longer than',
  );
});
