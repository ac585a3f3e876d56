import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ProcessTable } from "../mod/processes/process.ts";
import { parsePidStat } from "../mod/proc/pid_stat.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { aProcess, DEFAULT_PATTERNS, DEFAULT_RUNAWAYS } from "../mod/testing/process.ts";
import { testNeeding } from "../test/needs.ts";
import { inWorldOk } from "../test/world.ts";
import { systemClock } from "./clock.ts";
import { runCommand } from "./command.ts";
import { killRunaways, type RunawayPorts, type RunawaysOutcome } from "./kill_runaways.ts";

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

function aTable(rest: Partial<ProcessTable>): Reading<ProcessTable> {
  return ok({
    processes: [],
    coverage: "candidates",
    foundCount: 1,
    skippedPids: [],
    unreadCmdlinePids: [],
    selfPid: Deno.pid,
    ...rest,
  });
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
      portsOn(aTable({ processes: [INIT, SELF, victim] }), signals),
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
    const outcome = await killRunaways(SETTINGS, portsOn(aTable({ processes: [INIT, SELF, victim] }), []));
    assert(outcome.kind === "done");
    assertEquals([outcome.ended.map(({ ending }) => ending), outcome.survivors], [["ended"], 0]);
    assertEquals((await child.status).signal, "SIGKILL");
  });
});

Deno.test("killRunaways() has nothing to do about one that has ended by itself", async () => {
  const gone = aProcess(4_194_303, "curl");
  const outcome = await killRunaways(SETTINGS, portsOn(aTable({ processes: [INIT, SELF, gone] }), []));
  assert(outcome.kind === "done");
  assertEquals([outcome.ended.map(({ ending }) => ending), outcome.survivors], [["gone"], 0]);
});

