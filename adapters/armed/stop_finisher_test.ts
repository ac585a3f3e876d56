import { assertEquals } from "@std/assert";
import { parsePidStat } from "../../mod/proc/pid_stat.ts";
import type { StoppedProcess } from "../../mod/processes/stop_list.ts";
import { ok } from "../../mod/reading.ts";
import { systemClock } from "../clock.ts";
import { type RunCommand, runCommand } from "../command.ts";
import { openStopFinisher, type StopFinisher } from "./stop_finisher.ts";

/** A child that is stopped. */
interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly startTicks: number;
  readonly state: () => string | undefined;
}

async function startStopped(): Promise<Child> {
  const child = new Deno.Command("/bin/sleep", { args: ["300"], stdin: "null" }).spawn();
  const read = (): ReturnType<typeof parsePidStat> | undefined => {
    try {
      return parsePidStat(Deno.readTextFileSync(`/proc/${child.pid}/stat`));
    } catch {
      return undefined;
    }
  };
  Deno.kill(child.pid, "SIGSTOP");
  while (read()?.state !== "T") await systemClock.sleep(5);
  return {
    pid: child.pid,
    startTicks: read()?.startTicks ?? 0,
    state: () => read()?.state,
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

/** A finisher on a list, and what it told. */
function aFinisher(
  first: readonly StoppedProcess[],
  run: RunCommand = runCommand,
  root = "/proc",
): {
  readonly finisher: StopFinisher;
  readonly left: () => readonly StoppedProcess[];
  readonly told: string[];
} {
  let processes = first;
  const told: string[] = [];
  const finisher = openStopFinisher({
    run,
    clock: systemClock,
    source: { kind: "proc-root", root, name: "proc" },
    list: {
      processes: () => processes,
      announce: () => ok(undefined),
      noteOthers(): void {},
      forget(targets): void {
        processes = processes.filter(({ pid }) => !targets.some((target) => target.pid === pid));
      },
    },
    tell: ({ text, details }) => void told.push([text, ...details].join("; ")),
    tellChange: (_subject, line) => void (line !== undefined && told.push(line)),
  });
  return { finisher, left: () => processes, told };
}

function chosen({ pid, startTicks }: Child): StoppedProcess {
  return { pid, startTicks, wanted: "end", sinceBootMs: systemClock.monotonicMs() };
}

Deno.test("a finisher ends what was chosen, lets another go on, and touches no other", async () => {
  await using victim = await startStopped();
  await using other = await startStopped();
  await using reused = await startStopped();
  await using innocent = await startStopped();
  const { finisher, left, told } = aFinisher([
    chosen(victim),
    { ...chosen(other), wanted: "go-on" },
    { ...chosen(reused), startTicks: reused.startTicks - 1 },
  ]);
  finisher.follow();
  await finisher.settle(20_000);
  assertEquals([victim.state() ?? "Z", other.state(), reused.state(), innocent.state()], [
    "Z",
    "S",
    "T",
    "T",
  ]);
  assertEquals(left().map(({ pid }) => pid), [other.pid], "until no late stop can come");
  assertEquals(told, [`Runaways ended; pid ${victim.pid}, which had been left stopped: ended`]);
});

Deno.test("a finisher tries again what can get no signal, and says so", async () => {
  await using victim = await startStopped();
  let isBroken = true;
  const run: RunCommand = (program, args, options) =>
    isBroken
      ? Promise.resolve({ code: 127, stdout: "", stderr: "no memory", timedOut: false, tookMs: 0 })
      : runCommand(program, args, options);
  const { finisher, left, told } = aFinisher([chosen(victim)], run);
  finisher.follow();
  await finisher.settle(20_000);
  assertEquals([victim.state(), left().length], ["T", 1]);
  assertEquals(told, [`still stopped, and tried again: pid ${victim.pid}`]);
  isBroken = false;
  finisher.follow();
  await finisher.settle(20_000);
  assertEquals([victim.state() ?? "Z", left()], ["Z", []]);
});

Deno.test("a finisher waits for whoever stops processes meanwhile", async () => {
  await using victim = await startStopped();
  const { finisher } = aFinisher([chosen(victim)]);
  const held = Promise.withResolvers<void>();
  const task = finisher.meanwhile(() => held.promise);
  finisher.follow();
  await finisher.settle(100);
  assertEquals(victim.state(), "T");
  held.resolve();
  await task;
  await finisher.settle(20_000);
  assertEquals(victim.state() ?? "Z", "Z");
});

Deno.test("a finisher does nothing by the table of another pid namespace", async () => {
  await using victim = await startStopped();
  const { finisher, left, told } = aFinisher([chosen(victim)], runCommand, "/tmp");
  finisher.follow();
  await finisher.settle(20_000);
  assertEquals([victim.state(), left().length], ["T", 1]);
  assertEquals(told, ["without a proc root nobody can tell whether they are stopped still"]);
});
