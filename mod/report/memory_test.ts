import { assertEquals } from "@std/assert";
import { parseMeminfo } from "../proc/meminfo.ts";
import { failed, ok } from "../reading.ts";
import { memoryText } from "./memory.ts";

Deno.test("memoryText() says what is available, and how much swap is used", () => {
  const text =
    "MemTotal: 8192000 kB\nMemFree: 100 kB\nMemAvailable: 5120000 kB\nSwapTotal: 1000 kB\nSwapFree: 250 kB\n";
  assertEquals(memoryText(ok(parseMeminfo(text))), "62.5 % of 7.8 GiB available, swap 75 % used");
});

Deno.test("memoryText() knows a host without swap, and one that does not say what is available", () => {
  const text = "MemTotal: 1048576 kB\nMemFree: 100 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
  assertEquals(memoryText(ok(parseMeminfo(text))), "1.0 GiB in all, no swap");
});

Deno.test("memoryText() says why it is not known", () => {
  assertEquals(memoryText(failed("no meminfo")), "unknown: no meminfo");
});
