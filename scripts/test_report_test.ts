import { assertEquals } from "@std/assert";
import { maybeTestReport } from "./test_report.ts";

const JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="7" failures="3" errors="0" time="0.116">
    <testsuite name="./b_test.ts" tests="5" disabled="1" errors="0" failures="2">
        <testcase name="b steps" classname="./b_test.ts" time="0.001" line="3" col="6">
            <failure message="1 test step failed">1 test step failed.</failure>
        </testcase>
    </testsuite>
    <testsuite name="./a_test.ts" tests="2" disabled="0" errors="0" failures="1">
    </testsuite>
    <testsuite name="./c_test.ts" tests="2" disabled="0" errors="0" failures="0">
    </testsuite>
</testsuites>
`;

Deno.test("maybeTestReport() names the files in which tests or their steps failed", () => {
  const printed =
    "a ok ... ok (0ms)\n\nFAILED | 2 passed (1 step) | 2 failed (1 step) | 1 ignored (115ms)\n\n";
  assertEquals(maybeTestReport(printed, JUNIT), {
    passed: 2,
    failed: 2,
    failedFiles: ["./b_test.ts", "./a_test.ts"],
    isComplete: true,
  });
});

Deno.test("maybeTestReport() reads the line that Deno colours", () => {
  const printed = "\x1b[0m\x1b[32mok\x1b[0m | 3 passed | 0 failed \x1b[0m\x1b[38;5;245m(2m3s)\x1b[0m\n";
  assertEquals(maybeTestReport(printed, "<testsuites></testsuites>"), {
    passed: 3,
    failed: 0,
    failedFiles: [],
    isComplete: true,
  });
});

Deno.test("maybeTestReport() says when something failed that no file is named for", () => {
  const printed = "./d_test.ts (uncaught error)\n\nFAILED | 2 passed | 4 failed (1 step) (115ms)\n";
  assertEquals(maybeTestReport(printed, JUNIT)?.isComplete, false);
  assertEquals(maybeTestReport(printed, undefined)?.isComplete, false);
});

Deno.test("maybeTestReport() takes the last such line, and none from a run without end", () => {
  const nested = "ok | 1 passed | 0 failed (1ms)\nFAILED | 5 passed | 3 failed (2s)\n";
  assertEquals(maybeTestReport(nested, JUNIT)?.passed, 5);
  assertEquals(maybeTestReport("a test ok | 1 passed | 0 failed\n", JUNIT), undefined);
});
