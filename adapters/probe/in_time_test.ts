import { assertEquals } from "@std/assert";
import { type CheckResult, fine, unknown } from "../../mod/probe/check.ts";
import { inTime } from "./in_time.ts";

Deno.test("inTime() gives what was seen, and an error as unknown", async () => {
  assertEquals(await inTime(() => Promise.resolve(fine("well")), 60_000)(undefined), fine("well"));
  assertEquals(
    await inTime(() => Promise.reject(new Error("no disk")), 60_000)(undefined),
    unknown("Cannot look: no disk"),
  );
});

Deno.test("inTime() does not wait for a look that hangs, begins no second one, and looks again after it", async () => {
  const hanging: PromiseWithResolvers<CheckResult>[] = [];
  const look = inTime(() => {
    const one = Promise.withResolvers<CheckResult>();
    hanging.push(one);
    return one.promise;
  }, 10);
  assertEquals(await look(undefined), unknown("took longer than 10 ms"));
  assertEquals(await look(undefined), unknown("the look before has not come back"));
  assertEquals(hanging.length, 1);
  hanging[0]?.resolve(fine("too late"));
  await hanging[0]?.promise;
  const again = look(undefined);
  hanging[1]?.resolve(fine("well"));
  assertEquals(await again, fine("well"));
});
