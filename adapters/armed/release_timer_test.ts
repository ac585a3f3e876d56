import { assertEquals } from "@std/assert";
import type { Ledger } from "../../mod/hold/ledger.ts";
import { FULL_LEDGER } from "../../mod/testing/ledger.ts";
import type { RunCommand } from "../command.ts";
import { openReleaseTimer, type ReleaseTimer } from "./release_timer.ts";

const { hold } = FULL_LEDGER;
const HELD: Ledger = { ...FULL_LEDGER, hold: hold && { ...hold, reason: "max", phase: "held" } };
const FREE: Ledger = { ...FULL_LEDGER, hold: undefined };

interface World {
  readonly timer: ReleaseTimer;
  readonly commands: string[];
  readonly told: (string | undefined)[];
}

/** A host at the beginning of its pause, with or without systemd; `code` is what systemd-run exits with. */
function world(paths: readonly string[], code = 0): World {
  const commands: string[] = [];
  const told: (string | undefined)[] = [];
  const run: RunCommand = (program, args) => {
    commands.push([program, ...args].join(" "));
    const isRun = program.endsWith("systemd-run");
    return Promise.resolve({ code: isRun ? code : 5, stdout: "", stderr: "no", timedOut: false, tookMs: 1 });
  };
  const timer = openReleaseTimer({
    clock: { monotonicMs: () => hold?.sinceBootMs ?? 0 },
    run,
    host: { exists: (path) => paths.includes(path) },
    rules: () => ({ maxHoldMs: 60_000, onMaxHold: "resume" }),
    programPath: "/usr/local/bin/loadweir",
    tellChange: (_, line) => void told.push(line),
  });
  return { timer, commands, told };
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
      "/usr/local/bin/loadweir release the pause is over, and the agent has not given the web back",
  );
  assertEquals(told, [undefined, undefined, undefined]);
});

Deno.test("openReleaseTimer() tells that it cannot set one", async () => {
  const { timer, told } = world(SYSTEMD, 1);
  timer.follow(HELD);
  await timer.idle();
  assertEquals(told.length, 1);
  assertEquals(
    /^no timer gives the web back in 1 m 30 s if this agent is gone: .* exited 1/.test(told[0] ?? ""),
    true,
  );
});

Deno.test("openReleaseTimer() does nothing where systemd does not run the host", async () => {
  const { timer, commands } = world(["/usr/bin/systemctl", "/usr/bin/systemd-run"]);
  timer.follow(HELD);
  await timer.idle();
  assertEquals(commands, []);
});
