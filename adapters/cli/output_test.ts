import { assertEquals } from "@std/assert";
import { openBackgroundOutput } from "./output.ts";

Deno.test("openBackgroundOutput() writes whole texts in their order", async () => {
  const written: number[] = [];
  const output = openBackgroundOutput({
    write(bytes: Uint8Array): Promise<number> {
      written.push(...bytes.subarray(0, 3));
      return Promise.resolve(Math.min(3, bytes.length));
    },
  });
  output.write("first\n");
  output.write("zweiter ä\n");
  await output.close(1_000);
  assertEquals(new TextDecoder().decode(new Uint8Array(written)), "first\nzweiter ä\n");
});

Deno.test("openBackgroundOutput() outlives a reader that is gone, and goes on when there is room again", async () => {
  const texts: string[] = [];
  let isFull = true;
  const output = openBackgroundOutput({
    write(bytes: Uint8Array): Promise<number> {
      if (isFull) return Promise.reject(new Deno.errors.BrokenPipe("gone"));
      texts.push(new TextDecoder().decode(bytes));
      return Promise.resolve(bytes.length);
    },
  });
  output.write("lost\n");
  await output.close(1_000);
  isFull = false;
  output.write("kept\n");
  await output.close(1_000);
  assertEquals(texts, ["kept\n"]);
});

Deno.test("openBackgroundOutput() keeps a bounded part of what a reader that is stuck does not read", async () => {
  const answer = Promise.withResolvers<void>();
  let bytesWritten = 0;
  const output = openBackgroundOutput({
    async write(bytes: Uint8Array): Promise<number> {
      await answer.promise;
      bytesWritten += bytes.length;
      return bytes.length;
    },
  });
  for (let line = 0; line < 10_000; line++) output.write(`${"x".repeat(99)}\n`);
  await output.close(1);
  assertEquals(bytesWritten, 0);
  answer.resolve();
  await output.close(1_000);
  assertEquals(bytesWritten, 262_100);
});
