import { assertEquals } from "@std/assert";
import { checkImports, importsOf } from "./check_imports.ts";

/** What is wrong with one import. */
function problemsOf(from: string, to: string, specifier = to): readonly string[] {
  return checkImports([{ from, specifier, to }]).map((line) => line.slice(line.indexOf(": ") + 2));
}

const REFUSED: readonly (readonly [string, string, string])[] = [
  ["mod/x.ts", "adapters/command.ts", "mod/ imports mod/ alone"],
  ["mod/x.ts", "scripts/denort.ts", "mod/ imports mod/ alone"],
  ["mod/x.ts", "deno.json", "mod/ imports mod/ alone"],
  ["mod/x.ts", "node:process", "mod/ is pure: no Node modules"],
  ["mod/proc/x.ts", "mod/reading.ts", "parsers import mod/errors.ts alone"],
  ["mod/proc/x.ts", "mod/proc/stat.ts", "parsers import mod/errors.ts alone"],
  ["adapters/x.ts", "scripts/denort.ts", "adapters/ imports adapters/ and mod/ alone"],
  ["adapters/x.ts", "main.ts", "adapters/ imports adapters/ and mod/ alone"],
  ["adapters/x.ts", "node:child_process", "adapters/command.ts starts every program"],
  ["adapters/cli/command.ts", "node:child_process", "adapters/command.ts starts every program"],
  ["main.ts", "mod/errors.ts", "main.ts only composes: it imports adapters/cli/ alone"],
  ["main.ts", "adapters/agent.ts", "main.ts only composes: it imports adapters/cli/ alone"],
  ["mod/x.ts", "mod/x_test.ts", "the program imports nothing that serves tests"],
  ["adapters/x.ts", "mod/testing/process.ts", "the program imports nothing that serves tests"],
  ["adapters/x.ts", "npm:a@1.0.0", "what the program imports from npm is named in deno.json"],
  ["mod/x_test.ts", "npm:a", "npm packages are pinned, as npm:name@1.2.3"],
  ["mod/x_test.ts", "npm:a@^1.0.0", "npm packages are pinned, as npm:name@1.2.3"],
  ["mod/x_test.ts", "npm:@a/b@1", "npm packages are pinned, as npm:name@1.2.3"],
  ["mod/x_test.ts", "jsr:@std/assert@1.0.0", "everything comes from npm"],
  ["scripts/x.ts", "https://example.org/x.ts", "everything comes from npm"],
];
for (const [from, to, problem] of REFUSED) {
  Deno.test(`checkImports() refuses ${to} in ${from}`, () => assertEquals(problemsOf(from, to), [problem]));
}

const ALLOWED: readonly (readonly [string, string, string?])[] = [
  ["mod/x.ts", "mod/proc/stat.ts"],
  ["mod/x.ts", "npm:ini@5.0.0", "ini"],
  ["mod/proc/x.ts", "mod/errors.ts"],
  ["mod/proc/x_test.ts", "adapters/psi.ts"],
  ["adapters/cli/x.ts", "mod/errors.ts"],
  ["adapters/cli/x.ts", "deno.json"],
  ["adapters/command.ts", "node:child_process"],
  ["adapters/x_test.ts", "test/world.ts"],
  ["adapters/x.ts", "npm:/@a/b@1.0.0/c.js", "b"],
  ["mod/x_test.ts", "npm:fast-check@4.11.0"],
  ["scripts/x.ts", "npm:a@1.0.0-rc.1"],
  ["scripts/bench/x.ts", "test/world.ts"],
  ["main.ts", "adapters/cli/cli.ts"],
  ["test/x_test.ts", "main.ts"],
];
for (const [from, to, specifier] of ALLOWED) {
  Deno.test(`checkImports() allows ${to} in ${from}`, () =>
    assertEquals(problemsOf(from, to, specifier), []));
}

Deno.test("checkImports() names the file, the import and each rule it breaks", () => {
  const imported = { from: "mod/proc/x.ts", specifier: "../../adapters/psi.ts", to: "adapters/psi.ts" };
  assertEquals(checkImports([imported]), [
    "mod/proc/x.ts imports ../../adapters/psi.ts: mod/ imports mod/ alone",
    "mod/proc/x.ts imports ../../adapters/psi.ts: parsers import mod/errors.ts alone",
  ]);
});

Deno.test("importsOf() reads code and type imports of the project's modules alone", () => {
  const graph = {
    modules: [
      {
        specifier: "file:///p/mod/x.ts",
        dependencies: [
          { specifier: "./errors.ts", code: { specifier: "file:///p/mod/errors.ts" } },
          { specifier: "../adapters/a.ts", type: { specifier: "file:///p/adapters/a.ts" } },
          { specifier: "table", code: { specifier: "npm:table@1.0.0" } },
          { specifier: "unknown", code: { error: "not in import map" } },
        ],
      },
      { specifier: "file:///elsewhere/y.ts", dependencies: [{ specifier: "./z.ts" }] },
      { specifier: "npm:/table@1.0.0" },
    ],
  };
  assertEquals(importsOf(graph, "file:///p/"), [
    { from: "mod/x.ts", specifier: "./errors.ts", to: "mod/errors.ts" },
    { from: "mod/x.ts", specifier: "../adapters/a.ts", to: "adapters/a.ts" },
    { from: "mod/x.ts", specifier: "table", to: "npm:table@1.0.0" },
    { from: "mod/x.ts", specifier: "unknown", to: "unknown" },
  ]);
});
