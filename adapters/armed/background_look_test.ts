import { assertEquals } from "@std/assert";
import type { HeldWeb } from "../../mod/ladder/sample.ts";
import { openBackgroundLook } from "./background_look.ts";

Deno.test("a look that is quick is taken at once, one that hangs when it is there, and none twice", async () => {
  let answer = Promise.withResolvers<HeldWeb | undefined>();
  let looks = 0;
  const look = openBackgroundLook(() => {
    looks += 1;
    return answer.promise;
  }, 10);
  assertEquals([await look.take(), await look.take(), looks], [undefined, undefined, 1]);
  answer.resolve("running");
  assertEquals([await look.take(), looks], ["running", 1]);
  answer = Promise.withResolvers();
  answer.resolve("stopped");
  assertEquals([await look.take(), looks], ["stopped", 2]);
});

Deno.test("what was seen before something changed is forgotten", async () => {
  const answer = Promise.withResolvers<HeldWeb | undefined>();
  let later: Promise<HeldWeb | undefined> = answer.promise;
  const look = openBackgroundLook(() => later, 10);
  assertEquals(await look.take(), undefined);
  later = new Promise(() => {});
  answer.resolve("running");
  await new Promise((resolve) => setTimeout(resolve, 0));
  look.forget();
  assertEquals(await look.take(), undefined);
});
