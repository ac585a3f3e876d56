/** Renders help from the table of verbs: two columns, examples at the end. */

import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** Help for the program. */
export function renderHelp(): string {
  return [
    "loadweir sheds load before a web host goes under, and gives everything back once it is safe",
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
    ...columns([
      ["0", "yes, or all is well"],
      ["1", "no, or it failed"],
      ["2", "command line or configuration is wrong"],
      ["3", "this host cannot be guarded"],
      ["75", "not now, try again later"],
    ]),
    "",
    "examples",
    ...columns([
      ["loadweir check", "is this host set up?"],
      ["loadweir run --dry-run", "watch what it would do"],
      ["loadweir VERB --help", "more on a verb"],
    ]),
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

function spelled(flag: Flag): string {
  return flag.value === undefined ? `--${flag.name}` : `--${flag.name} ${flag.value}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}   ${right}`);
}
