import { assertEquals, assertMatch } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { escapeHtml, markup, own } from "./markup.ts";

Deno.test("markup`` takes its own text as it stands, and escapes what is put into it", () => {
  const inner = markup`<b>${"<&>"}</b>`;
  assertEquals(inner.markup, "<b>&#x3c;&#x26;&#x3e;</b>");
  assertEquals(
    markup`<p title="${'"'}">${inner}${[own("<i>"), own("</i>")]}${7}${undefined}</p>`.markup,
    `<p title="&#x22;">${inner.markup}<i></i>7</p>`,
  );
});

Deno.test("markup`` takes a line break with the blanks around it for one blank, and for none at its ends", () => {
  assertEquals(
    markup`
      <p>
        ${"one"}
        ${"two"}${" three"}
      </p>
    `.markup,
    "<p> one two three </p>",
  );
});

Deno.test("own() stands as it is, whatever its length", () => {
  const path = "L1 2".repeat(2_000);
  assertEquals(markup`<path d="${own(path)}" />`.markup, `<path d="${path}" />`);
});

Deno.test("escapeHtml() gives ASCII on one line: letters by number, no half letters, no controls", () => {
  assertEquals(escapeHtml("m\u00fcde \u{1f980}"), "m&#xfc;de &#x1f980;");
  assertEquals(escapeHtml("a\ud83eb\n\u202e"), "a&#xfffd;b&#xfffd;&#xfffd;");
  assertMatch(escapeHtml("x".repeat(5_000)), /^x{1000}&#x2026;$/);
});

Deno.test("escapeHtml() lets no text open a tag, leave an attribute or begin a reference", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const escaped = escapeHtml(text);
    assertMatch(escaped, /^[ -~]*$/);
    assertMatch(escaped, /^(?:[^&<>"'`]|&#x[0-9a-f]+;)*$/);
  }));
});

Deno.test("escapeHtml() loses no letter that can be shown", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
    const read = escapeHtml(text).replace(
      /&#x([0-9a-f]+);/g,
      (_, code) => String.fromCodePoint(parseInt(code, 16)),
    );
    assertEquals(read.replaceAll("\ufffd", ""), shown(text).replaceAll("\ufffd", ""));
  }));
});

/** Without what could redraw a terminal or turn the text around. */
function shown(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, "");
}
