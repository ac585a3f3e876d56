import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { join } from "node:path";
import { bundleProgram, npmCacheOf } from "./bundle.ts";
import { PROJECT } from "./project_files.ts";
import { licensesIn, type Lock, renderSbom } from "./sbom.ts";
import { TARGETS } from "./targets.ts";

const LOCK: Lock = {
  npm: { "@a/b@1.0.0": { integrity: "sha512-AQID" }, "tests-only@2.0.0": { integrity: "sha512-BAU=" } },
};
const CODE =
  '// npm:@a/b/1.0.0/c.js\nvar x = __commonJS({ "npm:@a/b/1.0.0/d.js"(exports) {} });\n// mod/a.ts\n';

Deno.test("renderSbom() lists the runtimes as pinned and the packages in the bundle, each once, and no other", () => {
  const bill = JSON.parse(renderSbom({ version: "1.2.3", code: CODE, lock: LOCK, licenseOf: () => "MIT" }));
  assertEquals([bill.bomFormat, bill.specVersion, bill.metadata.component.version], [
    "CycloneDX",
    "1.6",
    "1.2.3",
  ]);
  // deno-lint-ignore no-explicit-any
  const rows = bill.components.map(({ name, version, hashes }: any) => [name, version, hashes[0].content]);
  assertEquals(rows, [
    ...TARGETS.map(({ arch, runtimeSha256 }) => [`denort-${arch}`, "2.7.11", runtimeSha256]),
    ["@a/b", "1.0.0", "010203"],
  ]);
  assertEquals(bill.components.at(-1).purl, "pkg:npm/%40a/b@1.0.0");
  assertEquals(bill.dependencies[0].dependsOn.length, 3);
});

Deno.test("renderSbom() refuses a bundle with a package that is not locked", () => {
  const code = "// npm:other/1.0.0/c.js\n";
  assertThrows(
    () => renderSbom({ version: "1", code, lock: LOCK, licenseOf: () => undefined }),
    Error,
    'Cannot name the sum of "other@1.0.0"',
  );
});

Deno.test("renderSbom() names every package that the program imports, with its license", async () => {
  const manifest = JSON.parse(Deno.readTextFileSync(join(PROJECT, "deno.json")));
  const text = renderSbom({
    version: manifest.version,
    code: [...(await bundleProgram("main.ts", PROJECT)).values()].join(""),
    lock: JSON.parse(Deno.readTextFileSync(join(PROJECT, "deno.lock"))),
    licenseOf: licensesIn(await npmCacheOf(PROJECT)),
  });
  const { components } = JSON.parse(text);
  // deno-lint-ignore no-explicit-any
  for (const { name, licenses } of components as any[]) {
    assertMatch(licenses[0].license.id, /^[\w.-]+$/, name);
  }
  const names: readonly string[] = components.map(({ name }: { readonly name: string }) => name);
  for (const specifier of Object.values(manifest.imports) as string[]) {
    const name = /^npm:((?:@[^/]+\/)?[^@]+)@/.exec(specifier)?.[1];
    assert(name !== undefined && names.includes(name), specifier);
  }
  assert(!names.includes("fast-check"), "a package of tests is in the binary");
});
