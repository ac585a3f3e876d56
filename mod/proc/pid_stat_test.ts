import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parsePidStat, type PidStat } from "./pid_stat.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const CASES: { of: string; pid: number; stat: Partial<PidStat> }[] = [
  {
    of: "c26-comm-spaces-and-parentheses",
    pid: 83875,
    stat: { comm: "sleep (2) .sh", state: "S", ppid: 75750, isKernelThread: false },
  },
  {
    of: "c26-comm-spaces-and-parentheses",
    pid: 1591,
    stat: { comm: "Plex Media Serv", state: "S", utimeTicks: 257, stimeTicks: 95 },
  },
  { of: "c26-comm-spaces-and-parentheses", pid: 4242, stat: { comm: ") Z 1 (php", state: "S", ppid: 77 } },
  {
    of: "c26-comm-spaces-and-parentheses",
    pid: 1020,
    stat: { comm: "(a b ) ( c d) ", state: "R", ppid: 28378 },
  },
  { of: "c28-kernel-threads", pid: 3, stat: { comm: "pool_workqueue_release", isKernelThread: true } },
  {
    of: "c28-kernel-threads",
    pid: 33,
    stat: { comm: "ata_sff", niceness: -20, utimeTicks: 0, stimeTicks: 0, isKernelThread: true },
  },
  { of: "c28-kernel-threads", pid: 60, stat: { comm: "php", state: "I", isKernelThread: true } },
  { of: "c28-kernel-threads", pid: 3523, stat: { comm: "UVM global queue", isKernelThread: true } },
  { of: "c28-kernel-threads", pid: 3524, stat: { comm: "UVM deferred release queue", isKernelThread: true } },
  {
    of: "c29-zombie-php",
    pid: 2001,
    stat: { comm: "php", state: "Z", ppid: 700, rssPages: 0, isKernelThread: false },
  },
  { of: "c29-zombie-php", pid: 2002, stat: { comm: "php", state: "S", ppid: 700, isKernelThread: false } },
  {
    of: "c31-duplicity-shebang-absolute",
    pid: 4427,
    stat: { comm: "duplicity", state: "R", threadCount: 4 },
  },
  { of: "c34-comm-truncated-cluster-backup", pid: 6001, stat: { comm: "mysql_cluster_b" } },
  { of: "c43-pid-vanishes-during-scan", pid: 1502, stat: { comm: "wget", state: "S" } },
];

for (const { of, pid, stat } of CASES) {
  Deno.test(`parsePidStat() reads ${pid} of ${of}`, () => {
    const parsed = parsePidStat(fixture(`cases/${of}/proc/${pid}/stat`));
    assertEquals({ ...parsed, ...stat, pid }, parsed);
  });
}

Deno.test("parsePidStat() gives the name that the comm file has, in every tree", () => {
  let compared = 0;
  for (const group of ["cases", "proc"]) {
    for (const tree of Deno.readDirSync(new URL(`../../fixtures/${group}`, import.meta.url))) {
      const proc = group === "cases" ? `cases/${tree.name}/proc` : `proc/${tree.name}`;
      for (const pid of pidsIn(proc)) {
        let stat: PidStat;
        try {
          stat = parsePidStat(fixture(`${proc}/${pid}/stat`));
        } catch {
          continue;
        }
        assertEquals(`${stat.comm}\n`, fixture(`${proc}/${pid}/comm`));
        assertEquals(String(stat.pid), pid);
        compared++;
      }
    }
  }
  assert(compared > 60, `${compared} processes compared`);
});

