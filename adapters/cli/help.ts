/** Renders help from the table of verbs: two columns, examples at the end. */

import { EXIT_MEANINGS } from "./exit_code.ts";
import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** What the program is for: the end of a sentence that begins with its name. */
export const PURPOSE = "sheds load before a web host goes under, and gives everything back once it is safe";

/** What somebody who has just got it types first. */
export const FIRST_EXAMPLES: readonly (readonly [command: string, purpose: string])[] = [
  ["loadweir check", "is this host set up?"],
  ["loadweir run --dry-run", "watch what it would do"],
  ["loadweir VERB --help", "more on a verb"],
];

/** Help for the program. */
export function renderHelp(): string {
  return [
    `loadweir ${PURPOSE}`,
    "",
    "usage: loadweir VERB [FLAGS]",
    "",
    "verbs",
    ...columns(VERBS.map((verb) => [`${verb.name} ${verb.operands}`.trimEnd(), verb.summary])),
    "",
    "flags",
    ...columns(COMMON_FLAGS.map((flag) => [spelled(flag), flag.help])),
    "",
    "exit codes",
    ...columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning])),
    "",
    "examples",
    ...columns(FIRST_EXAMPLES),
    "",
  ].join("\n");
}

/** Help for one verb. */
export function renderVerbHelp(verb: Verb): string {
  const usage = ["usage: loadweir", verb.name, verb.operands, "[FLAGS]"].filter((word) => word !== "").join(
    " ",
  );
  return [
    `loadweir ${verb.name}: ${verb.summary}`,
    "",
    usage,
    "",
    verb.details,
    "",
    "flags",
    ...columns([...verb.flags, ...COMMON_FLAGS].map((flag) => [spelled(flag), flag.help])),
    "",
    "examples",
    ...verb.examples.flatMap(([command, purpose]) => [`  ${command}`, `      ${purpose}`]),
    "",
  ].join("\n");
}

/** A flag as it is typed: `--for TIME`. */
export function spelled(flag: Flag): string {
  return flag.value === undefined ? `--${flag.name}` : `--${flag.name} ${flag.value}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`);
}
