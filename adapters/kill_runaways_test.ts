import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ProcessTable } from "../mod/processes/process.ts";
import { parsePidStat } from "../mod/proc/pid_stat.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { aProcess, aTable, DEFAULT_PATTERNS, DEFAULT_RUNAWAYS } from "../mod/testing/process.ts";
import { testNeeding } from "../test/needs.ts";
import { systemClock } from "./clock.ts";
import { runCommand } from "./command.ts";
import { killRunaways, type RunawayPorts } from "./kill_runaways.ts";

const SETTINGS = {
  names: DEFAULT_RUNAWAYS,
  backups: { patterns: DEFAULT_PATTERNS, markerPath: undefined },
};

const PROC = { kind: "proc-root", root: "/proc", name: "proc" } as const;

/** Ports on which every signal that is sent is noted. */
function portsOn(table: Reading<ProcessTable>, signals: string[]): RunawayPorts {
  return {
    run(program, args, options): ReturnType<typeof runCommand> {
      signals.push(args.join(" "));
      return runCommand(program, args, options);
    },
    processes: {
      read: () => Promise.resolve(table),
      isAlive: () => Promise.resolve(false),
      close(): void {},
    },
    source: PROC,
    clock: systemClock,
  };
}

function tableWith(rest: Partial<ProcessTable>): Reading<ProcessTable> {
  return ok(aTable([], { coverage: "candidates", foundCount: 1, selfPid: Deno.pid, ...rest }));
}

/** A child that sleeps, as the process table has it but for what a test gets wrong on purpose. */
async function withSleeper(
  test: (child: Deno.ChildProcess, startTicks: number) => Promise<void>,
): Promise<void> {
  const child = new Deno.Command("/bin/sleep", { args: ["300"] }).spawn();
  try {
    await test(child, parsePidStat(Deno.readTextFileSync(`/proc/${child.pid}/stat`)).startTicks);
  } finally {
    try {
      child.kill("SIGKILL");
    } catch {
      // It was ended by the test.
    }
    await child.status;
  }
}

const SELF = aProcess(Deno.pid, "deno");
const INIT = aProcess(1, "init", { ppid: 0 });

Deno.test("killRunaways() lets a process go on that got the pid of a victim meanwhile", async () => {
  await withSleeper(async (child, startTicks) => {
    const signals: string[] = [];
    const victim = aProcess(child.pid, "php", { startTicks: startTicks - 1 });
    const outcome = await killRunaways(
      SETTINGS,
      portsOn(tableWith({ processes: [INIT, SELF, victim] }), signals),
    );
    assert(outcome.kind === "done");
    assertEquals(outcome.ended.map(({ victim: { pid }, ending }) => [pid, ending]), [[child.pid, "another"]]);
    assertEquals([outcome.survivors, signals.filter((words) => /-(KILL|TERM)/.test(words))], [0, []]);
    const { state } = parsePidStat(Deno.readTextFileSync(`/proc/${child.pid}/stat`));
    assert(state === "S" || state === "R", state);
  });
});

testNeeding(["/usr/bin/kill"], "killRunaways() ends a victim whose start is right", async () => {
  await withSleeper(async (child, startTicks) => {
    const victim = aProcess(child.pid, "php", { startTicks });
    const outcome = await killRunaways(SETTINGS, portsOn(tableWith({ processes: [INIT, SELF, victim] }), []));
    assert(outcome.kind === "done");
    assertEquals([outcome.ended.map(({ ending }) => ending), outcome.survivors], [["ended"], 0]);
    assertEquals((await child.status).signal, "SIGKILL");
  });
});

Deno.test("killRunaways() has nothing to do about one that has ended by itself", async () => {
  const gone = aProcess(4_194_303, "curl");
  const outcome = await killRunaways(SETTINGS, portsOn(tableWith({ processes: [INIT, SELF, gone] }), []));
  assert(outcome.kind === "done");
  assertEquals([outcome.ended.map(({ ending }) => ending), outcome.survivors], [["gone"], 0]);
});

Deno.test("killRunaways() counts a victim that it could not end", async () => {
  await withSleeper(async (child, startTicks) => {
    let nowMs = 0;
    const ports: RunawayPorts = {
      ...portsOn(tableWith({ processes: [INIT, SELF, aProcess(child.pid, "php", { startTicks })] }), []),
      run: () => Promise.resolve({ code: 127, stdout: "", stderr: "", timedOut: false, tookMs: 0 }),
      clock: {
        ...systemClock,
        monotonicMs: () => nowMs,
        sleep(ms: number): Promise<void> {
          nowMs += ms;
          return Promise.resolve();
        },
      },
    };
    const outcome = await killRunaways(SETTINGS, ports);
    assert(outcome.kind === "done");
    assertEquals([outcome.ended.map(({ ending }) => ending), outcome.survivors], [["refused"], 1]);
  });
});

Deno.test("killRunaways() spares what may be a backup, and what is below it", async () => {
  const signals: string[] = [];
  const processes = [
    INIT,
    SELF,
    aProcess(4_194_300, "bash", { argv: undefined }),
    aProcess(4_194_301, "curl", { ppid: 4_194_300 }),
    aProcess(4_194_302, "php", { argv: undefined }),
  ];
  const outcome = await killRunaways(SETTINGS, portsOn(tableWith({ processes }), signals));
  assert(outcome.kind === "done");
  assertEquals(outcome.spared.map(({ victim: { pid }, reason }) => [pid, reason]), [
    [4_194_301, "backup-unknown"],
    [4_194_302, "backup-unknown"],
  ]);
  assertEquals([outcome.ended, signals], [[], []]);
});

for (
  const { name, table, source, reason } of [
    {
      name: "without a proc root",
      table: tableWith({}),
      source: { kind: "kernel-calls", name: "kernel-calls" },
      reason: /there is no proc root/,
    },
    {
      name: "in a table that it is not in",
      table: tableWith({ selfPid: undefined }),
      source: PROC,
      reason: /\/proc is not the process table that this program is in$/,
    },
    {
      name: "in the table of another pid namespace",
      table: tableWith({ selfPid: Deno.pid + 1 }),
      source: PROC,
      reason: /\/proc is of another pid namespace/,
    },
    {
      name: "without a table",
      table: failed("Cannot list the processes of /proc: gone"),
      source: PROC,
      reason: /Cannot list the processes/,
    },
  ] as const
) {
  Deno.test(`killRunaways() refuses to signal anything ${name}`, async () => {
    await withSleeper(async (child, startTicks) => {
      const signals: string[] = [];
      const withVictim = table.kind === "ok"
        ? ok({ ...table.value, processes: [INIT, SELF, aProcess(child.pid, "php", { startTicks })] })
        : table;
      const outcome = await killRunaways(SETTINGS, { ...portsOn(withVictim, signals), source });
      assert(outcome.kind === "refused");
      assertMatch(outcome.reason, /^Cannot end runaways: /);
      assertMatch(outcome.reason, reason);
      assertEquals(signals, []);
    });
  });
}