/** The names of the process folders of a tree. */
function pidsIn(proc: string): string[] {
  try {
    const entries = Deno.readDirSync(new URL(`../../fixtures/${proc}`, import.meta.url));
    return [...entries].map((entry) => entry.name).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

Deno.test("parsePidStat() reads every field in use", () => {
  assertEquals(parsePidStat(fixture("proc/6.1_crawler_storm/4120/stat")), {
    pid: 4120,
    comm: "php",
    state: "R",
    ppid: 1,
    flags: 0x400100,
    utimeTicks: 43062,
    stimeTicks: 3799,
    niceness: 0,
    threadCount: 1,
    startTicks: 1893321,
    rssPages: 11873,
    isKernelThread: false,
    isFork: false,
  });
});

/** A stat line of a process with these few fields. */
function line(
  fields: { pid: number; comm?: string; state?: string; ppid: number; flags: number; vsize: number },
): string {
  const { pid, comm = "a", state = "S", ppid, flags, vsize } = fields;
  return `${pid} (${comm}) ${state} ${ppid} 1 1 0 -1 ${flags} 0 0 0 0 5 6 0 0 20 0 1 0 900 ${vsize} 70 1 0\n`;
}

const KERNEL_THREADS = [
  {
    what: "a thread with the kernel's flag",
    fields: { pid: 9, ppid: 0, flags: 0x208040, vsize: 0 },
    is: true,
  },
  { what: "kthreadd where flags are hidden", fields: { pid: 2, ppid: 0, flags: 0, vsize: 0 }, is: true },
  { what: "its child where flags are hidden", fields: { pid: 9, ppid: 2, flags: 0, vsize: 0 }, is: true },
  { what: "process 2 of a container", fields: { pid: 2, ppid: 1, flags: 0x400100, vsize: 4096 }, is: false },
  {
    what: "a child of a container's 2",
    fields: { pid: 9, ppid: 2, flags: 0x400100, vsize: 4096 },
    is: false,
  },
  { what: "its zombie", fields: { pid: 9, ppid: 2, state: "Z", flags: 0x40010c, vsize: 0 }, is: false },
];

for (const { what, fields, is } of KERNEL_THREADS) {
  Deno.test(`parsePidStat() takes ${what} for ${is ? "a" : "no"} kernel thread`, () => {
    assertEquals(parsePidStat(line(fields)).isKernelThread, is);
  });
}

Deno.test('parsePidStat() keeps a comm that contains ") Z " and a line end', () => {
  for (const comm of [") Z ", "foo) Z 1 (bar", "a\nb", "", "(", ")", " ) "]) {
    const stat = parsePidStat(line({ pid: 7, comm, state: "D", ppid: 3, flags: 0, vsize: 1 }));
    assertEquals([stat.comm, stat.state, stat.ppid], [comm, "D", 3]);
  }
});

Deno.test("parsePidStat() reads counters beyond 2^53", () => {
  const stat = parsePidStat(
    line({ pid: 7, ppid: 3, flags: 0, vsize: 1 }).replace(" 5 6 ", ` ${2n ** 64n - 1n} 6 `),
  );
  assertEquals(stat.utimeTicks, 2 ** 64);
});

Deno.test("parsePidStat() takes a negative memory size, which the kernel can print, for none", () => {
  assertEquals(
    parsePidStat(line({ pid: 7, ppid: 3, flags: 0, vsize: 1 }).replace(" 70 ", " -3 ")).rssPages,
    0,
  );
});

const GOOD = line({ pid: 7, ppid: 3, flags: 0, vsize: 1 });

const REFUSED = {
  "a text that ends after the name": fixture("cases/c43-pid-vanishes-during-scan/proc/1503/stat"),
  "a cut file": fixture("proc/6.1_quiet_web_host/812/stat.truncated"),
  "a text without parentheses": "7 a S 3 1 1\n",
  "a name that does not start": GOOD.replace(" (", " "),
  "a name that does not end": GOOD.replace(")", ""),
  "a text without a pid": GOOD.slice(1),
  "a pid of 0": GOOD.replace("7 (", "0 ("),
  "a negative pid": GOOD.replace("7 (", "-7 ("),
  "a state of two letters": GOOD.replace(" S ", " SS "),
  "a negative parent": GOOD.replace("S 3", "S -3"),
  "negative CPU time": GOOD.replace(" 5 6 ", " -5 6 "),
  "a start time that is no number": GOOD.replace(" 900 ", " x "),
  "a negative start time": GOOD.replace(" 900 ", " -900 "),
  "a start time with too many digits": GOOD.replace(" 900 ", ` ${"9".repeat(21)} `),
  "an empty field": GOOD.replace(" 900 ", "  "),
};

for (const [what, text] of Object.entries(REFUSED)) {
  Deno.test(`parsePidStat() refuses ${what}`, () => {
    assertThrows(() => parsePidStat(text), ParseError, 'Cannot parse "/proc/<pid>/stat": is "');
  });
}

Deno.test("parsePidStat() says that a process that just ended left an empty text", () => {
  const text = fixture("cases/c43-pid-vanishes-during-scan/proc/1501/stat");
  assertEquals(
    assertThrows(() => parsePidStat(text, "/proc/1501/stat"), ParseError).message,
    'Cannot parse "/proc/1501/stat": is empty, expected a pid, (name), a state and at least 21 numbers',
  );
});

Deno.test("parsePidStat() reads or refuses any damaged text", () => {
  for (
    const path of ["proc/6.1_crawler_storm/4120/stat", "cases/c26-comm-spaces-and-parentheses/proc/4242/stat"]
  ) {
    assertReadsOrRefuses(fixture(path), (text) => {
      const { niceness, ...counters } = parsePidStat(text);
      assertSoundNumbers(counters);
      assert(Number.isFinite(niceness));
    });
  }
});

Deno.test("parsePidStat() tells a fork from what has executed a program", () => {
  const isFork = (flags: number): boolean =>
    parsePidStat(line({ pid: 9, ppid: 8, flags, vsize: 4096 })).isFork;
  assertEquals([0x400040, 0x400140, 0x400100, 0x400000].map(isFork), [true, true, false, false]);
});
