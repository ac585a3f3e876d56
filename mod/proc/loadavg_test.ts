import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseLoadavg } from "./loadavg.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const CASES = [
  { of: "c01-stat-offline-cpus-sparse-ids/proc", loads: [4920, 3608, 2000], tasks: [60, 900, 4321] },
  { of: "c10-stat-160-cpus-cut-short/proc", loads: [98000, 61000, 30000], tasks: [12, 4000, 77] },
  { of: "c11-stat-cpu-hotplug-between-samples/t1/proc", loads: [1860, 1400, 900], tasks: [20, 400, 500] },
  { of: "c13-gvisor-dummy-loadavg-and-header-only-netstat/proc", loads: [0, 0, 0], tasks: [0, 0, 0] },
  { of: "c14-loadavg-3446/proc", loads: [344604, 124209, 45047], tasks: [3, 9210, 190211] },
  { of: "c16-cpu-max-unlimited/proc", loads: [300, 200, 100], tasks: [1, 100, 10] },
  { of: "c23-psi-read-eopnotsupp/proc", loads: [100, 100, 100], tasks: [1, 100, 9] },
];

for (const { of, loads, tasks } of CASES) {
  Deno.test(`parseLoadavg() reads ${of}`, () => {
    const text = fixture(`cases/${of}/loadavg`);
    assertEquals(parseLoadavg(text), {
      load1Hundredths: loads[0],
      load5Hundredths: loads[1],
      load15Hundredths: loads[2],
      runnableTasks: tasks[0],
      totalTasks: tasks[1],
      lastPid: tasks[2],
      line: text.slice(0, -1),
    });
  });
}

Deno.test("parseLoadavg() is exact for every pair of decimals", () => {
  for (let hundredths = 0; hundredths <= 99_999; hundredths++) {
    const load = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
    assertEquals(parseLoadavg(`${load} 0.00 0.00 1/1 1\n`).load1Hundredths, hundredths);
  }
});

const REFUSED = {
  "an empty text": "",
  "a negative load": "-1.00 0.00 0.00 1/2 3",
  "NaN": "NaN 0.00 0.00 1/2 3",
  "infinity": "Infinity 0.00 0.00 1/2 3",
  "one decimal": "1.0 0.00 0.00 1/2 3",
  "three decimals": "1.000 0.00 0.00 1/2 3",
  "a decimal comma": "1,00 0,00 0,00 1/2 3",
  "an exponent": "1e3 0.00 0.00 1/2 3",
  "a missing load": "1.00 2.00 1/2 3",
  "missing tasks": "1.00 2.00 3.00",
  "a missing last pid": "1.00 2.00 3.00 1/2",
  "a field too many": "1.00 2.00 3.00 1/2 3 4",
  "a second line": "1.00 2.00 3.00 1/2 3\n1.00 2.00 3.00 1/2 3",
  "more load than there can be tasks": "4194304.01 0.00 0.00 1/2 3",
  "a last pid that no kernel gives out": "1.00 0.00 0.00 1/2 4194305",
  "a cut file": fixture("proc/6.1_quiet_web_host/loadavg.truncated"),
};

for (const [what, text] of Object.entries(REFUSED)) {
  Deno.test(`parseLoadavg() refuses ${what}`, () => {
    assertThrows(() => parseLoadavg(text), ParseError, 'Cannot parse "/proc/loadavg": is ');
  });
}

Deno.test("parseLoadavg() accepts a load as high as the number of tasks that can be", () => {
  assertEquals(parseLoadavg("4194304.00 0.00 0.00 1/2 3").load1Hundredths, 419_430_400);
});

Deno.test("parseLoadavg() says what it saw, where, and what it expected", () => {
  const error = assertThrows(() => parseLoadavg("oops\n", "/run/loadweir/proc/loadavg"), ParseError);
  assertEquals(
    error.message,
    'Cannot parse "/run/loadweir/proc/loadavg": is "oops", expected a line like "0.42 0.31 0.27 1/214 48211"',
  );
});

Deno.test("parseLoadavg() reads or refuses any damaged text, never as a negative or infinite load", () => {
  assertReadsOrRefuses("13.42 9.10 5.02 11/268 52107\n", (text) => assertSoundNumbers(parseLoadavg(text)));
});
