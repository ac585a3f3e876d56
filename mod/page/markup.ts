/**
 * HTML in which text from outside is only ever text.
 *
 * A template of {@linkcode markup} escapes every text that is put into it, inside a tag or between tags, and takes nothing
 * else but markup that another template made. The result is ASCII, so that its length is its number of bytes.
 *
 * @see https://html.spec.whatwg.org/multipage/syntax.html#character-references
 */

import { printableWithin } from "../report/printable.ts";

/** Longer than any evidence; what is cut ends in an ellipsis. */
const TEXT_LIMIT = 1_000;

/** Text that is HTML already. Only {@linkcode markup} and {@linkcode own} make it. */
export interface Markup {
  readonly markup: string;
}

/** What can be put into a template. Nothing is put for undefined. */
type Part = Markup | string | number | undefined | readonly Markup[];

/**
 * A template of HTML: its own text as it stands, which must be ASCII, and its parts escaped. A line break of the template
 * with the blanks around it is one blank, and none at its ends, so that how the source is laid out shows nowhere. Never
 * throws.
 */
export function markup(fixed: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const last = fixed.length - 1;
  const pieces = fixed.map((text, at) => {
    const begun = at === 0 ? text.replace(/^\s*\n\s*/, "") : text;
    const ended = at === last ? begun.replace(/\s*\n\s*$/, "") : begun;
    return `${ended.replace(/\s*\n\s*/g, " ")}${markupOf(parts[at])}`;
  });
  return { markup: pieces.join("") };
}

/** ASCII of this program that stands as it is, whatever its length: no text from outside may be in it. */
export function own(text: string): Markup {
  return { markup: text };
}

/** A text that is nothing but text in HTML, also between quotation marks: one line of ASCII. Never throws. */
export function escapeHtml(text: string): string {
  return printableWithin(TEXT_LIMIT, text).replace(/[&<>"'`]|[^ -~]/gu, reference);
}

function markupOf(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(`${part}`);
  return "markup" in part ? part.markup : part.map((one) => one.markup).join("");
}

/** A half of a surrogate pair is no character, and would be no reference. */
function reference(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `&#x${(code >= 0xd800 && code <= 0xdfff ? 0xfffd : code).toString(16)};`;
}
