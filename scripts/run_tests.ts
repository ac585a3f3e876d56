/**
 * Runs all tests: `scripts/deno task test`. The last line says how many passed and failed.
 *
 * First those that get along with each other, as many files side by side as there are CPUs, then those of `test/alone`,
 * which measure. Most of them wait for real servers, with deadlines, and a machine that is shared may be late: files in which
 * something failed are run once more, with nothing beside them, and said by name. What fails again has failed. Where
 * many files fail, that is no chance, and nothing is run again.
 */

import { PROJECT } from "./project_files.ts";
import { maybeTestReport, type TestReport } from "./test_report.ts";

/** Most files that are run once more. */
const MOST_FILES_AGAIN = 6;

/** A run that came to no end, or could not load a file. */
const BROKEN: TestReport = { passed: 0, failed: 1, failedFiles: [], isComplete: false };

/** Runs `deno test` with these arguments, and shows what it prints. */
async function runTests(...args: string[]): Promise<TestReport> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", ...args],
    cwd: PROJECT,
    env: Deno.stdout.isTerminal() && !Deno.noColor ? { FORCE_COLOR: "1" } : {},
    stdout: "piped",
  }).spawn();
  const printed = await copyOf(child.stdout);
  const { success } = await child.status;
  const report = maybeTestReport(printed) ?? BROKEN;
  return success || report.failed > 0 ? report : { ...BROKEN, passed: report.passed };
}

/** Shows a stream, and gives it back. */
async function copyOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let rest = chunk; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
  }
  return text;
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Runs the files once more in which something failed by chance, and gives back how many tests failed for good. */
async function failedForGood(reports: readonly TestReport[], failed: number): Promise<number> {
  const files = reports.flatMap((report) => report.failedFiles);
  if (files.length === 0 || files.length > MOST_FILES_AGAIN) return failed;
  if (reports.some((report) => !report.isComplete)) return failed;
  say(`== once more, with nothing beside it: ${files.join(" ")}`);
  const again = await runTests(...files);
  // Files that hold fewer tests than had failed are not those in which they failed.
  if (!again.isComplete || again.passed + again.failed < failed) return failed;
  for (const file of files.filter((name) => !again.failedFiles.includes(name))) {
    say(`== passed only with nothing beside it: ${file}`);
  }
  return again.failed;
}

if (import.meta.main) {
  const reports = [await runTests("--parallel", "--ignore=test/alone"), await runTests("test/alone")];
  const total = reports.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  const failedFirst = reports.reduce((sum, { failed }) => sum + failed, 0);
  const failed = await failedForGood(reports, failedFirst);
  say(`${total - failed} passed, ${failed} failed`);
  Deno.exit(failed === 0 ? 0 : 1);
}
