import { assertEquals } from "@std/assert";
import { parseSessionId } from "./pid_session.ts";

const CASES: readonly (readonly [string, string, number | undefined])[] = [
  ["a worker", "4121 (nginx) S 1 4119 4120 0 -1 4194368 1 0\n", 4120],
  ["a name that looks like the rest", "7 (a) S 1 9 9 0 ) S 1 6 5 0 -1\n", 5],
  ["a session outside the namespace", "7 (sh) S 0 0 0 0 -1\n", undefined],
  ["a text that was cut", "7 (sh) S 1 7 7", undefined],
  ["nothing", "", undefined],
];

for (const [name, text, session] of CASES) {
  Deno.test(`parseSessionId() of ${name}`, () => assertEquals(parseSessionId(text), session));
}
