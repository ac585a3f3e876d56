import { assert, assertEquals } from "@std/assert";
import { bundleProgram, withoutCachePaths } from "./bundle.ts";
import { PROJECT } from "./project_files.ts";

Deno.test("withoutCachePaths() names npm modules by package, not by cache and registry", () => {
  const code = [
    "// ../../root/.cache/deno/npm/registry.npmjs.org/@a/b/1.0.0/c.js",
    'var x = __commonJS({ "../../root/.cache/deno/npm/registry.npmjs.org/d/2.0.0/e.js"(exports) {} });',
    "// mod/errors.ts",
    'const url = "https://registry.npmjs.org/d/";',
  ].join("\n");
  assertEquals(withoutCachePaths(code, "../../root/.cache/deno/npm").split("\n"), [
    "// npm:@a/b/1.0.0/c.js",
    'var x = __commonJS({ "npm:d/2.0.0/e.js"(exports) {} });',
    "// mod/errors.ts",
    'const url = "https://registry.npmjs.org/d/";',
  ]);
});

Deno.test("bundleProgram() gives one module that says nothing of this machine", async () => {
  const code = await bundleProgram("scripts/compile.ts", PROJECT);
  assert(code.includes("// mod/permissions.ts"), "modules are named relative to the project");
  const imports = [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, specifier]) => specifier ?? "");
  assertEquals(imports.filter((specifier) => !specifier.startsWith("node:")), []);
  assert(!code.includes(PROJECT), "the project's folder is in the bundle");
  assert(code.includes("// npm:deno-std/1.4.0/cli/parse_args.js"), "npm modules are named by package");
  assert(!/\.\.\/.*deno-std/.test(code), "the cache is in the bundle");
});
