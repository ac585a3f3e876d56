/**
 * What a run of `deno test` came to, from the last line that it prints and from its report in JUnit's format, which
 * alone names the file of a test that a helper defined.
 */

/** What a run came to. */
export interface TestReport {
  readonly passed: number;
  readonly failed: number;
  /** Files in which something failed, as Deno names them: `./test/probe_test.ts`. */
  readonly failedFiles: readonly string[];
  /** Whether these files hold all that failed: a file that cannot be loaded is in no report. */
  readonly isComplete: boolean;
}

/** `FAILED | 123 passed (4 steps) | 2 failed (1 step) | 3 ignored (5s)`, without colours. */
const LAST_LINE = /^(?:ok|FAILED) \| (\d+) passed\b.*?\| (\d+) failed(?: \((\d+) steps?\))?/gm;

const SUITE = /<testsuite name="([^"]*)"[^>]* errors="(\d+)" failures="(\d+)"/g;

const COLOUR = new RegExp(String.raw`${"\x1b"}\[[0-9;]*m`, "g");

/**
 * Reads what became of a run.
 *
 * @param printed What the run printed to its standard output, with or without colours
 * @param junit Its report; undefined where it wrote none
 * @returns Undefined where the run came to no end
 */
export function maybeTestReport(printed: string, junit: string | undefined): TestReport | undefined {
  const [, passed, failed, failedSteps = "0"] = [...printed.replace(COLOUR, "").matchAll(LAST_LINE)].at(-1) ??
    [];
  if (passed === undefined || failed === undefined) return undefined;
  const suites = [...(junit ?? "").matchAll(SUITE)].map(([, file = "", errors, failures]) => ({
    file,
    failures: Number(errors) + Number(failures),
  }));
  const told = suites.reduce((sum, suite) => sum + suite.failures, 0);
  return {
    passed: Number(passed),
    failed: Number(failed),
    failedFiles: suites.filter((suite) => suite.failures > 0).map((suite) => suite.file),
    isComplete: told === Number(failed) + Number(failedSteps),
  };
}
