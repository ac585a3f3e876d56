import { assertEquals } from "@std/assert";
import { renewed } from "./renewed.ts";

Deno.test("renewed() makes a thing once for each plan, and ends the one before first", () => {
  const done: string[] = [];
  let plan = { port: 1 };
  const { current, end } = renewed(
    () => plan,
    ({ port }) => {
      done.push(`make ${port}`);
      return port;
    },
    (port) => done.push(`end ${port}`),
  );
  end();
  assertEquals([current(), current()], [1, 1]);
  plan = { port: 1 };
  assertEquals(current(), 1);
  plan = { port: 2 };
  assertEquals(current(), 2);
  end();
  end();
  assertEquals(current(), 2);
  assertEquals(done, ["make 1", "end 1", "make 2", "end 2", "make 2"]);
});
