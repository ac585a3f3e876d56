import { assertEquals } from "@std/assert";
import { takeUnforeseen } from "./unforeseen.ts";

Deno.test("takeUnforeseen() takes what is rejected or thrown in the background", async () => {
  const taken: unknown[] = [];
  const [rejected, thrown] = [new Error("rejected"), new Error("thrown")];
  {
    using _taking = takeUnforeseen((error) => taken.push(error));
    void Promise.reject(rejected);
    setTimeout(() => {
      throw thrown;
    }, 0);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(taken, [rejected, thrown]);
});
