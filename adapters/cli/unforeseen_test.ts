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
    for (let waits = 0; taken.length < 2 && waits < 1_000; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  assertEquals(taken, [rejected, thrown]);
});
