/**
 * Reads JSON that a program of ours wrote, member by member: each is there and of its kind, or the whole text
 * is refused with the member's place in it.
 *
 *     {"version":1,"hold":{"phase":"held"}}
 *
 * `Cannot parse "/run/x.json": hold.phase is "helt", expected stopping, held or starting`
 */

import { ParseError, quote } from "./errors.ts";

/** The members of one JSON object. Every method throws a {@linkcode ParseError} that names the member. */
export interface JsonObject {
  /** A text, the empty one too. */
  readonly text: (key: string) => string;
  /** A whole number from 0 up to the greatest that is exact. */
  readonly count: (key: string) => number;
  /** A finite number from 0. */
  readonly amount: (key: string) => number;
  readonly flag: (key: string) => boolean;
  /** One of these words. */
  readonly word: <T extends string>(key: string, words: readonly T[]) => T;
  /** A list of texts. */
  readonly texts: (key: string) => readonly string[];
  /** An object with these members and no others. */
  readonly object: (key: string, keys: readonly string[]) => JsonObject;
  /** A list of objects with these members and no others. */
  readonly objects: (key: string, keys: readonly string[]) => readonly JsonObject[];
  /** What `read` makes of the member; undefined where there is no such member. Null is not undefined. */
  readonly maybe: <T>(key: string, read: (key: string) => T) => T | undefined;
  /** Refuses the text because of one member. */
  readonly refuse: (key: string, expected: string) => never;
}

/**
 * Reads a text that is one JSON object.
 *
 * @param source Where it is from, for the error
 * @param keys Names of the members that it may have; any other is refused
 * @param line Line number from 1 where it is one of several, for the error
 * @throws {ParseError} If the text is no JSON object, or has another member
 */
export function parseJsonObject(
  text: string,
  source: string,
  keys: readonly string[],
  line?: number,
): JsonObject {
  const fail = (problem: string): never => {
    throw new ParseError(source, problem, line);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail(`${quote(text)} is no JSON, expected one object`);
  }
  return objectOf(value, fail, "", keys);
}

type Fail = (problem: string) => never;

function objectOf(value: unknown, fail: Fail, place: string, keys: readonly string[]): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return fail(`${place === "" ? "the text" : place} is no JSON object, expected one`);
  }
  const members: ReadonlyMap<string, unknown> = new Map(Object.entries(value));
  const placeOf = (key: string): string => place === "" ? key : `${place}.${key}`;
  for (const key of members.keys()) {
    if (!keys.includes(key)) {
      fail(`${quote(placeOf(key))} is not known, expected ${keys.join(", ")}`);
    }
  }

  function refuse(key: string, expected: string): never {
    const seen = members.has(key) ? `is ${quote(JSON.stringify(members.get(key)))}` : "is missing";
    return fail(`${placeOf(key)} ${seen}, expected ${expected}`);
  }

  function amount(key: string): number {
    const member = members.get(key);
    return typeof member === "number" && Number.isFinite(member) && member >= 0
      ? member
      : refuse(key, "a number from 0");
  }

  function text(key: string): string {
    const member = members.get(key);
    return typeof member === "string" ? member : refuse(key, "a text");
  }

  function list(key: string): readonly unknown[] {
    const member = members.get(key);
    return Array.isArray(member) ? member : refuse(key, "a list");
  }

  return {
    text,
    amount,
    count(key: string): number {
      const number = amount(key);
      return Number.isSafeInteger(number) ? number : refuse(key, "a whole number from 0");
    },
    flag(key: string): boolean {
      const member = members.get(key);
      return typeof member === "boolean" ? member : refuse(key, "true or false");
    },
    word<T extends string>(key: string, words: readonly T[]): T {
      return words.find((word) => word === members.get(key)) ?? refuse(key, words.join(" or "));
    },
    texts(key: string): readonly string[] {
      return list(key).map((item) => typeof item === "string" ? item : refuse(key, "a list of texts"));
    },
    object(key: string, keys: readonly string[]): JsonObject {
      return objectOf(members.get(key), fail, placeOf(key), keys);
    },
    objects(key: string, keys: readonly string[]): readonly JsonObject[] {
      return list(key).map((item, index) => objectOf(item, fail, `${placeOf(key)}[${index}]`, keys));
    },
    maybe<T>(key: string, read: (key: string) => T): T | undefined {
      return members.has(key) ? read(key) : undefined;
    },
    refuse,
  };
}
