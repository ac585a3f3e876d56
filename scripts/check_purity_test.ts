import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { checkPurity, pureConfig } from "./check_purity.ts";

/** What `checkPurity` says about one file with this text. */
async function errorsOf(text: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-purity-test-" });
  try {
    const file = join(folder, "x.ts");
    await Deno.writeTextFile(file, text);
    return await checkPurity([file], { compilerOptions: { strict: true } });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("checkPurity() takes code that only computes", async () => {
  const text =
    "export const x: readonly number[] = [...new Set([1, 2])].map((n) => Math.trunc(n)).toSorted();";
  assertEquals(await errorsOf(text), "");
});

const IMPURE: readonly (readonly [string, string])[] = [
  ["export const x = Deno.pid;", "Cannot find name 'Deno'"],
  ["console.log(1);", "Cannot find name 'console'"],
  ["export const x = performance.now();", "Cannot find name 'performance'"],
  ["setTimeout(() => {}, 1);", "Cannot find name 'setTimeout'"],
  ["export const x = crypto.randomUUID();", "Cannot find name 'crypto'"],
  ["export const x = await fetch('http://127.0.0.1');", "Cannot find name 'fetch'"],
  ["export const x = globalThis.Deno;", "has no index signature"],
];
Deno.test("checkPurity() refuses what reaches out of the language", async () => {
  const errors = await errorsOf(IMPURE.map(([text]) => text).join("\n"));
  for (const [, message] of IMPURE) assertStringIncludes(errors, message);
});

Deno.test("pureConfig() keeps imports and strictness, and takes the library away", () => {
  const config = {
    imports: { a: "npm:a@1.0.0" },
    compilerOptions: { strict: true, types: ["./std.d.ts"], lib: ["deno.ns"] },
  };
  assertEquals(pureConfig(config), {
    imports: { a: "npm:a@1.0.0" },
    compilerOptions: { strict: true, types: [], lib: ["esnext"] },
  });
});
