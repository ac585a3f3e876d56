import { assertEquals } from "@std/assert";
import { maybeTestReport } from "./test_report.ts";

Deno.test("maybeTestReport() names the files in which tests failed, side by side", () => {
  const printed = `
./test/a_test.ts => a holds ... ok (51s)
./test/a_test.ts => a waits ... FAILED (1m3s)
./test/b_test.ts => FAILED (3) is a title ... ok (0ms)
./test/b_test.ts => b holds ... FAILED (12ms)
./test/a_test.ts => a ends ... FAILED (3s)

 ERRORS 

a waits => ./test/needs.ts:68:10
error: Error: x

FAILED | 2 passed (1 step) | 3 failed | 1 ignored (1m15s)
`;
  assertEquals(maybeTestReport(printed), {
    passed: 2,
    failed: 3,
    failedFiles: ["./test/a_test.ts", "./test/b_test.ts"],
    isComplete: true,
  });
});

Deno.test("maybeTestReport() names them where one runs after the other, in colours too", () => {
  const printed = "running 1 test from ./test/a_test.ts\na holds ... ok (3s)\n" +
    "running 2 tests from ./test/alone/b_test.ts\n" +
    "\x1b[0mb holds ...'b holds' has been running for over (1m0s)\n \x1b[0m\x1b[31mFAILED\x1b[0m \x1b[0m(2m3s)\x1b[0m\n" +
    "b ends ... \x1b[0m\x1b[31mFAILED\x1b[0m (0ms)\n\n" +
    "\x1b[0m\x1b[31mFAILED\x1b[0m | 1 passed | 2 failed \x1b[0m\x1b[38;5;245m(2m3s)\x1b[0m\n";
  const report = maybeTestReport(printed);
  assertEquals([report?.failedFiles, report?.isComplete], [["./test/alone/b_test.ts"], true]);
});

Deno.test("maybeTestReport() says when something failed that no file is named for", () => {
  const printed = "Uncaught error from ./c_test.ts FAILED\n./a_test.ts => a ... FAILED (0ms)\n\n" +
    "FAILED | 2 passed | 2 failed (115ms)\n";
  assertEquals(maybeTestReport(printed)?.isComplete, false);
});

Deno.test("maybeTestReport() takes the last count, and none from a run without end", () => {
  const nested = "ok | 1 passed | 0 failed (1ms)\nFAILED | 5 passed | 3 failed (2s)\n";
  assertEquals(maybeTestReport(nested)?.passed, 5);
  assertEquals(maybeTestReport("a test ok | 1 passed | 0 failed\n"), undefined);
});
