import { assertEquals, assertThrows } from "@std/assert";
import { openTrace } from "./trace_file.ts";

Deno.test("openTrace() reads a file, and lets standard input open", async () => {
  const path = await Deno.makeTempFile();
  try {
    Deno.writeTextFileSync(path, "line");
    const buffer = new Uint8Array(8);
    {
      using trace = openTrace(path);
      assertEquals(trace.file.readSync(buffer), 4);
    }
    using standard = openTrace("-");
    assertEquals(standard.file, Deno.stdin);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("openTrace() says what is in the way, and the cure", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assertThrows(() => openTrace(folder), Error, "it is a folder, expected a trace");
    assertThrows(
      () => openTrace(`${folder}/gone`),
      Error,
      `Cannot read "${folder}/gone": not there; \`loadweir record`,
    );
  } finally {
    await Deno.remove(folder);
  }
});
