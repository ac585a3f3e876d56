/** Facts below each other: a name and what is so of it. */

import { type Markup, markup } from "../markup.ts";

/** A name and a text for each. */
export type Facts = readonly (readonly [name: string, text: string])[];

/** The rows of a list of facts, which go between the tags of a `dl`. Never throws. */
export function factRows(facts: Facts): readonly Markup[] {
  return facts.map(([name, text]) => markup`<dt>${name}</dt><dd>${text}</dd>`);
}
