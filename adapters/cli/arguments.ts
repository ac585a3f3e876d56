/** Reads a command line by the table of verbs. */

import { parseArgs } from "@std/cli/parse-args";
import type { ValueType } from "../../mod/config/values.ts";
import { nearest } from "../../mod/nearest.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** A command line that cannot be followed: the message says what, and the nearest that could. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The flags and operands of a verb. */
export interface Arguments {
  readonly operands: readonly string[];
  /** Whether a flag without value was given. */
  readonly has: (flag: string) => boolean;
  /** The value of a flag; undefined when it was not given. */
  readonly value: (flag: string) => string | undefined;
  /** All values of a flag that may be repeated. */
  readonly values: (flag: string) => readonly string[];
}

/**
 * The time that a flag gives, in milliseconds; undefined when it was not given.
 *
 * @throws {UsageError} If the value is no such time
 */
export function timeOf(args: Arguments, flag: string, type: ValueType<number>): number | undefined {
  const text = args.value(flag);
  if (text === undefined) return undefined;
  const read = type.maybeRead(text);
  if (read === undefined) {
    throw new UsageError(`--${flag} is ${JSON.stringify(text)}, expected ${type.expected}`);
  }
  return read.value;
}

/** What was asked for. */
export type Invocation =
  | { readonly kind: "help"; readonly verb: Verb | undefined }
  | { readonly kind: "version" }
  | { readonly kind: "verb"; readonly verb: Verb; readonly args: Arguments };

/**
 * Reads a command line.
 *
 * @throws {UsageError} If the verb or a flag is unknown, a flag lacks its value or has one too many, or the number of
 * operands is wrong
 */
export function readInvocation(words: readonly string[]): Invocation {
  const [first, ...rest] = words;
  if (first === undefined) throw new UsageError("no verb given; `loadweir --help` lists them");
  if (first === "--help" || first === "-h" || first === "help") {
    return { kind: "help", verb: rest[0] === undefined ? undefined : findVerb(rest[0]) };
  }
  if (first === "--version" || first === "-V") return { kind: "version" };
  const verb = findVerb(first);
  const flags = [...verb.flags, ...COMMON_FLAGS];
  const parsed = parseArgs(normalized(rest, flags), {
    boolean: flags.filter((flag) => flag.value === undefined).map((flag) => flag.name),
    string: flags.filter((flag) => flag.value !== undefined).map((flag) => flag.name).concat("_"),
    collect: flags.filter((flag) => flag.value !== undefined).map((flag) => flag.name),
    unknown(word: string, name?: string): boolean {
      if (name !== undefined) refuseFlag(word, verb, flags);
      return true;
    },
  });
  if (parsed["help"] === true) return { kind: "help", verb };
  if (parsed["version"] === true) return { kind: "version" };
  for (const flag of flags) {
    if (flag.value === undefined) refuseValue(flag, rest);
    else refuseBadValues(flag, listOf(parsed[flag.name]), verb);
  }
  const operands = parsed._.map(String);
  refuseOperandCount(verb, operands);
  return {
    kind: "verb",
    verb,
    args: {
      operands,
      has: (flag) => parsed[flag] === true,
      value: (flag) => listOf(parsed[flag])[0],
      values: (flag) => listOf(parsed[flag]),
    },
  };
}

/** `-h` spelled out, and `--config -` joined: a lone dash is a value like any other, which the parser does not see. */
function normalized(words: readonly string[], flags: readonly Flag[]): readonly string[] {
  const valued = new Set(flags.filter((flag) => flag.value !== undefined).map((flag) => `--${flag.name}`));
  const result: string[] = [];
  for (const word of words) {
    const before = result.at(-1);
    if (word === "-" && before !== undefined && valued.has(before)) result[result.length - 1] = `${before}=-`;
    else result.push(word === "-h" ? "--help" : word);
  }
  return result;
}

function findVerb(name: string): Verb {
  const verb = VERBS.find((known) => known.name === name);
  if (verb !== undefined) return verb;
  const what = name.startsWith("-") ? "flag" : "verb";
  const known = what === "flag"
    ? COMMON_FLAGS.map((flag) => `--${flag.name}`)
    : VERBS.map((other) => other.name);
  throw new UsageError(
    `unknown ${what} ${name}${suggestion(name, known)}; \`loadweir --help\` lists the verbs`,
  );
}

function refuseFlag(word: string, verb: Verb, flags: readonly Flag[]): never {
  const name = word.split("=", 1)[0] ?? word;
  const known = flags.map((flag) => `--${flag.name}`);
  throw new UsageError(
    `unknown flag ${name}${suggestion(name, known)}; \`loadweir ${verb.name} --help\` lists its flags`,
  );
}

function suggestion(word: string, known: readonly string[]): string {
  const match = nearest(word, known);
  return match === undefined ? "" : `, did you mean ${match}?`;
}

function refuseValue(flag: Flag, words: readonly string[]): void {
  if (words.some((word) => word.startsWith(`--${flag.name}=`))) {
    throw new UsageError(`--${flag.name} takes no value`);
  }
}

function refuseBadValues(flag: Flag, values: readonly string[], verb: Verb): void {
  if (values.includes("")) {
    throw new UsageError(`--${flag.name} needs a value: loadweir ${verb.name} --${flag.name} ${flag.value}`);
  }
  if (values.length > 1 && flag.repeats !== true) {
    throw new UsageError(`--${flag.name} is given twice, as ${values.join(" and as ")}`);
  }
}

function refuseOperandCount(verb: Verb, operands: readonly string[]): void {
  const [least, most] = verb.operandCount;
  const usage = `usage: loadweir ${verb.name}${verb.operands === "" ? "" : ` ${verb.operands}`}`;
  if (operands.length < least) throw new UsageError(`${verb.name} needs ${verb.operands}; ${usage}`);
  const extra = operands[most];
  if (extra !== undefined) {
    throw new UsageError(`unexpected ${JSON.stringify(extra)} after ${verb.name}; ${usage}`);
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : [];
}
