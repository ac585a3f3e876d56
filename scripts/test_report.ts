/** What a run of `deno test` came to, from what it prints. Its report in JUnit's format names the file of a helper that defines tests. */

/** What a run came to. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** Files in which something failed, as Deno names them: `./test/probe_test.ts`. */
  readonly failedFiles: readonly string[];
  /** Whether these files hold all that failed: one that cannot be loaded has no test that fails. */
  readonly isComplete: boolean;
}

/** `FAILED | 123 passed (4 steps) | 2 failed (1 step) | 3 ignored (5s)`. */
const LAST_LINE = /^(?:ok|FAILED) \| (\d+) passed\b.*? \| (\d+) failed\b/;

/** Begins the tests of a file, where files run one after the other. */
const BEGINNING = /^running \d+ tests? from (\S+)$/;

/**
 * `./test/probe_test.ts => a site is seen ... FAILED (51s)`; without the file where files run one after the other, and there, after
 * a minute, without the name.
 */
const FAILURE = /^(?:(\.\/\S+) => )?.*\bFAILED \((?:\d+m)?\d+m?s\)$/;

const COLOUR = new RegExp(String.raw`${"\x1b"}\[[0-9;]*m`, "g");

/**
 * Reads what became of a run.
 *
 * @param printed What the run printed to its standard output, with or without colours
 * @returns Undefined where the run came to no end
 */
export function maybeTestReport(printed: string): TestReport | undefined {
  const files: string[] = [];
  let file = "";
  let counts: RegExpExecArray | null = null;
  for (const line of printed.replace(COLOUR, "").split("\n")) {
    file = BEGINNING.exec(line)?.[1] ?? file;
    const failure = FAILURE.exec(line);
    if (failure !== null) files.push(failure[1] ?? file);
    counts = LAST_LINE.exec(line) ?? counts;
  }
  if (counts === null) return undefined;
  const [, passed, failed] = counts;
  return {
    passed: Number(passed),
    failed: Number(failed),
    failedFiles: [...new Set(files)].filter((name) => name !== ""),
    isComplete: files.length === Number(failed) && !files.includes(""),
  };
}