Deno.test("killRunaways() counts a victim that it could not end", async () => {
  await withSleeper(async (child, startTicks) => {
    let nowMs = 0;
    const ports: RunawayPorts = {
      ...portsOn(aTable({ processes: [INIT, SELF, aProcess(child.pid, "php", { startTicks })] }), []),
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
  const outcome = await killRunaways(SETTINGS, portsOn(aTable({ processes }), signals));
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
      table: aTable({}),
      source: { kind: "kernel-calls", name: "kernel-calls" },
      reason: /there is no proc root/,
    },
    {
      name: "in a table that it is not in",
      table: aTable({ selfPid: undefined }),
      source: PROC,
      reason: /\/proc is not the process table that this program is in$/,
    },
    {
      name: "in the table of another pid namespace",
      table: aTable({ selfPid: Deno.pid + 1 }),
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

/** Programs that are what they are called, as far as the kernel knows. */
const STAGE = `
mkdir /tmp/stage
cd /tmp/stage
for name in php curl wget php8.1 php-cgi wget2 php-fpm php-fpm8.2 nginx mydumper; do cp /bin/bash $name; done
cat > wait.sh <<'END'
trap '' TERM
while :; do read -t 100 line <> /tmp/stage/fifo; done
END
cat > burn.php <<'END'
while :; do :; done
END
echo 'read -t 0.5 line <> /tmp/stage/fifo' > brief.php
mkfifo fifo
chmod 666 fifo
printf '#!/bin/bash\\n%s' "$(cat wait.sh)" > drush.php
printf '#!/bin/bash\\n./php wait.sh & ( ./curl wait.sh & wait ) & wait\\n' > mysql_backup.sh
chmod +x drush.php mysql_backup.sh
start() { name=$1; shift; "$@" > /dev/null 2>&1 & echo "$name $!"; }
start guilty-php ./php burn.php --password=hunter2
start guilty-curl ./curl wait.sh
start guilty-wget setpriv --reuid=65534 --clear-groups ./wget wait.sh
start guilty-drush ./drush.php cron
start guilty-stopped ./php wait.sh
stopped=$!
start backup ./mysql_backup.sh
start engine ./mydumper wait.sh
start marked bash -c './php wait.sh & wait'
echo $! > marker
start container unshare --pid --fork ./php wait.sh
start php8.1 ./php8.1 wait.sh
start php-cgi ./php-cgi wait.sh
start wget2 ./wget2 wait.sh
start fpm ./php-fpm wait.sh
start fpm8.2 ./php-fpm8.2 wait.sh
start nginx ./nginx wait.sh
start by-argument bash wait.sh php
start collector bash -c './php brief.php & ./php wait.sh & exec sleep 300'
for turn in $(seq 200); do
  phps=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx php || :)
  curls=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx curl || :)
  zombies=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c '(php) Z ' || :)
  wgets=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx wget || :)
  if [ "$phps $curls $zombies $wgets" = '7 2 1 1' ]; then break; fi
  sleep 0.05
done
kill -STOP $stopped
echo ---
`;

/** Ends runaways as the agent does, with a runaway of its own below it. */
const KILLER = `
const [adapters, root] = Deno.args;
const { killRunaways } = await import(adapters + "kill_runaways.ts");
const { createProcessReader } = await import(adapters + "process_reader.ts");
const { runCommand } = await import(adapters + "command.ts");
const { systemClock } = await import(adapters + "clock.ts");
const own = new Deno.Command("./curl", { args: ["wait.sh"] }).spawn();
// Between fork and exec it still has our name.
while (Deno.readTextFileSync("/proc/" + own.pid + "/comm").trim() !== "curl") {
  await new Promise((resolve) => setTimeout(resolve, 5));
}
const source = { kind: "proc-root", root, name: "bind-mount" };
const processes = createProcessReader(source, runCommand);
const settings = {
  names: ["php", "drush.php", "wget", "curl", "php-fpm", "php-fpm8.2", "nginx"],
  backups: { patterns: ${JSON.stringify(DEFAULT_PATTERNS)}, markerPath: "/tmp/stage/marker" },
};
const outcome = await killRunaways(settings, { run: runCommand, processes, source, clock: systemClock });
const again = await killRunaways(settings, { run: runCommand, processes, source, clock: systemClock });
const states = {};
for (const { name } of Deno.readDirSync("/proc")) {
  try {
    if (/^\\d/.test(name)) states[name] = Deno.readTextFileSync("/proc/" + name + "/stat").split(") ").pop();
  } catch {}
}
console.log(JSON.stringify({ outcome, again, states, own: own.pid }));
Deno.exit(0);
`;

interface Aftermath {
  readonly outcome: RunawaysOutcome;
  readonly again: RunawaysOutcome;
  /** Of each process what follows its name in its \`stat\`: state, parent and so on. */
  readonly states: Readonly<Record<string, string>>;
  readonly own: number;
}

const WORLD = ["root", "namespaces", "/usr/bin/unshare", "/usr/sbin/ip", "/usr/bin/kill", "/usr/bin/setpriv"];

testNeeding(
  WORLD as Parameters<typeof testNeeding>[0],
  "killRunaways() ends the guilty among real processes, and no other",
  async () => {
    const output = await inWorldOk(
      `${STAGE}
cat > killer.ts <<'END'
${KILLER}
END
export DENO_DIR=/tmp/deno
${Deno.execPath()} run --quiet --no-lock --allow-all killer.ts ${import.meta.resolve("./")} /run/loadweir/proc
: not the last command, so that the shell stays and the guilty are its children`,
      { bind: true },
    );
    const [names = "", json = ""] = output.split("---\n");
    const pids = new Map(
      names.trim().split("\n").map((line) => line.split(" ")).map(([name = "", pid]) => [name, Number(pid)]),
    );
    const namesByPid = new Map([...pids].map(([name, pid]) => [pid, name]));
    const { outcome, again, states, own }: Aftermath = JSON.parse(json);
    assert(outcome.kind === "done" && again.kind === "done");
    const isRunning = (pid: number): boolean => /^[^ZX]/.test(states[`${pid}`] ?? "Z");
    const collected = outcome.ended.filter(({ victim: { pid } }) => !namesByPid.has(pid));
    const guilty = [...pids.keys()].filter((name) => name.startsWith("guilty-"));

    assertEquals(outcome.survivors, 0);
    assertEquals(
      outcome.ended.map(({ victim: { pid }, ending }) => [namesByPid.get(pid) ?? "uncollected", ending])
        .toSorted(),
      [...guilty, "uncollected"].toSorted().map((name) => [name, "ended"]),
    );
    assertEquals(guilty.filter((name) => isRunning(pids.get(name) ?? 0)), []);
    // Its parent collects nobody: it stays as a zombie, and that is no failure.
    assertEquals(collected.map(({ victim: { pid } }) => states[`${pid}`]?.slice(0, 1)), ["Z"]);

    const innocent = [...pids.keys()].filter((name) => !name.startsWith("guilty-"));
    assertEquals(innocent.filter((name) => !isRunning(pids.get(name) ?? 0)), []);
    assert(isRunning(own));
    const reasons = outcome.spared.map(({ reason }) => reason).toSorted();
    assertEquals(reasons, [
      "descendant-of-backup",
      "descendant-of-backup",
      "descendant-of-backup",
      "descendant-of-self",
      "other-pid-namespace",
    ]);
    assertEquals(outcome.spared.filter(({ victim: { pid } }) => !isRunning(pid)), []);
    assertEquals([again.ended, again.spared.length], [[], outcome.spared.length]);

    const records = new Map(outcome.ended.map(({ victim }) => [namesByPid.get(victim.pid), victim]));
    assertEquals(records.get("guilty-php")?.command, "php burn.php");
    assertEquals(records.get("guilty-drush")?.command, "drush.php");
    assertEquals([records.get("guilty-php")?.uid, records.get("guilty-wget")?.uid], [0, 65534]);
    assert((records.get("guilty-php")?.cpuS ?? 0) > 0);
    for (const { victim: { ageS, rssKib } } of outcome.ended) {
      assert(ageS !== undefined && ageS < 60 && rssKib !== undefined && rssKib > 100);
    }
  },
);
