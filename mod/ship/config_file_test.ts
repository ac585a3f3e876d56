import { assertEquals, assertStringIncludes } from "@std/assert";
import { CONFIG_FIELDS, CONFIG_KEYS } from "../config/schema.ts";
import { resolveConfig } from "../config/resolve.ts";
import { renderConfigFile } from "./config_file.ts";

const FILE = renderConfigFile();

Deno.test("renderConfigFile() sets nothing, and has nothing to complain of", () => {
  const { origins, problems, sites, unusable } = resolveConfig({ ini: { source: "x.ini", text: FILE } });
  assertEquals([problems, sites, unusable], [[], [], false]);
  assertEquals(origins.filter(({ source }) => source !== "default"), []);
});

Deno.test("renderConfigFile() shows every setting with its default", () => {
  const text = FILE.replace(/^;(?=\[|\w+ =)/gm, "");
  const { config, origins, problems, sites, instances, apps } = resolveConfig({
    ini: { source: "x.ini", text },
  });
  assertEquals(problems, []);
  assertEquals(config, resolveConfig({}).config);
  assertEquals(origins.filter(({ source }) => source !== "x.ini"), []);
  assertEquals(sites.map(({ name, deadlineMs }) => [name, deadlineMs]), [["www.example.org", 4_000]]);
  assertEquals([instances, apps].map((named) => named.map(({ name }) => name)), [["nginx"], ["php"]]);
  for (const field of CONFIG_FIELDS) assertStringIncludes(FILE, `; ${CONFIG_KEYS[field].help}: `);
});
