/**
 * The types of value that a setting can have: how each is read from text, what it expects, and how it is
 * written.
 *
 * Nothing is repaired: `5,5` is not 5.5 and `-5` is not 5. A text that is not exactly a value of its type is
 * no value.
 */

/** One type of value. */
export interface ValueType<T> {
  /** In one or two words, for tables: `ratio`, `duration`. */
  readonly name: string;
  /** What a good value is, to follow the word "expected". */
  readonly expected: string;
  /** Reads a value; undefined when the text is not one. Never throws. */
  readonly maybeRead: (text: string) => { readonly value: T } | undefined;
  /** Writes a value so that reading it gives the same one. */
  readonly render: (value: T) => string;
}

/** Digits with at most one dot. `8.` is refused: it is what remains of a number cut in the middle. */
const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)$/;

/**
 * Four decimals are kept: a load is compared as a percentage with one decimal, so finer ones cannot matter.
 */
const DECIMAL_SCALE = 10_000;

/** The highest number accepted: above any load, and small enough for exact products (see thresholds.ts). */
const DECIMAL_LIMIT = 1_000_000;

/** A number of at least 0 with a decimal dot, kept to four decimals. */
export function decimalType(
  name: string,
  expected: string,
  accepts: (value: number) => boolean,
): ValueType<number> {
  return {
    name,
    expected,
    maybeRead: (text) => {
      if (!DECIMAL.test(text)) return undefined;
      const value = Math.round(Number(text) * DECIMAL_SCALE) / DECIMAL_SCALE;
      return value <= DECIMAL_LIMIT && accepts(value) ? { value } : undefined;
    },
    render: String,
  };
}

/** A load per CPU, as 6.1. */
export const RATIO: ValueType<number> = decimalType(
  "ratio",
  "a number above 0 such as 6.1",
  (value) => value > 0,
);

/** A part of a whole without its ends, as 0.8. */
export const FRACTION: ValueType<number> = decimalType(
  "fraction",
  "a number between 0 and 1 such as 0.8, not 0 or 1 itself",
  (value) => value > 0 && value < 1,
);

/** A share in percent, as 10. */
export const PERCENT: ValueType<number> = decimalType(
  "percentage",
  "a number above 0 and up to 100, without %",
  (value) => value > 0 && value <= 100,
);

