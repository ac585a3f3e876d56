/**
 * Damaged twins of a good text, for the property that no text makes a parser fail in an unforeseen way. Tests
 * only.
 */

import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";

/** Runs of each property: enough to hit every field of a kernel file many times, done in a few seconds. */
const RUNS = 10_000;

/**
 * Texts that upset parsers: separators, signs, other notations of numbers, too long ones, names of object
 * members.
 */
const NASTY = [
  "",
  " ",
  "\n",
  "\n\n",
  "\r\n",
  "\0",
  "\t",
  ":",
  "=",
  ")",
  " (",
  "-",
  "-1",
  ".",
  ",",
  "0x1f",
  "1e9",
  "1e999",
  "NaN",
  "Infinity",
  "max",
  "__proto__",
  "\uFEFF",
  "\uFFFD",
  "9".repeat(21),
  "9".repeat(400),
];

/** One edit, at a place given as a share of the text's length. */
const edit = fc.record({
  kind: fc.constantFrom("cut", "insert", "replace", "duplicate"),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 40 }),
  text: fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: "binary", maxLength: 4 }),
  ),
});

/** Copies of a text in which 1 to 4 random slices are cut, inserted, replaced or doubled. */
export function mutationsOf(good: string): fc.Arbitrary<string> {
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => {
    let text = good;
    for (const { kind, at, length, text: inserted } of edits) {
      const start = Math.floor(at * text.length);
      const slice = text.slice(start, start + length);
      const head = text.slice(0, start);
      const tail = text.slice(start + length);
      switch (kind) {
        case "cut":
          text = head + tail;
          break;
        case "insert":
          text = head + inserted + slice + tail;
          break;
        case "replace":
          text = head + inserted + tail;
          break;
        case "duplicate":
          text = head + slice + slice + tail;
          break;
      }
    }
    return text;
  });
}

/**
 * Asserts that a parser reads or refuses each of 10 000 mutations of a good text: a {@linkcode ParseError} is
 * a refusal, anything else that is thrown fails, also an assertion that `parse` makes on what it has read.
 */
export function assertReadsOrRefuses(good: string, parse: (text: string) => void): void {
  parse(good);
  fc.assert(
    fc.property(mutationsOf(good), (text) => {
      try {
        parse(text);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
      }
    }),
    { numRuns: RUNS },
  );
}

/** Asserts that each number in a value, however deep, is finite and not negative. */
export function assertSoundNumbers(value: unknown): void {
  if (typeof value === "number" && !(Number.isFinite(value) && value >= 0)) {
    throw new RangeError(`is ${value}, expected a finite number of at least 0`);
  }
  if (typeof value === "object" && value !== null) Object.values(value).forEach(assertSoundNumbers);
}
