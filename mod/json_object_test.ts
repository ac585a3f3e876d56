import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "./errors.ts";
import { type JsonObject, parseJsonObject } from "./json_object.ts";

const KEYS = ["name", "count", "share", "on", "tags", "inner", "list"];

const GOOD = {
  name: "",
  count: 9_007_199_254_740_991,
  share: 0.5,
  on: false,
  tags: ["a", ""],
  inner: { name: "x" },
  list: [{ count: 0 }, {}],
};

function read(value: unknown): JsonObject {
  return parseJsonObject(JSON.stringify(value), "/run/x.json", KEYS);
}

Deno.test("parseJsonObject() gives members of each kind", () => {
  const object = read(GOOD);
  assertEquals(object.text("name"), "");
  assertEquals(object.count("count"), 9_007_199_254_740_991);
  assertEquals(object.amount("share"), 0.5);
  assertEquals(object.flag("on"), false);
  assertEquals(object.texts("tags"), ["a", ""]);
  assertEquals(object.object("inner", ["name"]).text("name"), "x");
  assertEquals(object.objects("list", ["count"]).map((item) => item.maybe("count", item.count)), [
    0,
    undefined,
  ]);
  assertEquals(read({ name: "held" }).word("name", ["stopping", "held"]), "held");
});

for (
  const { name, text } of [
    { name: "an empty text", text: "" },
    { name: "a text that is cut short", text: '{"name":"x"' },
    { name: "a list", text: "[]" },
    { name: "null", text: "null" },
    { name: "a number", text: "1" },
    { name: "two objects", text: "{}{}" },
    { name: "a member that is not known", text: '{"other":1}' },
    { name: "a member named as one that objects have", text: '{"__proto__":1}' },
  ]
) {
  Deno.test(`parseJsonObject() refuses ${name}`, () => {
    assertThrows(() => parseJsonObject(text, "/run/x.json", KEYS), ParseError);
  });
}

for (
  const { name, value, ask, message } of [
    {
      name: "a text that is none",
      value: { name: 1 },
      ask: (object: JsonObject) => object.text("name"),
      message: 'Cannot parse "/run/x.json": name is "1", expected a text',
    },
    {
      name: "a member that is not there",
      value: {},
      ask: (object: JsonObject) => object.text("toString"),
      message: "toString is missing, expected a text",
    },
    {
      name: "a number with a fraction",
      value: { count: 1.5 },
      ask: (object: JsonObject) => object.count("count"),
      message: "a whole number",
    },
    {
      name: "a number that is not exact",
      value: { count: 9_007_199_254_740_992 },
      ask: (object: JsonObject) => object.count("count"),
      message: "a whole number",
    },
    {
      name: "a negative number",
      value: { share: -0.1 },
      ask: (object: JsonObject) => object.amount("share"),
      message: "a number from 0",
    },
    {
      name: "a flag that is a number",
      value: { on: 0 },
      ask: (object: JsonObject) => object.flag("on"),
      message: "true or false",
    },
    {
      name: "another word",
      value: { name: "helt" },
      ask: (object: JsonObject) => object.word("name", ["stopping", "held"]),
      message: "expected stopping or held",
    },
    {
      name: "a list with something else in it",
      value: { tags: ["a", 1] },
      ask: (object: JsonObject) => object.texts("tags"),
      message: "a list of texts",
    },
    {
      name: "a text in place of a list",
      value: { list: "ab" },
      ask: (object: JsonObject) => object.objects("list", KEYS),
      message: "a list",
    },
    {
      name: "a member that is null",
      value: { name: null },
      ask: (object: JsonObject) => object.maybe("name", object.text),
      message: "a text",
    },
    {
      name: "an inner object with an unknown member, by its place",
      value: { list: [{}, { inner: { x: 1 } }] },
      ask: (object: JsonObject) =>
        object.objects("list", ["inner"]).map((item) => item.maybe("inner", (key) => item.object(key, []))),
      message: '"list[1].inner.x" is not known',
    },
  ]
) {
  Deno.test(`parseJsonObject() refuses ${name}`, () => {
    assertThrows(() => ask(read(value)), ParseError, message);
  });
}
