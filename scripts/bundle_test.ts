import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Bundle, bundleProgram, withoutCachePaths, withSteadyNames } from "./bundle.ts";
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

Deno.test("withSteadyNames() names modules in the order in which they are reached, whatever they were called", () => {
  const bundle = (first: string, second: string): ReadonlyMap<string, string> =>
    new Map([
      [`verb_a-${second}.js`, 'export const a = "./not-there.js";'],
      [
        "main.js",
        `import { b } from "./chunk-${first}.js";\nconst { a } = await import("./verb_a-${second}.js");`,
      ],
      [`chunk-${first}.js`, `import "./chunk-${second}X.js";`],
      [`chunk-${second}X.js`, `import "./chunk-${first}.js";`],
      ["chunk-NOBODY.js", ""],
    ]);
  const steady = withSteadyNames(bundle("AB12", "CD34"), "main.js");
  assertEquals([...steady], [
    ["main.js", 'import { b } from "./chunk-1.js";\nconst { a } = await import("./verb_a-2.js");'],
    ["chunk-1.js", 'import "./chunk-3.js";'],
    ["verb_a-2.js", 'export const a = "./not-there.js";'],
    ["chunk-3.js", 'import "./chunk-1.js";'],
  ]);
  assertEquals(withSteadyNames(bundle("ZZ99", "AA00"), "main.js"), steady);
  assertThrows(() => withSteadyNames(new Map(), "main.js"), Error, "there is no main.js");
});

Deno.test("bundleProgram() gives modules that say nothing of this machine", async () => {
  const bundle = await bundleProgram("scripts/compile.ts", PROJECT);
  assertEquals([...bundle.keys()][0], "compile.js");
  const code = [...bundle.values()].join("");
  assert(code.includes("// mod/permissions.ts"), "modules are named relative to the project");
  const imports = [...code.matchAll(/^import .* from "(.*)";$/gm)].map(([, specifier]) => specifier ?? "");
  assertEquals(
    imports.filter((specifier) => !specifier.startsWith("node:") && !bundle.has(specifier.slice(2))),
    [],
  );
  assert(!code.includes(PROJECT), "the project's folder is in the bundle");
  assert(code.includes("// npm:deno-std/1.4.0/cli/parse_args.js"), "npm modules are named by package");
  assert(!/\.\.\/.*deno-std/.test(code), "the cache is in the bundle");
});

Deno.test("bundleProgram() has a verb read its own part of the program alone", async () => {
  const bundle = await bundleProgram("main.ts", PROJECT);
  const verbs = [...bundle.keys()].filter((name) => name.startsWith("verb_status"));
  const code = readAtOnce(bundle, ["main.js", ...verbs]);
  assert(code.includes("// adapters/cli/verb_status.ts"));
  for (
    const other of [
      "// adapters/armed/armed_agent.ts",
      "// adapters/cli/verb_replay.ts",
      "// npm:nodemailer/",
    ]
  ) {
    assert([...bundle.values()].join("").includes(other) && !code.includes(other), other);
  }
});

/** The texts of modules and of all that they import as they start. */
function readAtOnce(bundle: Bundle, names: readonly string[]): string {
  const reached = new Set(names);
  for (const name of reached) {
    for (
      const [, imported = ""] of (bundle.get(name) ?? "").matchAll(/(?:from|import) "\.\/([\w-]+\.js)";/g)
    ) {
      reached.add(imported);
    }
  }
  return [...reached].map((name) => bundle.get(name)).join("");
}
