import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { parseSslAnswer } from "./postgres_ssl.ts";

function answer(text: string): boolean | undefined {
  return parseSslAnswer(new TextEncoder().encode(text), "x");
}

Deno.test("parseSslAnswer() takes one letter and nothing else", () => {
  assertEquals([answer(""), answer("S"), answer("N")], [undefined, true, false]);
  for (const text of ["E", "Ecould not fork new process", "NN", "HTTP/1.1 400"]) {
    assertThrows(() => answer(text), ParseError, "expected S or N");
  }
});
