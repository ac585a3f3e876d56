import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { beginLoadProfile } from "./load_profile.ts";

Deno.test("beginLoadProfile() keeps every value while they fit", () => {
  const profile = beginLoadProfile(4);
  for (const value of [3, 1, 2]) profile.add(value);
  assertEquals(profile.peaks(), [3, 1, 2]);
});

Deno.test("beginLoadProfile() merges neighbours and never loses the peak", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 500 }), (values) => {
      const profile = beginLoadProfile(8);
      for (const value of values) profile.add(value);
      assert(profile.peaks().length <= 8);
      assertEquals(Math.max(...profile.peaks()), Math.max(...values));
    }),
  );
});
