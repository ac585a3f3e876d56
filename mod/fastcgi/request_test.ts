import { assertEquals, assertThrows } from "@std/assert";
import { takeRecords } from "./record.ts";
import { encodeRequest } from "./request.ts";

Deno.test("encodeRequest() writes a responder's request that closes, its parameters and an empty input", () => {
  assertEquals([...encodeRequest({ A: "bc" })], [
    ...[1, 1, 0, 1, 0, 8, 0, 0, /* role */ 0, 1, /* flags */ 0, 0, 0, 0, 0, 0],
    ...[1, 4, 0, 1, 0, 5, 0, 0, /* lengths */ 1, 2, 65, 98, 99],
    ...[1, 4, 0, 1, 0, 0, 0, 0],
    ...[1, 5, 0, 1, 0, 0, 0, 0],
  ]);
});

Deno.test("encodeRequest() writes lengths from 128 in four bytes, and counts bytes of UTF-8", () => {
  const { records } = takeRecords(encodeRequest({ A: "x".repeat(127), B: "é".repeat(64), C: "" }), "a test");
  const content = records[1]?.content ?? new Uint8Array();
  assertEquals([...content.subarray(0, 3)], [1, 127, 65]);
  assertEquals([...content.subarray(130, 138)], [1, 0x80, 0, 0, 128, 66, 0xc3, 0xa9]);
  assertEquals([...content.subarray(-3)], [1, 0, 67]);
});

Deno.test("encodeRequest() refuses a request without parameters, and one too long", () => {
  assertThrows(() => encodeRequest({}), RangeError, "without parameters");
  assertThrows(() => encodeRequest({ A: "x".repeat(65_536) }), RangeError, "expected at most 65535");
});