/** A whole number between two bounds, both included. */
export function integerType(lowest: number, highest: number): ValueType<number> {
  return {
    name: "integer",
    expected: `a whole number from ${lowest} to ${highest}`,
    maybeRead: (text) => {
      if (!/^-?\d+$/.test(text)) return undefined;
      const value = Number(text);
      return value >= lowest && value <= highest ? { value } : undefined;
    },
    render: String,
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A time in milliseconds written with the largest unit that divides it: 1800000 is `30m`, 0 is `0`. */
export function renderDuration(durationMs: number): string {
  if (durationMs === 0) return "0";
  const unit = ["h", "m", "s"].find((name) => durationMs % (UNIT_MS[name] ?? 1) === 0) ?? "ms";
  return `${durationMs / (UNIT_MS[unit] ?? 1)}${unit}`;
}

/**
 * A length of time with its unit, as `5s`, kept in whole milliseconds.
 *
 * @param zeroMeans What a plain 0 stands for; without it 0 is refused
 */
export function durationType(lowestMs: number, highestMs: number, zeroMeans?: string): ValueType<number> {
  const range = `a time from ${renderDuration(lowestMs)} to ${
    renderDuration(highestMs)
  } with its unit ms, s, m or h`;
  return {
    name: "duration",
    expected: zeroMeans === undefined ? range : `${range}, or 0 for ${zeroMeans}`,
    maybeRead: (text) => {
      if (text === "0" && zeroMeans !== undefined) return { value: 0 };
      const [, digits = "", unit = ""] = /^([\d.]+) ?(ms|s|m|h)$/.exec(text) ?? [];
      if (!DECIMAL.test(digits)) return undefined;
      const value = Math.round(Number(digits) * (UNIT_MS[unit] ?? 0));
      return value >= lowestMs && value <= highestMs ? { value } : undefined;
    },
    render: renderDuration,
  };
}

/**
 * One of a few words, in any case.
 *
 * @param olderWords Older spellings, in upper case, and the word that each stands for
 */
export function choiceType<T extends string>(
  words: readonly T[],
  olderWords: ReadonlyMap<string, T> = new Map(),
): ValueType<T> {
  return {
    name: "choice",
    expected: listWords(words),
    maybeRead: (text) => {
      const upperCased = text.toUpperCase();
      const value = words.find((word) => word.toUpperCase() === upperCased) ?? olderWords.get(upperCased);
      return value === undefined ? undefined : { value };
    },
    render: (value) => value,
  };
}

/** `auto, generic or boa` */
function listWords(words: readonly string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** Printable ASCII without the characters of patterns and shells: a name is compared, never matched. */
const NAME = /^[\w.+@:%-]+$/;

/** The kernel keeps 15 characters of a process name (TASK_COMM_LEN), so a longer one would never be equal. */
const COMM_LIMIT = 15;

/** A value of another type, or empty for none. */
export function maybeType<T>(type: ValueType<T>): ValueType<T | undefined> {
  return {
    name: type.name,
    expected: `${type.expected}, or nothing`,
    maybeRead: (text) => text === "" ? { value: undefined } : type.maybeRead(text),
    render: (value) => value === undefined ? "" : type.render(value),
  };
}

/** A text as a settings file has to have it: in quotes where it would be read otherwise. It holds no line end. */
export function renderText(text: string): string {
  const isPlain = text === text.trim() && !/^["']|\s[;#]|^[;#]/.test(text);
  if (isPlain) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Names of some kind, separated by commas or blanks; empty is none. */
export function namesType(
  expected: string,
  accepts: (name: string, all: readonly string[]) => boolean,
): ValueType<readonly string[]> {
  return {
    name: "list of names",
    expected,
    maybeRead: (text) => {
      const value = [...new Set(text.split(/[\s,]+/).filter((name) => name !== ""))];
      return value.every((name) => accepts(name, value)) ? { value } : undefined;
    },
    render: (names) => names.join(", "),
  };
}

/** Exact program names, separated by commas or blanks; empty is none. */
export const PROGRAM_NAMES: ValueType<readonly string[]> = namesType(
  "exact program names separated by commas, without patterns or paths",
  (name) => NAME.test(name),
);

/** Exact process names as the kernel keeps them, separated by commas or blanks; empty is none. */
export const PROCESS_NAMES: ValueType<readonly string[]> = namesType(
  `exact process names of at most ${COMM_LIMIT} characters separated by commas, without patterns or paths`,
  (name) => NAME.test(name) && name.length <= COMM_LIMIT,
);

/** One exact process name as the kernel keeps it, or empty for none. */
export const MAYBE_PROCESS_NAME: ValueType<string> = {
  name: "process name",
  expected:
    `one exact process name of at most ${COMM_LIMIT} characters, without patterns or paths, or nothing`,
  maybeRead: (text) =>
    text === "" || NAME.test(text) && text.length <= COMM_LIMIT ? { value: text } : undefined,
  render: (name) => name,
};

/** Script names or absolute paths, separated by commas or blanks; empty is none. */
export const SCRIPTS: ValueType<readonly string[]> = namesType(
  "exact script names or absolute paths separated by commas, without patterns",
  (name) => NAME.test(name) || maybeAbsolutePath(name) !== undefined,
);

/** A plain absolute path without its closing slash, or undefined when the text is not one. */
export function maybeAbsolutePath(text: string): string | undefined {
  if (/[\s"'`\\;#*?[\]{}]/.test(text)) return undefined;
  const path = text.replace(/\/+$/, "");
  const parts = path.split("/").slice(1);
  const isPlain = parts.length > 0 && parts.every((part) => part !== "" && part !== "." && part !== "..");
  return path.startsWith("/") && isPlain ? path : undefined;
}

/** An absolute path, or empty for none. */
export const MAYBE_PATH: ValueType<string | undefined> = {
  name: "path",
  expected: "a plain absolute path without blanks, quotes and .., or nothing",
  maybeRead: (text) => {
    if (text === "") return { value: undefined };
    const value = maybeAbsolutePath(text);
    return value === undefined ? undefined : { value };
  },
  render: (path) => path ?? "",
};

/** A first character that no mail program takes for an option, then an optional host. */
const MAIL_ADDRESS = /^[A-Za-z0-9_][\w.+%=-]*(?:@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)?$/;

/** One mail address or local user, or empty for none. */
export const MAYBE_MAIL_ADDRESS: ValueType<string> = {
  name: "mail address",
  expected: "one mail address, or nothing",
  maybeRead: (text) => text === "" || MAIL_ADDRESS.test(text) ? { value: text } : undefined,
  render: (address) => address,
};

/** Where nginx logs: the only such folder that the program may read. */
const NGINX_LOG_FOLDER = "/var/log/nginx/";

/** A log of nginx. */
export const NGINX_LOG_PATH: ValueType<string> = {
  name: "log file",
  expected: `a file below ${NGINX_LOG_FOLDER.slice(0, -1)}`,
  maybeRead: (text) => {
    const value = maybeAbsolutePath(text);
    return value?.startsWith(NGINX_LOG_FOLDER) ? { value } : undefined;
  },
  render: (path) => path,
};

/** Folder of our own logs: the only one where the program may make files for people to read. */
const LOG_FOLDER = "/var/log/loadweir/";

/** The log that BOA's second.sh keeps. */
const BOA_LOG = "/var/log/boa/high.load.incident.log";

/** A log file where the program may write, or empty for the usual one. */
export const MAYBE_LOG_PATH: ValueType<string | undefined> = {
  name: "log file",
  expected: `a file below ${LOG_FOLDER.slice(0, -1)}, or ${BOA_LOG}, or nothing`,
  maybeRead: (text) => {
    if (text === "") return { value: undefined };
    const value = maybeAbsolutePath(text);
    return value !== undefined && (value.startsWith(LOG_FOLDER) || value === BOA_LOG) ? { value } : undefined;
  },
  render: (path) => path ?? "",
};

/** A switch. */
export const YES_OR_NO: ValueType<boolean> = {
  name: "switch",
  expected: "yes or no",
  maybeRead: (text) => {
    const word = text.toLowerCase();
    return word === "yes" || word === "no" ? { value: word === "yes" } : undefined;
  },
  render: (value) => value ? "yes" : "no",
};
