import { assertEquals } from "@std/assert";
import { parseTgid } from "./pid_tgid.ts";

Deno.test("parseTgid() tells a thread from its process", () => {
  assertEquals(
    parseTgid("Name:\tnode\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4120\nNgid:\t0\nPid:\t4123\n"),
    4_120,
  );
});

Deno.test("parseTgid() gives nothing where the line is missing, or only looks like it", () => {
  assertEquals(parseTgid(""), undefined);
  assertEquals(parseTgid("Name:\tTgid:\t7\nNgid:\t0\n"), undefined);
  assertEquals(parseTgid("Tgid:\tx\n"), undefined);
});
