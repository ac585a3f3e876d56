import { assertEquals, assertMatch } from "@std/assert";
import type { Ledger } from "../../mod/hold/ledger.ts";
import { FULL_LEDGER } from "../../mod/testing/ledger.ts";
import type { RunCommand } from "../command.ts";
import { openReleaseTimer, type ReleaseTimer } from "./release_timer.ts";

const { hold } = FULL_LEDGER;
const HELD: Ledger = { ...FULL_LEDGER, hold: hold && { ...hold, reason: "max", phase: "held" } };
const FREE: Ledger = { ...FULL_LEDGER, hold: undefined };

/** The end of a program that gave no answer. */
const HANGS = 137;

interface World {
  readonly timer: ReleaseTimer;
  readonly commands: string[];
  readonly told: (string | undefined)[];
  /** Lets time go by. */
  readonly wait: (ms: number) => void;
}

/** A host at the beginning of its pause, with or without systemd; `code` is what systemd-run exits with the next time. */
function world(paths: readonly string[], code: () => number = () => 0): World {
  const commands: string[] = [];
  const told: (string | undefined)[] = [];
  let nowMs = hold?.sinceBootMs ?? 0;
  const run: RunCommand = (program, args) => {
    commands.push([program, ...args].join(" "));
    const isRun = program.endsWith("systemd-run");
    const end = isRun ? code() : 5;
    return Promise.resolve({ code: end, stdout: "", stderr: "no", timedOut: end === HANGS, tookMs: nowMs });
  };
  const timer = openReleaseTimer({
    clock: { monotonicMs: () => nowMs },
    run,
    host: { exists: (path) => paths.includes(path) },
    rules: () => ({ maxHoldMs: 60_000, onMaxHold: "resume" }),
    programPath: "/usr/local/bin/loadweir",
    tellChange: (_, line) => void told.push(line),
  });
  return { timer, commands, told, wait: (ms) => void (nowMs += ms) };
}

const SYSTEMD = ["/run/systemd/system", "/usr/bin/systemctl", "/bin/systemd-run"];
const STOP = "/usr/bin/systemctl stop loadweir-release.timer";

Deno.test("openReleaseTimer() sets one timer for a pause, and takes it away after", async () => {
  const { timer, commands, told } = world(SYSTEMD);
  for (const ledger of [FREE, FREE, HELD, HELD, FREE]) timer.follow(ledger);
  await timer.idle();
  assertEquals(commands.length, 4);
  assertEquals([commands[0], commands[1], commands[3]], [STOP, STOP, STOP]);
  assertEquals(
    commands[2],
    "/bin/systemd-run --quiet --collect --unit=loadweir-release --on-active=90s " +
      "--timer-property=AccuracySec=1s --property=BindReadOnlyPaths=/proc:/run/loadweir/proc " +
      "/usr/local/bin/loadweir release --left the pause is over, and the agent has not given the web back",
  );
  assertEquals(told, [undefined, undefined, undefined]);
});

Deno.test("openReleaseTimer() tells once that it cannot set one, and tries again until it can", async () => {
  let code = 1;
  const { timer, commands, told, wait } = world(SYSTEMD, () => code);
  const isSet = (): number => commands.filter((line) => line.includes("systemd-run")).length;
  for (const [waitMs, end, attempts] of [[0, 1, 1], [59_999, 1, 1], [1, HANGS, 2], [60_000, 0, 3]] as const) {
    wait(waitMs);
    code = end;
    timer.follow(HELD);
    await timer.idle();
    assertEquals(isSet(), attempts, `after ${waitMs} ms more`);
  }
  // However often it is tried, the deadline of the pause stays.
  const afterS = commands.flatMap((line) => /--on-active=(\d+)s/.exec(line)?.[1] ?? []);
  assertEquals(afterS, ["90", "30", "1"]);
  assertEquals(told.length, 2);
  assertMatch(told[0] ?? "", /^no timer gives the web back if this agent is gone, trying again: .* exited 1/);
  assertEquals(told[1], undefined);
  wait(600_000);
  timer.follow(HELD);
  await timer.idle();
  assertEquals(isSet(), 3, "not once it is set");
});

Deno.test("openReleaseTimer() tries no more for a pause that is over", async () => {
  const { timer, commands, wait } = world(SYSTEMD, () => 1);
  timer.follow(HELD);
  timer.follow(FREE);
  await timer.idle();
  wait(60_000);
  timer.follow(FREE);
  await timer.idle();
  assertEquals(commands.filter((line) => line.includes("systemd-run")).length, 1);
  assertEquals(commands.at(-1), STOP);
  assertEquals(commands.length, 3);
});

Deno.test("openReleaseTimer() does nothing where systemd does not run the host", async () => {
  const { timer, commands } = world(["/usr/bin/systemctl", "/usr/bin/systemd-run"]);
  timer.follow(HELD);
  await timer.idle();
  assertEquals(commands, []);
});
