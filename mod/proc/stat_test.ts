import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parseProcStat } from "./stat.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const CASES = [
  { of: "c01-stat-offline-cpus-sparse-ids/proc", cpuCount: 8, bootTimeS: 1_700_000_000 },
  { of: "c02-stat-8-columns-no-softirq-line/t0/proc", cpuCount: 4, bootTimeS: 1_598_202_327 },
  { of: "c02-stat-8-columns-no-softirq-line/t1/proc", cpuCount: 4, bootTimeS: 1_598_202_327 },
  { of: "c04-stat-9-columns/t0/proc", cpuCount: 8, bootTimeS: 1_700_000_000 },
  { of: "c10-stat-160-cpus-cut-short/proc", cpuCount: 160, bootTimeS: undefined },
  { of: "c11-stat-cpu-hotplug-between-samples/t0/proc", cpuCount: 4, bootTimeS: 1_700_000_000 },
  { of: "c11-stat-cpu-hotplug-between-samples/t1/proc", cpuCount: 3, bootTimeS: 1_700_000_000 },
  { of: "c11-stat-cpu-hotplug-between-samples/t2/proc", cpuCount: 4, bootTimeS: 1_700_000_000 },
  { of: "c13-gvisor-dummy-loadavg-and-header-only-netstat/proc", cpuCount: 2, bootTimeS: 1_700_000_000 },
  { of: "c14-loadavg-3446/proc", cpuCount: 32, bootTimeS: 1_700_000_000 },
  { of: "c16-cpu-max-unlimited/proc", cpuCount: 4, bootTimeS: 1_700_000_000 },
  { of: "c23-psi-read-eopnotsupp/proc", cpuCount: 2, bootTimeS: 1_700_000_000 },
];

for (const { of, cpuCount, bootTimeS } of CASES) {
  Deno.test(`parseProcStat() counts ${cpuCount} CPUs in ${of}`, () => {
    const stat = parseProcStat(fixture(`cases/${of}/stat`));
    assertEquals({ cpuCount: stat.cpuCount, bootTimeS: stat.bootTimeS }, { cpuCount, bootTimeS });
  });
}

Deno.test("parseProcStat() reads every column and the lines after the CPUs", () => {
  assertEquals(parseProcStat("cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n"), {
    cpuCount: 1,
    cpuTimes: {
      userTicks: 1,
      niceTicks: 2,
      systemTicks: 3,
      idleTicks: 4,
      iowaitTicks: 5,
      irqTicks: 6,
      softirqTicks: 7,
      stealTicks: 8,
    },
    bootTimeS: undefined,
    runningTasks: undefined,
    blockedTasks: undefined,
  });
  const storm = parseProcStat(fixture("proc/6.1_crawler_storm/stat"));
  assertEquals([storm.runningTasks, storm.blockedTasks], [11, 0]);
});

Deno.test("parseProcStat() takes columns that an old kernel does not print for 0", () => {
  const { cpuTimes } = parseProcStat("cpu 10 20 30 40\ncpu0 10 20 30 40\nctxt 1\n");
  assertEquals(cpuTimes, {
    userTicks: 10,
    niceTicks: 20,
    systemTicks: 30,
    idleTicks: 40,
    iowaitTicks: 0,
    irqTicks: 0,
    softirqTicks: 0,
    stealTicks: 0,
  });
});

Deno.test("parseProcStat() keeps counters beyond 32 bits", () => {
  const { cpuTimes } = parseProcStat(fixture("cases/c04-stat-9-columns/t0/proc/stat"));
  assertEquals(cpuTimes.idleTicks, 43_198_021_687);
});

Deno.test("parseProcStat() leaves out a figure whose line was cut", () => {
  const stat = parseProcStat("cpu  1 2 3 4\ncpu0 1 2 3 4\nintr 1\nbtime 1700000000\nprocs_running 1");
  assertEquals([stat.bootTimeS, stat.runningTasks], [1_700_000_000, undefined]);
});

Deno.test("parseProcStat() never counts fewer CPUs in a file that was cut short", () => {
  for (const tree of ["cases/c10-stat-160-cpus-cut-short/proc", "proc/6.1_quiet_web_host"]) {
    const text = fixture(`${tree}/stat`);
    const { cpuCount } = parseProcStat(text);
    let refused = 0;
    for (let length = 0; length < text.length; length++) {
      try {
        assertEquals(parseProcStat(text.slice(0, length)).cpuCount, cpuCount);
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        refused++;
      }
    }
    assertEquals(refused, text.indexOf("\nintr") + "\nintr".length);
  }
});

const GOOD =
  "cpu  1 2 3 4 5\ncpu0 1 2 3 4 5\ncpu1 1 2 3 4 5\nintr 1\nbtime 5\nprocs_running 1\nprocs_blocked 0\n";

const REFUSED = [
  { what: "an empty text", text: "", says: 'line 1: is ""' },
  {
    what: "a text without the line of all CPUs",
    text: "cpu0 1 2 3 4\nintr 1\n",
    says: 'line 1: is "cpu0 1 2 3 4"',
  },
  { what: "a text without any cpuN line", text: "cpu  1 2 3 4\nintr 1\n", says: "has no cpuN line" },
  {
    what: "three columns",
    text: GOOD.replace("cpu  1 2 3 4 5", "cpu  1 2 3"),
    says: 'line 1: is "cpu  1 2 3"',
  },
  { what: "a negative column", text: GOOD.replace("cpu  1", "cpu  -1"), says: "line 1" },
  { what: "a column that is no number", text: GOOD.replace("cpu  1", "cpu  x"), says: "line 1" },
  {
    what: "a CPU's column that is no number",
    text: GOOD.replace("cpu1 1", "cpu1 x"),
    says: 'line 3: is "cpu1 x 2',
  },
  { what: "a CPU without a number", text: GOOD.replace("cpu1", "cpux"), says: 'line 3: is "cpux 1 2' },
  { what: "two CPUs on one line", text: GOOD.replace("5\ncpu1", "5cpu1"), says: "line 2" },
  {
    what: "a file that ends with a CPU",
    text: GOOD.slice(0, GOOD.indexOf("intr")),
    says: "ends after the cpu lines",
  },
  { what: "a file that ends within a CPU", text: GOOD.slice(0, GOOD.indexOf("intr") - 3), says: "line 3" },
  {
    what: "a time of boot that is no number",
    text: GOOD.replace("btime 5", "btime x"),
    says: 'btime is "x"',
  },
  { what: "a cut file", text: fixture("proc/6.1_quiet_web_host/stat.truncated"), says: "line 3" },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseProcStat() refuses ${what}`, () => {
    assertThrows(() => parseProcStat(text), ParseError, says);
  });
}

Deno.test("parseProcStat() finds the lines after an intr line of 1 MB", () => {
  const cpus = "cpu  1 2 3 4\ncpu0 1 2 3 4\n";
  const text = `${cpus}intr 1${" 0".repeat(500_000)}\nbtime 7\nprocs_running 2\nprocs_blocked 1\n`;
  const stat = parseProcStat(text);
  assertEquals([stat.cpuCount, stat.bootTimeS, stat.runningTasks, stat.blockedTasks], [1, 7, 2, 1]);
});

Deno.test("parseProcStat() reads or refuses any damaged text, and always counts a CPU", () => {
  assertReadsOrRefuses(fixture("proc/6.1_quiet_web_host/stat"), (text) => {
    const stat = parseProcStat(text);
    assertSoundNumbers(stat);
    assert(stat.cpuCount > 0);
  });
});
