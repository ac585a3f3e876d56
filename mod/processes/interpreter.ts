/**
 * Interpreters and their options: where in the arguments the script is.
 *
 *     bash -euo pipefail /var/xdrago/mysql_backup.sh full     the word after the value of -o
 *     python3 -u -m duplicity full                            the module after -m
 *     perl -lne 'print' /etc/passwd                           none: inline code
 *
 * @see https://www.gnu.org/software/bash/manual/html_node/Invoking-Bash.html
 * @see https://docs.python.org/3/using/cmdline.html
 * @see https://perldoc.perl.org/perlrun
 * @see https://www.php.net/manual/en/features.commandline.options.php
 */

/**
 * What an option of an interpreter does to the words after it:
 * - `value`: takes the rest of its word, or the next word when there is none
 * - `rest`: takes the rest of its word, if any
 * - `next`: takes the next word, whatever else is in its own
 * - `script`: as `value`, and the value is the script
 * - `code`: what runs is not a script: inline code, standard input, a server
 */
type OptionKind = "value" | "rest" | "next" | "script" | "code";

/** A family of interpreters. Options that are not listed take no value. */
export interface Interpreter {
  /** Base names, versioned ones included: `python3.11`. */
  readonly names: RegExp;
  /** A lone `-` ends the options, as in a shell; otherwise it means standard input. */
  readonly dashEndsOptions: boolean;
  /** By letter, and by name for long ones. */
  readonly options: Readonly<Record<string, OptionKind>>;
}

const SHELL: Interpreter = {
  names: /^(?:sh|r?bash|dash|ash|m?ksh|ksh93|zsh)$/,
  dashEndsOptions: true,
  options: { c: "code", s: "code", o: "next", O: "next", "--rcfile": "value", "--init-file": "value" },
};

const PYTHON: Interpreter = {
  names: /^(?:python|pypy)\d*(?:\.\d+)*$/,
  dashEndsOptions: false,
  options: {
    c: "code",
    m: "script",
    W: "value",
    X: "value",
    Q: "value",
    "--check-hash-based-pycs": "value",
    "--jit": "value",
  },
};

const PERL: Interpreter = {
  names: /^perl\d*(?:\.\d+)*$/,
  dashEndsOptions: false,
  options: {
    e: "code",
    E: "code",
    I: "value",
    C: "rest",
    D: "rest",
    F: "rest",
    M: "rest",
    V: "rest",
    d: "rest",
    i: "rest",
    m: "rest",
    x: "rest",
  },
};

const RUBY: Interpreter = {
  names: /^ruby\d*(?:\.\d+)*$/,
  dashEndsOptions: false,
  options: {
    e: "code",
    C: "value",
    E: "value",
    I: "value",
    r: "value",
    F: "rest",
    K: "rest",
    T: "rest",
    W: "rest",
    i: "rest",
    x: "rest",
    "--disable": "value",
    "--enable": "value",
    "--encoding": "value",
    "--external-encoding": "value",
    "--internal-encoding": "value",
  },
};

const PHP: Interpreter = {
  names: /^php\d*(?:\.\d+)*$/,
  dashEndsOptions: false,
  options: {
    f: "script",
    r: "code",
    B: "code",
    E: "code",
    F: "code",
    R: "code",
    S: "code",
    c: "value",
    d: "value",
    t: "value",
    z: "value",
    "--file": "script",
    "--run": "code",
    "--process-begin": "code",
    "--process-code": "code",
    "--process-end": "code",
    "--process-file": "code",
    "--server": "code",
    "--define": "value",
    "--docroot": "value",
    "--php-ini": "value",
    "--zend-extension": "value",
  },
};

/**
 * The closed list: whatever is not in it runs no scripts as far as we know, and its own name is what counts.
 */
const INTERPRETERS: readonly Interpreter[] = [SHELL, PYTHON, PERL, RUBY, PHP];

/** The family that a program of this base name belongs to; undefined when it is none that we know. */
export function interpreterOf(name: string): Interpreter | undefined {
  return INTERPRETERS.find(({ names }) => names.test(name));
}

/**
 * The script that an interpreter runs. Never throws.
 *
 * @param args The arguments after the interpreter itself
 * @returns The first word that is neither an option nor the value of one, or the value of an option that
 * names the script; undefined when the code comes from elsewhere
 */
export function scriptOf(
  args: readonly string[],
  { options, dashEndsOptions }: Interpreter,
): string | undefined {
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? "";
    const next = args[index + 1];
    if (word === "--") return next;
    if (word === "-") return dashEndsOptions ? next : undefined;
    if (!word.startsWith("-") && !(dashEndsOptions && word.startsWith("+"))) return word;
    const effect = word.startsWith("--") ? readLongOption(word, options) : readCluster(word, options);
    switch (effect.kind) {
      case "flags":
        index += effect.valueCount;
        break;
      case "script":
        return effect.attached ?? next;
      case "code":
        return undefined;
    }
  }
  return undefined;
}

/**
 * What one word of options does: takes so many words after it, names the script, or says that there is none.
 */
type Effect =
  | { readonly kind: "flags"; readonly valueCount: number }
  | { readonly kind: "script"; readonly attached: string | undefined }
  | { readonly kind: "code" };

/** `--file=x`, `--file x`. */
function readLongOption(word: string, options: Interpreter["options"]): Effect {
  const equals = word.indexOf("=");
  const kind = options[equals === -1 ? word : word.slice(0, equals)];
  if (kind === "code") return { kind };
  const attached = equals === -1 ? undefined : word.slice(equals + 1);
  if (kind === "script") return { kind, attached };
  return { kind: "flags", valueCount: kind === "value" && attached === undefined ? 1 : 0 };
}

/** `-eu`, `-euo pipefail`, `-Wignore`, `-um duplicity`: letters, of which one may take what follows. */
function readCluster(word: string, options: Interpreter["options"]): Effect {
  let valueCount = 0;
  for (let index = 1; index < word.length; index++) {
    const kind = options[word.charAt(index)];
    const rest = word.slice(index + 1);
    switch (kind) {
      case undefined:
        break;
      case "code":
        return { kind };
      case "next":
        valueCount++;
        break;
      case "rest":
        return { kind: "flags", valueCount };
      case "value":
        return { kind: "flags", valueCount: rest === "" ? valueCount + 1 : valueCount };
      case "script":
        return { kind, attached: rest === "" ? undefined : rest };
    }
  }
  return { kind: "flags", valueCount };
}
