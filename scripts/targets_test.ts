import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { PROJECT } from "./project_files.ts";
import { DENO_VERSION, TARGETS } from "./targets.ts";

Deno.test("DENO_VERSION is the version that scripts/deno runs", async () => {
  const wrapper = await Deno.readTextFile(join(PROJECT, "scripts", "deno"));
  assertEquals(/^pinned=(.*)$/m.exec(wrapper)?.[1], DENO_VERSION);
});

Deno.test("TARGETS pins a runtime and a package version for each machine", () => {
  assertEquals(TARGETS.map(({ arch }) => arch), ["x86_64", "aarch64"]);
  for (const { arch, triple, runtimeSha256, npmPackage } of TARGETS) {
    assertEquals(triple, `${arch}-unknown-linux-gnu`);
    assertMatch(runtimeSha256, /^[0-9a-f]{64}$/);
    assertMatch(npmPackage, /^@stdy\/cli-linux-\w+@\d+\.\d+\.\d+$/);
  }
});
