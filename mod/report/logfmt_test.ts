import { assertEquals } from "@std/assert";
import { logfmt } from "./logfmt.ts";

Deno.test("logfmt() quotes what is no plain word, and leaves out what has no value", () => {
  const fields = [
    ["a", "0.97"],
    ["b", undefined],
    ["c", "?"],
    ["d", "two words"],
    ["e", 'a "quote"\n'],
    ["f", ""],
    ["g", "x=y"],
  ] as const;
  assertEquals(logfmt(fields), 'a=0.97 c=? d="two words" e="a \\"quote\\"\\n" f="" g="x=y"');
});
