import { assertEquals } from "@std/assert";
import type { Decision } from "../../mod/ladder/decision.ts";
import { climb, sampleAt } from "../../mod/testing/climb.ts";
import type { CommandOptions, RunCommand } from "../command.ts";
import { openServiceNotifier, type ServiceEnvironment, type ServiceNotifier } from "./service_notifier.ts";

/** A decision of a quiet pass. */
const QUIET: Decision = (() => {
  const decision = climb([sampleAt(0, 20)])[0]?.decision;
  if (decision === undefined) throw new Error("no sample was due");
  return decision;
})();

const UNDER_SYSTEMD: ServiceEnvironment = {
  notifySocket: "/run/systemd/notify",
  watchdogUsec: "120000000",
};

interface World {
  readonly notifier: ServiceNotifier;
  readonly said: string[];
  readonly options: CommandOptions[];
  readonly told: (string | undefined)[];
  /** Has the agent wait for a pass at a time. */
  readonly waitAt: (ms: number) => Promise<void>;
  /** Makes a pass at a time, and waits until what it says is said. */
  readonly passAt: (ms: number, rest?: Partial<Decision>, lateMs?: number) => Promise<void>;
}

function world(environment: ServiceEnvironment, code = 0): World {
  let nowMs = 0;
  const said: string[] = [];
  const options: CommandOptions[] = [];
  const told: (string | undefined)[] = [];
  const run: RunCommand = (program, args, given) => {
    said.push([program, ...args].join(" "));
    options.push(given);
    return Promise.resolve({ code, stdout: "", stderr: "no", timedOut: false, tookMs: 1 });
  };
  const notifier = openServiceNotifier({
    environment,
    clock: { monotonicMs: () => nowMs },
    run,
    host: { exists: (path) => path === "/bin/systemd-notify" },
    tellChange: (_, line) => void told.push(line),
  });
  return {
    notifier,
    said,
    options,
    told,
    async waitAt(ms): Promise<void> {
      nowMs = ms;
      notifier.waiting();
      await notifier.idle();
    },
    async passAt(ms, rest = {}, lateMs = 0): Promise<void> {
      nowMs = ms;
      notifier.pass({ decision: { ...QUIET, ...rest }, lateMs });
      await notifier.idle();
    },
  };
}

Deno.test("openServiceNotifier() says of the first pass that the agent is ready, and starts nothing on quiet ones", async () => {
  const { said, options, passAt, told } = world(UNDER_SYSTEMD);
  for (let ms = 0; ms < 40_000; ms += 5_000) await passAt(ms);
  assertEquals(said, ["/bin/systemd-notify READY=1 WATCHDOG=1 STATUS=NORMAL, load 1m 20.0 %, 5m 20.0 %"]);
  assertEquals(options[0]?.environment, { NOTIFY_SOCKET: "/run/systemd/notify" });
  assertEquals(told, [undefined]);
  await passAt(40_000);
  assertEquals(said.length, 2);
});

Deno.test("openServiceNotifier() says that the agent goes on while a pass is minutes away, and not before it is ready", async () => {
  const { said, passAt, waitAt } = world(UNDER_SYSTEMD);
  await waitAt(0);
  await passAt(0);
  for (let ms = 2_000; ms < 300_000; ms += 2_000) await waitAt(ms);
  assertEquals(said.slice(1), Array(4).fill("/bin/systemd-notify WATCHDOG=1"));
  await passAt(300_000);
  assertEquals(said.at(-1)?.includes("STATUS=NORMAL"), true);
});

Deno.test("openServiceNotifier() says at once what has changed", async () => {
  const { said, passAt } = world(UNDER_SYSTEMD);
  await passAt(0);
  await passAt(5_000, { tier: "max", paused: true });
  await passAt(10_000, { tier: "max", paused: true });
  assertEquals(said.map((line) => /STATUS=(.*), load/.exec(line)?.[1]), ["NORMAL", "MAX, the web is paused"]);
});

Deno.test("openServiceNotifier() gives no sign of life for passes that come late", async () => {
  const { said, passAt } = world(UNDER_SYSTEMD);
  await passAt(0);
  await passAt(100_000, { tier: "max" }, 60_000);
  assertEquals(said.length, 1);
  await passAt(105_000, { tier: "max" }, 1_000);
  assertEquals(said.length, 2);
});

Deno.test("openServiceNotifier() says that it ends, and nothing after", async () => {
  const { notifier, said, passAt } = world(UNDER_SYSTEMD);
  await passAt(0);
  notifier.stopping();
  notifier.stopping();
  await notifier.idle();
  await passAt(500_000);
  assertEquals(said.slice(1), ["/bin/systemd-notify STOPPING=1 STATUS=gives everything back"]);
});

Deno.test("openServiceNotifier() does nothing where no service manager listens", async () => {
  const { notifier, said, passAt } = world({ notifySocket: undefined, watchdogUsec: "120000000" });
  await passAt(0);
  notifier.stopping();
  await notifier.idle();
  assertEquals(said, []);
});

Deno.test("openServiceNotifier() tells that systemd cannot be told", async () => {
  const { passAt, told } = world(UNDER_SYSTEMD, 1);
  await passAt(0);
  assertEquals(told.length, 1);
  assertEquals(told[0]?.startsWith('systemd is not told: "/bin/systemd-notify READY=1 '), true);
});
