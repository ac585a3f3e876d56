import { assert, assertEquals } from "@std/assert";
import { parsePidStat } from "../mod/proc/pid_stat.ts";
import { failed, ok } from "../mod/reading.ts";
import { systemClock } from "./clock.ts";
import { type RunCommand, runCommand } from "./command.ts";
import {
  continueProcesses,
  endProcess,
  endProcesses,
  maybeState,
  type ProcessIdentity,
  type SignalPorts,
  type StopNotes,
} from "./signal.ts";

const PORTS: SignalPorts = { run: runCommand, root: "/proc", clock: systemClock };

/** A child that runs until it is ended. */
interface Child extends AsyncDisposable {
  readonly identity: ProcessIdentity;
  readonly status: Promise<Deno.CommandStatus>;
}

async function start(script: string): Promise<Child> {
  const child = new Deno.Command("/bin/sh", { args: ["-c", `${script}`], stdout: "piped", stdin: "null" })
    .spawn();
  // Its first output says that it has set itself up.
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  return {
    identity: { pid: child.pid, startTicks: statOf(child.pid)?.startTicks ?? 0 },
    status: child.status,
    async [Symbol.asyncDispose](): Promise<void> {
      try {
        child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await child.status;
    },
  };
}

const SLEEPER = "echo ready; exec sleep 300";
const DEAF = "trap '' TERM; echo ready; while :; do sleep 1; done";

function statOf(pid: number): ReturnType<typeof parsePidStat> | undefined {
  try {
    return parsePidStat(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return undefined;
  }
}

/** Waits until a process sleeps, as one that nobody stopped does before long. */
async function untilAsleep(pid: number): Promise<void> {
  for (let tries = 0; tries < 200 && statOf(pid)?.state !== "S"; tries++) await systemClock.sleep(10);
  assertEquals(statOf(pid)?.state, "S");
}

/** Runs programs, and notes the signals that are sent. */
function noting(signals: string[]): RunCommand {
  return (program, args, options) => {
    signals.push(args.join(" "));
    return runCommand(program, args, options);
  };
}

/** Notes that write into the same list as the signals. */
function notesIn(signals: string[], announced = ok<void>(undefined)): StopNotes {
  const pids = (targets: readonly ProcessIdentity[]): string => targets.map(({ pid }) => pid).join(" ");
  return {
    announce(targets): typeof announced {
      signals.push(`announced ${pids(targets)}`);
      return announced;
    },
    noteOthers: (others) => void signals.push(`others ${pids(others)}`),
    forget: (targets) => void signals.push(`forgotten ${pids(targets)}`),
  };
}

/** Does not start the program that sends these signals. */
function failingAt(signals: readonly string[], run: RunCommand): RunCommand {
  return (program, args, options) =>
    signals.includes(args[0] ?? "")
      ? Promise.resolve({ code: 127, stdout: "", stderr: "no such program", timedOut: false, tookMs: 0 })
      : run(program, args, options);
}

Deno.test("endProcess() kills a process, and nothing beside it", async () => {
  await using victim = await start(SLEEPER);
  await using innocent = await start(SLEEPER);
  assertEquals(await endProcess(victim.identity, PORTS), "ended");
  assertEquals((await victim.status).signal, "SIGKILL");
  await untilAsleep(innocent.identity.pid);
});

Deno.test("endProcess() leaves a process alone that has the pid of the one meant", async () => {
  await using other = await start(SLEEPER);
  const { pid, startTicks } = other.identity;
  assertEquals(await endProcess({ pid, startTicks: startTicks - 1 }, PORTS), "another");
  await untilAsleep(pid);
});

Deno.test("endProcess() lets a process go on that got the pid of the one meant in between", async () => {
  await using other = await start(SLEEPER);
  const { pid, startTicks } = other.identity;
  const root = await Deno.makeTempDir();
  await Deno.mkdir(`${root}/${pid}`);
  await Deno.symlink(`${Deno.pid}`, `${root}/self`);
  const line = await Deno.readTextFile(`/proc/${pid}/stat`);
  const earlier = line.replace(` ${startTicks} `, ` ${startTicks - 1} `);
  await Deno.writeTextFile(`${root}/${pid}/stat`, earlier);
  const signals: string[] = [];
  const run: RunCommand = async (program, args, options) => {
    const result = await noting(signals)(program, args, options);
    if (args[0] === "-STOP") await Deno.writeTextFile(`${root}/${pid}/stat`, line);
    return result;
  };
  assertEquals(
    await endProcess({ pid, startTicks: startTicks - 1 }, { ...PORTS, root, run }),
    "another",
  );
  assertEquals(signals, [`-STOP ${pid}`, `-CONT ${pid}`]);
  await untilAsleep(pid);
  await Deno.remove(root, { recursive: true });
});

Deno.test("endProcess() asks first where it is told to", async () => {
  await using polite = await start(SLEEPER);
  assertEquals(await endProcess(polite.identity, PORTS, { termFirst: true, graceMs: 30_000 }), "ended");
  assertEquals((await polite.status).signal, "SIGTERM");
});

Deno.test("endProcess() kills one that does not do what it is asked", async () => {
  await using deaf = await start(DEAF);
  assertEquals(await endProcess(deaf.identity, PORTS, { termFirst: true, graceMs: 100 }), "ended");
  assertEquals((await deaf.status).signal, "SIGKILL");
});

Deno.test("endProcess() says that a process is gone, and sends nothing", async () => {
  const child = await start(SLEEPER);
  const { identity } = child;
  await child[Symbol.asyncDispose]();
  const signals: string[] = [];
  assertEquals(await endProcess(identity, { ...PORTS, run: noting(signals) }), "gone");
  assertEquals(signals, []);
});

Deno.test("endProcess() takes a zombie as gone", async () => {
  // It ends when its parent is no shell any more, which would wait for it.
  await using parent = await start("sleep 2 & echo $!; exec sleep 300");
  const children = async (): Promise<string> =>
    await Deno.readTextFile(`/proc/${parent.identity.pid}/task/${parent.identity.pid}/children`);
  let stat = statOf(Number(await children()));
  while (stat?.state !== "Z") {
    await systemClock.sleep(5);
    stat = statOf(Number(await children()));
  }
  assertEquals(await endProcess(stat, PORTS), "gone");
});

Deno.test("endProcess() refuses pid 1 and itself, and sends nothing", async () => {
  const signals: string[] = [];
  const ports = { ...PORTS, run: noting(signals) };
  for (const pid of [0, 1, Deno.pid]) {
    assertEquals(await endProcess({ pid, startTicks: statOf(pid)?.startTicks ?? 0 }, ports), "refused");
  }
  assertEquals(signals, []);
});

Deno.test("endProcess() refuses the table of another pid namespace, and sends nothing", async () => {
  await using child = await start(SLEEPER);
  const root = await Deno.makeTempDir();
  const { pid } = child.identity;
  await Deno.mkdir(`${root}/${pid}`);
  await Deno.copyFile(`/proc/${pid}/stat`, `${root}/${pid}/stat`);
  const signals: string[] = [];
  const ports = { ...PORTS, root, run: noting(signals) };
  assertEquals(await endProcess(child.identity, ports), "refused");
  await Deno.symlink(`${Deno.pid + 1}`, `${root}/self`);
  assertEquals(await endProcess(child.identity, ports), "refused");
  assertEquals(signals, []);
  await Deno.remove(root, { recursive: true });
});

Deno.test("endProcess() leaves nothing stopped when it can send no further signal", async () => {
  await using child = await start(SLEEPER);
  const run: RunCommand = (program, args, options) =>
    args[0] === "-KILL"
      ? Promise.resolve({ code: 127, stdout: "", stderr: "no such program", timedOut: false, tookMs: 0 })
      : runCommand(program, args, options);
  let nowMs = 0;
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: (ms: number): Promise<void> => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  assertEquals(await endProcess(child.identity, { ...PORTS, run, clock }), "refused");
  await untilAsleep(child.identity.pid);
});

Deno.test("endProcess() writes down what it stops before it does, and forgets it when it has ended", async () => {
  await using child = await start(SLEEPER);
  const { pid } = child.identity;
  const signals: string[] = [];
  const stops = notesIn(signals);
  assertEquals(await endProcess(child.identity, { ...PORTS, run: noting(signals), stops }), "ended");
  assertEquals(signals, [`announced ${pid}`, `-STOP ${pid}`, `-KILL ${pid}`, `forgotten ${pid}`]);
});

Deno.test("endProcess() stops nothing that cannot be written down", async () => {
  await using child = await start(SLEEPER);
  const signals: string[] = [];
  const stops = notesIn(signals, failed("no space left"));
  assertEquals(await endProcess(child.identity, { ...PORTS, run: noting(signals), stops }), "refused");
  assertEquals(signals, [`announced ${child.identity.pid}`]);
  await untilAsleep(child.identity.pid);
});

Deno.test("endProcess() does not forget what it could neither end nor let go on", async () => {
  await using child = await start(SLEEPER);
  const signals: string[] = [];
  const run = failingAt(["-KILL", "-CONT"], runCommand);
  assertEquals(await endProcess(child.identity, { ...PORTS, run, stops: notesIn(signals) }), "refused");
  assertEquals(signals, [`announced ${child.identity.pid}`, "forgotten "]);
  assertEquals(maybeState(child.identity, "/proc"), "T");
});

Deno.test("endProcess() writes down another one that is stopped, until it goes on", async () => {
  for (const isContFailing of [false, true]) {
    await using other = await start(SLEEPER);
    const { pid, startTicks } = other.identity;
    const root = await Deno.makeTempDir();
    await Deno.mkdir(`${root}/${pid}`);
    await Deno.symlink(`${Deno.pid}`, `${root}/self`);
    const line = await Deno.readTextFile(`/proc/${pid}/stat`);
    await Deno.writeTextFile(`${root}/${pid}/stat`, line.replace(` ${startTicks} `, ` ${startTicks - 1} `));
    const signals: string[] = [];
    const run: RunCommand = async (program, args, options) => {
      const result = await failingAt(isContFailing ? ["-CONT"] : [], runCommand)(program, args, options);
      if (args[0] === "-STOP") await Deno.writeTextFile(`${root}/${pid}/stat`, line);
      return result;
    };
    const ports = { ...PORTS, root, run, stops: notesIn(signals) };
    assertEquals(await endProcess({ pid, startTicks: startTicks - 1 }, ports), "another");
    const gone = `forgotten ${pid}`;
    assertEquals(signals, [
      `announced ${pid}`,
      `others ${pid}`,
      ...isContFailing ? [] : [gone],
      gone, // The one that was meant.
    ]);
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("maybeState() knows one process, and not another with its pid", async () => {
  await using child = await start(SLEEPER);
  const { pid, startTicks } = child.identity;
  await untilAsleep(pid);
  assertEquals(maybeState(child.identity, "/proc"), "S");
  assertEquals(maybeState({ pid, startTicks: startTicks + 1 }, "/proc"), undefined);
});

Deno.test("endProcess() says that a process still runs", async () => {
  await using child = await start(SLEEPER);
  let nowMs = 0;
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: (ms: number): Promise<void> => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  // As the kernel treats one in uninterruptible sleep: the signal is taken and does nothing yet.
  const run: RunCommand = () =>
    Promise.resolve({ code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 0 });
  assertEquals(await endProcess(child.identity, { ...PORTS, run, clock }), "alive");
  assert(nowMs >= 2_000);
});

Deno.test("continueProcesses() lets go on what is meant and stopped, and nothing else", async () => {
  await using one = await start(SLEEPER);
  await using other = await start(SLEEPER);
  for (const { identity } of [one, other]) {
    Deno.kill(identity.pid, "SIGSTOP");
    while (statOf(identity.pid)?.state !== "T") await systemClock.sleep(5);
  }
  const { pid, startTicks } = other.identity;
  await continueProcesses([one.identity, { pid, startTicks: startTicks - 1 }], PORTS);
  await untilAsleep(one.identity.pid);
  assertEquals(statOf(pid)?.state, "T");
});

Deno.test("endProcesses() ends all at once, with one run for each signal", async () => {
  await using one = await start(SLEEPER);
  await using two = await start(SLEEPER);
  const gone = { pid: 2 ** 22, startTicks: 1 };
  const signals: string[] = [];
  const endings = await endProcesses([one.identity, gone, two.identity], { ...PORTS, run: noting(signals) });
  assertEquals(endings, ["ended", "gone", "ended"]);
  const pids = `${one.identity.pid} ${two.identity.pid}`;
  assertEquals(signals, [`-STOP ${pids}`, `-KILL ${pids}`]);
});
