/** Renders shell completions from the table of verbs. */

import { COMMON_FLAGS, type Flag, type Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";

/** A shell that completions can be made for. */
export type Shell = "bash" | "zsh" | "fish";

/** The completion script for a shell, ready to be read by it. */
export function renderCompletions(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
  }
}

function flagsOf(verb: Verb): readonly Flag[] {
  return [...verb.flags, ...COMMON_FLAGS];
}

function wordsOf(flags: readonly Flag[]): string {
  return flags.map((flag) => `--${flag.name}`).join(" ");
}

function bash(): string {
  const cases = VERBS.map((verb) => {
    const words = [...(Array.isArray(verb.completes) ? verb.completes : []), wordsOf(flagsOf(verb))].join(
      " ",
    );
    const files = verb.completes === "file" ? " -f" : "";
    return `    ${verb.name}) COMPREPLY=($(compgen${files} -W "${words}" -- "$word")) ;;`;
  });
  const valued = VERBS.flatMap((verb) => verb.flags).filter((flag) => flag.completes !== undefined);
  const names = [...new Set(valued.map((flag) => `--${flag.name}`))].join("|");
  return `# bash completion for loadweir
_loadweir() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${VERBS.map((verb) => verb.name).join(" ")} ${
    wordsOf(COMMON_FLAGS)
  }" -- "$word"))
    return
  fi
  case "$before" in
    ${names}) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
}
complete -o filenames -F _loadweir loadweir
`;
}

function zsh(): string {
  const verbs = VERBS.map((verb) => `    '${verb.name}:${quoted(verb.summary)}'`);
  const cases = VERBS.map((verb) => {
    const flags = flagsOf(verb).map((flag) => `'${zshFlag(flag)}'`);
    const operand = Array.isArray(verb.completes)
      ? [`'1:${verb.operands.toLowerCase()}:(${verb.completes.join(" ")})'`]
      : verb.completes === "file"
      ? ["'1:file:_files'"]
      : [];
    return `    ${verb.name}) _arguments ${[...flags, ...operand].join(" ")} ;;`;
  });
  return `#compdef loadweir
_loadweir() {
  local -a verbs
  verbs=(
${verbs.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$verb" in
${cases.join("\n")}
  esac
}
if [ "$funcstack[1]" = "_loadweir" ]; then _loadweir "$@"; else compdef _loadweir loadweir; fi
`;
}

function zshFlag(flag: Flag): string {
  const repeats = flag.repeats ? "*" : "";
  const action = flag.completes === "file" ? "_files" : flag.completes === "folder" ? "_files -/" : "";
  const value = flag.value === undefined ? "" : `:${flag.value}:${action}`;
  return `${repeats}--${flag.name}[${quoted(flag.help)}]${value}`;
}

function fish(): string {
  const verbs = VERBS.map((verb) => verb.name).join(" ");
  const lines = ["# fish completion for loadweir", "complete -c loadweir -f"];
  for (const verb of VERBS) {
    const isFirst = `not __fish_seen_subcommand_from ${verbs}`;
    lines.push(`complete -c loadweir -n '${isFirst}' -a ${verb.name} -d '${quoted(verb.summary)}'`);
    const isThis = `__fish_seen_subcommand_from ${verb.name}`;
    for (const flag of flagsOf(verb)) {
      const value = flag.value === undefined ? "" : flag.completes === undefined ? " -x" : " -r -F";
      lines.push(`complete -c loadweir -n '${isThis}' -l ${flag.name}${value} -d '${quoted(flag.help)}'`);
    }
    if (Array.isArray(verb.completes)) {
      lines.push(`complete -c loadweir -n '${isThis}' -a '${verb.completes.join(" ")}'`);
    } else if (verb.completes === "file") lines.push(`complete -c loadweir -n '${isThis}' -F`);
  }
  return `${lines.join("\n")}\n`;
}

/** Text that is safe between single quotes and in the brackets of zsh. */
function quoted(text: string): string {
  return text.replaceAll("'", "").replaceAll("[", "(").replaceAll("]", ")").replaceAll(":", " -");
}
