import { assertEquals, assertStringIncludes } from "@std/assert";
import { renderChanged, renderIni } from "./print.ts";
import { resolveConfig } from "./resolve.ts";
import type { ConfigSources } from "./sources.ts";

const ROWS: readonly ConfigSources[] = [
  {},
  { ini: { source: "x.ini", text: Deno.readTextFileSync("fixtures/config/good.ini") } },
  { barracuda: { source: "x.cnf", text: Deno.readTextFileSync("fixtures/config/barracuda.cnf") } },
  { overrides: ["agent.procfs=/run/loadweir/proc", "backup.marker=", "runaways.names=", "web.max_hold=0"] },
];

Deno.test("renderChanged() writes what reads back to the same configuration, and no default", () => {
  for (const sources of ROWS) {
    const { config, origins } = resolveConfig(sources);
    const again = resolveConfig({ overrides: renderChanged(origins) });
    assertEquals([again.problems, again.config], [[], config]);
  }
  assertEquals(renderChanged(resolveConfig({}).origins), []);
  const { origins } = resolveConfig({ ini: { source: "/x.ini", text: "[ladder]\nmax = 7" } });
  assertEquals(renderChanged(origins), ["ladder.max=7"]);
});

Deno.test("renderIni() writes what reads back to the same configuration without a problem", () => {
  for (const sources of ROWS) {
    const { config, origins, sites, instances, apps, sectionOrigins } = resolveConfig(sources);
    const text = renderIni(origins, sectionOrigins);
    const again = resolveConfig({ ini: { source: "printed.ini", text } });
    assertEquals(again.problems, []);
    assertEquals([again.config, again.sites, again.instances, again.apps], [config, sites, instances, apps]);
  }
});

Deno.test("renderIni() says what each setting of a named section is and where it came from, also the defaults", () => {
  const text = "[instance:a.b]\nmetrics = http://127.0.0.1:9101/metrics\n";
  const { origins, sectionOrigins } = resolveConfig({ ini: { source: "/x.ini", text } });
  const printed = renderIni(origins, sectionOrigins);
  assertStringIncludes(printed, "[instance:a.b]\n; where it tells its figures: http://127.0.0.1:PORT/PATH,");
  assertStringIncludes(printed, "; from /x.ini:2\nmetrics = http://127.0.0.1:9101/metrics\n");
  assertStringIncludes(printed, "\npreset = auto\n");
});

Deno.test("renderIni() says what each setting is and where its value came from", () => {
  const { origins } = resolveConfig({ ini: { source: "/x.ini", text: "[ladder]\nmax = 7" } });
  assertStringIncludes(
    renderIni(origins),
    "; above it the web is paused: a number above 0 such as 6.1 (load per CPU)\n; from /x.ini:2\nmax = 7\n",
  );
});
