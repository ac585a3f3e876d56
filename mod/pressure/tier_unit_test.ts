import { assertEquals } from "@std/assert";
import { maybeTierIndex, tierPattern, tierUnit } from "./tier_unit.ts";

Deno.test("tierUnit() puts the index after the @", () => {
  assertEquals(tierUnit("web@.service", 12), "web@12.service");
});

Deno.test("tierPattern() stands for every instance", () => {
  assertEquals(tierPattern("web@.service"), "web@*.service");
});

const ROWS: Readonly<Record<string, readonly [string, number | undefined]>> = {
  "an instance": ["web@12.service", 12],
  "the first of all": ["web@0.service", 0],
  "leading zeros": ["web@01.service", undefined],
  "a word": ["web@blue.service", undefined],
  "another template": ["shop-web@1.service", undefined],
  "another kind": ["web@1.socket", undefined],
  "the template itself": ["web@.service", undefined],
  "more digits than an index has": ["web@123456.service", undefined],
};

for (const [name, [unit, index]] of Object.entries(ROWS)) {
  Deno.test(`maybeTierIndex() reads ${name}`, () =>
    assertEquals(maybeTierIndex("web@.service", unit), index));
}

Deno.test("maybeTierIndex() gives nothing for a unit that is no template", () => {
  assertEquals(maybeTierIndex("", "1"), undefined);
  assertEquals(maybeTierIndex("web.service", "web.service"), undefined);
});
