import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { permissionFlags } from "../mod/permissions.ts";
import { compileFlags, compileProgram, V8_FLAGS } from "./compile_program.ts";
import { sha256Hex } from "./denort.ts";
import { PROJECT } from "./project_files.ts";
import { ToolError } from "./run_tool.ts";
import { findRuntime, runtimeCacheDir } from "./runtime.ts";
import { TARGETS } from "./targets.ts";

const X86_64 = { triple: "x86_64-unknown-linux-gnu" };

Deno.test("compileFlags() grants the declared permissions and no other", () => {
  const allowed = compileFlags(X86_64, "out").filter((flag) =>
    /^(-[A-Z]|--allow|--no-prompt|--perm)/.test(flag)
  );
  assertEquals(allowed, permissionFlags());
});

Deno.test("compileFlags() leaves no import, no code cache and no JIT", () => {
  const flags = compileFlags(X86_64, "out");
  for (const flag of ["--deny-import", "--no-code-cache", `--v8-flags=${V8_FLAGS.join(",")}`]) {
    assert(flags.includes(flag), flag);
  }
});

Deno.test("compileProgram() gives the same bytes twice, and they run", async () => {
  const [first, second] = await Promise.all([
    compiled("console.log(1 + 1);"),
    compiled("console.log(1 + 1);"),
  ]);
  assertEquals(first, second);
  if (Deno.build.arch === "x86_64") assertEquals(first.printed, "2\n");
});

Deno.test("compileProgram() leaves no file behind when it fails", async () => {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-compile-test-" });
  try {
    const output = join(folder, "program");
    const [target] = TARGETS;
    assert(target !== undefined);
    const compile = (): Promise<void> =>
      compileProgram({ program: new Map([["main.js", "1 +;"]]), target, runtime: "/nonexistent", output });
    await assertRejects(compile, ToolError);
    assertEquals([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Compiles a program for x86_64 in a folder of its own: its sum, and what it prints where it can run. */
async function compiled(code: string): Promise<{ readonly sum: string; readonly printed: string }> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-compile-test-" });
  try {
    const output = join(folder, "program");
    const [target] = TARGETS;
    assert(target !== undefined);
    const getEnv = (name: string): string | undefined => Deno.env.get(name);
    const cacheDir = runtimeCacheDir(getEnv, PROJECT);
    const runtime = await findRuntime(target, { denortBin: getEnv("DENORT_BIN"), cacheDir, log: () => {} });
    await compileProgram({ program: new Map([["main.js", code]]), target, runtime, output });
    const sum = await sha256Hex(await Deno.readFile(output));
    const run = Deno.build.arch === "x86_64" ? await new Deno.Command(output).output() : undefined;
    return { sum, printed: new TextDecoder().decode(run?.stdout) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
