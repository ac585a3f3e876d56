import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { mutationsOf } from "../testing/mutations.ts";
import { isSameLastGood, parseLastGood, renderLastGood } from "./last_good.ts";
import { resolveConfig } from "./resolve.ts";
import type { ConfigSources } from "./sources.ts";

const TAKEN_MS = Date.UTC(2026, 10, 29, 19, 31, 5);
const GOOD_INI = Deno.readTextFileSync("fixtures/config/good.ini");
const GOOD_CNF = Deno.readTextFileSync("fixtures/config/barracuda.cnf");

/** Asserts that what applies of these sources is the same after it was kept and read again. */
function assertKept(sources: ConfigSources, profile: "boa" | "generic"): void {
  const resolved = resolveConfig(sources);
  const { config, sites, instances, apps, unusable } = resolved;
  if (unusable) return;
  const text = renderLastGood({ ...resolved, profile }, TAKEN_MS);
  const kept = parseLastGood({ source: "kept.ini", text });
  assert(kept.kind === "ok", JSON.stringify(kept));
  assertEquals([kept.value.profile, kept.value.takenAt], [profile, "2026-11-29T19:31:05Z"]);
  const again = resolveConfig({ ini: kept.value.ini });
  assertEquals(
    [again.config, again.sites, again.instances, again.apps],
    [{ ...config, profile }, sites, instances, apps],
  );
}

Deno.test("renderLastGood() writes what reads back to the same configuration, whatever the sources were", () => {
  const profile = fc.constantFrom("boa" as const, "generic" as const);
  // A path may be called anything, and so may a file that is no settings file.
  const source = fc.oneof(
    fc.constant("x.ini"),
    fc.string({ unit: "binary" }),
    fc.constant("x\n[ladder]\nmax = 1\n"),
  );
  fc.assert(
    fc.property(mutationsOf(GOOD_INI), mutationsOf(GOOD_CNF), source, profile, (ini, cnf, path, decided) => {
      assertKept({ ini: { source: path, text: ini } }, decided);
      assertKept({ barracuda: { source: path, text: cnf } }, decided);
      assertKept({ ini: { source: path, text: ini }, barracuda: { source: "x.cnf", text: cnf } }, decided);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("renderLastGood() keeps what somebody set and the profile, and nothing of anybody else", () => {
  const resolved = resolveConfig({
    barracuda: { source: "/root/.barracuda.cnf", text: "_DB_PASSWORD=s3cret\n_CPU_MAX_RATIO=7\n" },
  });
  const text = renderLastGood({ ...resolved, profile: "boa" }, TAKEN_MS);
  const settings = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  assertEquals(settings, ["[agent]", "profile = boa", "[ladder]", "max = 7"]);
  assertStringIncludes(text, "; from /root/.barracuda.cnf:2\nmax = 7\n");
});

const KEPT = renderLastGood(
  { ...resolveConfig({ ini: { source: "x.ini", text: GOOD_INI } }), profile: "generic" },
  TAKEN_MS,
);

Deno.test("parseLastGood() takes nothing of a text that is not what was kept", () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ["empty", "", "it does not say when it was taken"],
    ["a text of NUL", "\0".repeat(4096), "it does not say when it was taken"],
    ["a settings file of a person", GOOD_INI, "it does not say when it was taken"],
    ["cut in the head", KEPT.slice(0, 80), "[agent] profile is auto"],
    ["a bad value", KEPT.replace(/^max = .*$/m, "max = 7,5"), '[ladder] max is "7,5"'],
    ["an unknown key", `${KEPT}mx = 3\n`, "unknown key"],
    ["a profile that is not decided", KEPT.replace("profile = generic", "profile = auto"), "profile is auto"],
  ];
  for (const [name, text, problem] of rows) {
    const kept = parseLastGood({ source: "kept.ini", text });
    assert(kept.kind === "failed", name);
    assertStringIncludes(kept.error, problem, name);
  }
});

Deno.test("isSameLastGood() goes by the settings, not by when they were taken", () => {
  const later = KEPT.replace("19:31:05", "20:00:00");
  assert(later !== KEPT && isSameLastGood(KEPT, later));
  assert(!isSameLastGood(KEPT, KEPT.replace("profile = generic", "profile = boa")));
});
