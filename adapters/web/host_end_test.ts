import { assertEquals } from "@std/assert";
import type { RunCommand } from "../command.ts";
import { isHostGoingDown } from "./host_end.ts";

const SYSTEMD = ["/run/systemd/system", "/bin/systemctl"];

const ROWS: readonly (readonly [says: string, paths: readonly string[], expected: boolean])[] = [
  ["stopping", SYSTEMD, true],
  ["running", SYSTEMD, false],
  ["degraded", SYSTEMD, false],
  ["", SYSTEMD, false],
  ["stopping", ["/bin/systemctl"], false],
];
for (const [says, paths, expected] of ROWS) {
  Deno.test(`isHostGoingDown() is ${expected} where ${paths.length} paths are there and "${says}" is said`, async () => {
    const run: RunCommand = (program, args) => {
      assertEquals([program, ...args], ["/bin/systemctl", "is-system-running"]);
      return Promise.resolve({ code: 1, stdout: `${says}\n`, stderr: "", timedOut: false, tookMs: 1 });
    };
    assertEquals(await isHostGoingDown(run, { exists: (path) => paths.includes(path) }), expected);
  });
}
