import { assertEquals, assertStringIncludes } from "@std/assert";
import { renderIni } from "./print.ts";
import { resolveConfig } from "./resolve.ts";
import type { ConfigSources } from "./sources.ts";

Deno.test("renderIni() writes what reads back to the same configuration without a problem", () => {
  const rows: readonly ConfigSources[] = [
    {},
    { ini: { source: "x.ini", text: Deno.readTextFileSync("fixtures/config/good.ini") } },
    { barracuda: { source: "x.cnf", text: Deno.readTextFileSync("fixtures/config/barracuda.cnf") } },
    {
      overrides: ["agent.procfs=/run/loadweir/proc", "backup.marker=", "runaways.names=", "web.max_hold=0"],
    },
  ];
  for (const sources of rows) {
    const { config, origins } = resolveConfig(sources);
    const again = resolveConfig({ ini: { source: "printed.ini", text: renderIni(origins) } });
    assertEquals(again.problems, []);
    assertEquals(again.config, config);
  }
});

Deno.test("renderIni() says what each setting is and where its value came from", () => {
  const { origins } = resolveConfig({ ini: { source: "/x.ini", text: "[ladder]\nmax = 7" } });
  assertStringIncludes(
    renderIni(origins),
    "; above it the web is paused: a number above 0 such as 6.1 (load per CPU)\n; from /x.ini:2\nmax = 7\n",
  );
});
