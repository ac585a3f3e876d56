import { assert, assertEquals } from "@std/assert";
import type { ConfigKey } from "./config_key.ts";
import { CONFIG_FIELDS, CONFIG_KEYS, defaultConfig, maybeFieldOf, sectionNames } from "./schema.ts";

const rows = CONFIG_FIELDS.map((field) => ({ field, ...CONFIG_KEYS[field] as ConfigKey<unknown> }));

Deno.test("CONFIG_KEYS has a default for each setting that its own type reads", () => {
  for (const { field, type, fallback } of rows) {
    assertEquals(type.maybeRead(type.render(fallback)), { value: fallback }, field);
  }
  assertEquals(Object.keys(defaultConfig()), [...CONFIG_FIELDS]);
});

Deno.test("CONFIG_KEYS names each key and each variable of BOA once", () => {
  const keys = rows.map(({ section, key }) => `${section}.${key}`);
  assertEquals(new Set(keys).size, keys.length);
  const variables = rows.flatMap(({ barracuda }) => barracuda);
  assertEquals(new Set(variables).size, variables.length);
});

Deno.test("CONFIG_KEYS helps with each setting in one short line", () => {
  for (const { field, help, type } of rows) {
    assert(help !== "" && help.length <= 80 && !help.endsWith("."), field);
    assert(type.expected !== "" && !type.expected.endsWith("."), field);
  }
});

Deno.test("CONFIG_KEYS keeps settings of one section together", () => {
  const sections = rows.map(({ section }) => section).filter((section, index, all) =>
    section !== all[index - 1]
  );
  assertEquals(sections, [...sectionNames()]);
});

Deno.test("maybeFieldOf() finds a key in its own section only", () => {
  assertEquals(maybeFieldOf("ladder", "max"), "maxRatio");
  assertEquals(maybeFieldOf("web", "max"), undefined);
  assertEquals(maybeFieldOf("__proto__", "constructor"), undefined);
});
