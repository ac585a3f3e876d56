import { assertEquals } from "@std/assert";
import { applyOverrides } from "./overrides.ts";
import { resolveConfig } from "./resolve.ts";

Deno.test("applyOverrides() lays settings on top, the later one winning", () => {
  const sources = applyOverrides({ ini: { source: "x.ini", text: "[ladder]\nmax = 7" } }, ["ladder.max=5"]);
  assertEquals(resolveConfig(sources).config.maxRatio, 5);
  const { config, problems } = resolveConfig(applyOverrides(sources, ["web.max_hold=0"]));
  assertEquals([config.maxRatio, config.maxHoldMs, problems], [5, 0, []]);
  assertEquals(resolveConfig(applyOverrides(sources, ["ladder.max = 5.5"])).config.maxRatio, 5.5);
});

Deno.test("applyOverrides() leaves the sources it is given as they are", () => {
  const sources = { overrides: ["ladder.max=5"] };
  applyOverrides(sources, ["ladder.max=6"]);
  assertEquals(sources, { overrides: ["ladder.max=5"] });
});

Deno.test("applyOverrides() makes every mistake an error of --set", () => {
  const rows: readonly [string, string][] = [
    ["max", 'is "max", expected section.key=value'],
    ["max=5", 'is "max=5", expected section.key=value'],
    [".max=5", 'is ".max=5", expected section.key=value'],
    ["=", 'is "=", expected section.key=value'],
    ["ladder.mx=5", "ladder.mx: unknown key, did you mean ladder.max?"],
    ["probe www.example.org.url=/", "probe www.example.org.url: unknown key"],
    ["ladder.max=5,5", 'ladder.max is "5,5", expected a number above 0 such as 6.1'],
    ["ladder.max=", "ladder.max is empty, expected a number above 0 such as 6.1"],
    ["ladder.max=9", "ladder.max = 9 is above crit = 8.1 (default), expected spider < max < crit"],
  ];
  for (const [override, expected] of rows) {
    const { problems } = resolveConfig(applyOverrides({}, [override]));
    assertEquals(problems.map(({ source, level, message }) => [source, level, message]), [[
      "--set",
      "error",
      expected,
    ]]);
  }
});
