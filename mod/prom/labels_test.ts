import { assertEquals, assertNotEquals } from "@std/assert";
import { LABEL_PATTERN, labelsKey, maybeLabels } from "./labels.ts";

const READ: readonly { text: string; labels: readonly (readonly [string, string])[] }[] = [
  { text: "", labels: [] },
  { text: 'le="0.05",route="/"', labels: [["le", "0.05"], ["route", "/"]] },
  { text: ' a = "1" ,\tb\t=\t"2" , ', labels: [["a", "1"], ["b", "2"]] },
  { text: String.raw`a="\\n\"\n",b="x=\"y\",c=\"z\""`, labels: [["a", '\\n"\n'], ["b", 'x="y",c="z"']] },
  { text: 'a="",b="1"', labels: [["b", "1"]] },
  { text: '__proto__="1",constructor="2"', labels: [["__proto__", "1"], ["constructor", "2"]] },
];

for (const { text, labels } of READ) {
  Deno.test(`maybeLabels() reads ${JSON.stringify(text)}`, () => {
    assertEquals([...maybeLabels(text) ?? []], labels);
  });
}

for (const text of ['a="1",a="2"', 'a="",a="2"', 'a="",a=""', 'a="1",a=""']) {
  Deno.test(`maybeLabels() takes no name twice, as in ${text}`, () => {
    assertEquals(maybeLabels(text), undefined);
  });
}

Deno.test("labelsKey() is the same in any order, and another for other labels", () => {
  const key = (text: string, without?: string): string => labelsKey(maybeLabels(text) ?? new Map(), without);
  assertEquals(key('a="1",b="2"'), key('b="2",a="1"'));
  assertEquals(key('le="1",b="2"', "le"), key('b="2",le="9"', "le"));
  assertNotEquals(key('a="1",b="2"'), key('a="2",b="1"'));
  assertNotEquals(key(String.raw`a="1\",b=\"2"`), key('a="1",b="2"'));
  assertNotEquals(key('a="1,b=2"'), key('a="1",b="2"'));
  assertEquals(key(""), "");
});

Deno.test("LABEL_PATTERN fits one label and no other quotes", () => {
  const label = new RegExp(`^${LABEL_PATTERN}$`);
  for (const good of ['a="1"', 'a_1 = "x" ', String.raw`a="\\"`, 'a="}"']) {
    assertEquals(label.test(good), true);
  }
  for (
    const bad of ['1a="1"', "a='1'", String.raw`a="\"`, String.raw`a="\t"`, 'a="\n"', 'a:b="1"', 'a="1"b']
  ) {
    assertEquals(label.test(bad), false, bad);
  }
});
