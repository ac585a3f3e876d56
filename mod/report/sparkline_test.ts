import { assertEquals } from "@std/assert";
import { renderSparkline } from "./sparkline.ts";

Deno.test("renderSparkline() spans its bars from 0 to the greatest value", () => {
  assertEquals(renderSparkline([0, 30, 60, 100, 120, 200, 210, 500], 210, 24), "▁▂▃▄▅████".slice(0, 8));
});

Deno.test("renderSparkline() shows the peak of each stretch when there are more values than bars", () => {
  assertEquals(renderSparkline([0, 0, 210, 0, 0, 0], 210, 3), "▁█▁");
  assertEquals(renderSparkline(Array(144).fill(0), 210, 24).length, 24);
});

Deno.test("renderSparkline() draws nothing for a single value", () => {
  assertEquals(renderSparkline([5], 210, 24), "");
});
