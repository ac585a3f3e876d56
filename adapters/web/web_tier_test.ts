/** What depends on a host that does not answer; the rest is tried on real ones. */

import { assertEquals, assertMatch } from "@std/assert";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import type { ProcessInfo, ProcessTable } from "../../mod/processes/process.ts";
import { failed, maybeValue, ok, type Reading } from "../../mod/reading.ts";
import { SHOW_ARGUMENTS } from "../../mod/services/systemctl.ts";
import { aProcess, aTable } from "../../mod/testing/process.ts";
import { type Answer, answering, makeTempHost, type TempEntry } from "../check/temp_host.ts";
import type { Clock } from "../clock.ts";
import type { Source } from "../source.ts";
import {
  findRunningServices,
  findStartedServices,
  startServices,
  stopServices,
  type WebTierPorts,
} from "./web_tier.ts";

const NO_PROC: Source = { kind: "kernel-calls", name: "kernel-calls" };

const SYSTEMD: Readonly<Record<string, TempEntry>> = {
  "/run/systemd/system/x": "",
  "/usr/bin/systemctl": "",
  "/usr/sbin/nginx": "",
  "/lib/systemd/system/nginx.service": "[Service]\nExecStart=/usr/sbin/nginx\n",
};

const SHOW = ["/usr/bin/systemctl", ...SHOW_ARGUMENTS, "nginx.service"].join(" ");
const SHOWN: Readonly<Record<string, Answer>> = { [SHOW]: { stdout: "Id=nginx.service\nMainPID=10\n" } };
const STOP = "/usr/bin/systemctl stop --job-mode=ignore-dependencies -- nginx.service";
const KILL = "/usr/bin/systemctl kill --signal=KILL -- nginx.service";

/** How nginx calls its configuration broken. */
const BROKEN: Answer = {
  code: 1,
  stderr: 'nginx: [emerg] unknown directive "limt_req" in /etc/nginx/x.conf:3\n' +
    "nginx: configuration file /etc/nginx/nginx.conf test failed\n",
};

const NGINX: ServiceRef = {
  kind: "nginx",
  manager: "systemd",
  name: "nginx.service",
  program: "/usr/sbin/nginx",
  args: [],
  confPath: undefined,
};

/** As `ps` gives them. */
const RUNNING: readonly ProcessInfo[] = [
  aProcess(10, "nginx", { argv: ["nginx: master process /usr/sbin/nginx"], startTicks: undefined }),
  aProcess(11, "nginx", { ppid: 10, argv: ["nginx: worker process"], startTicks: undefined }),
];

function tableOf(processes: readonly ProcessInfo[]): Reading<ProcessTable> {
  return ok(aTable(processes, { selfPid: 1 }));
}

/** A clock that goes on while somebody sleeps. */
function sleepyClock(): Clock {
  let nowMs = 0;
  return {
    monotonicMs: () => nowMs,
    wallMs: () => 0,
    sleep(ms: number): Promise<void> {
      nowMs += ms;
      return Promise.resolve();
    },
  };
}

/** A host without a proc root, with one table for each look; the last one stays. */
function portsOf(
  tables: readonly Reading<ProcessTable>[],
  rest: Pick<WebTierPorts, "run"> & Partial<WebTierPorts>,
): WebTierPorts {
  let looks = 0;
  const read = (): Promise<Reading<ProcessTable>> =>
    Promise.resolve(tables[Math.min(looks++, tables.length - 1)] ?? failed("no table"));
  return {
    processes: { read, isAlive: () => Promise.resolve(false), close: () => {} },
    source: NO_PROC,
    clock: sleepyClock(),
    ...rest,
  };
}

Deno.test("findRunningServices() leaves alone what could not be stopped, or started again", async () => {
  await using host = await makeTempHost({ "/usr/sbin/nginx": "" });
  const found = maybeValue(
    await findRunningServices(portsOf([tableOf(RUNNING)], { run: answering({}), host: host.files })),
  );
  assertEquals([found?.manager, found?.services], ["none", []]);
  assertEquals(found?.outOfReach.map(({ service, why }) => [service.name, why]), [
    ["/usr/sbin/nginx", "no unit or script stops it, and without a proc root nothing is signalled"],
  ]);
});

Deno.test("findRunningServices() leaves alone an nginx that is the first process", async () => {
  await using host = await makeTempHost({ "/usr/sbin/nginx": "", "/etc/init.d/nginx": { program: "" } });
  const first = [aProcess(1, "nginx", { ppid: 0, argv: ["nginx: master process nginx"] })];
  const found = maybeValue(
    await findRunningServices(portsOf([tableOf(first)], { run: answering({}), host: host.files })),
  );
  assertEquals([found?.services, found?.outOfReach.length], [[], 1]);
});

for (const loadState of ["masked", "not-found"]) {
  Deno.test(`findRunningServices() leaves alone a unit that is ${loadState}, and findStartedServices() sees it`, async () => {
    await using host = await makeTempHost(SYSTEMD);
    const stdout = `Id=nginx.service\nLoadState=${loadState}\nMainPID=10\n`;
    const calls: string[] = [];
    const ports = portsOf([tableOf(RUNNING)], {
      run: answering({ [SHOW]: { stdout } }, calls),
      host: host.files,
    });
    const found = maybeValue(await findRunningServices(ports));
    assertEquals([found?.services, found?.outOfReach.map(({ why }) => why)], [[], [
      `its unit is ${loadState}, and it would not start again`,
    ]]);
    assertEquals(calls, [SHOW]);
    assertEquals(maybeValue(await findStartedServices(ports))?.map(({ name }) => name), ["nginx.service"]);
  });
}

Deno.test("findRunningServices() leaves alone what is broken for certain, and nothing else", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const rows: readonly (readonly [Answer, isLeft: boolean])[] = [
    [{}, false],
    [BROKEN, true],
    [{ ...BROKEN, timedOut: true }, false],
    [{ code: 70 }, false],
  ];
  for (const [answer, isLeft] of rows) {
    const run = answering({ ...SHOWN, "/usr/sbin/nginx -t -q": answer });
    const found = maybeValue(
      await findRunningServices(portsOf([tableOf(RUNNING)], { run, host: host.files })),
    );
    assertEquals([found?.services.length, found?.outOfReach.length], isLeft ? [0, 1] : [1, 0]);
    const why = found?.outOfReach[0]?.why ?? "";
    if (isLeft) assertMatch(why, /^its configuration is broken, and it would not start again: .*limt_req/);
  }
});

Deno.test("findRunningServices() waits three seconds for a test, as a pause waits for it", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const deadlines: number[] = [];
  const answer = answering(SHOWN);
  const run: WebTierPorts["run"] = (program, args, options) => {
    if (args.includes("-t")) deadlines.push(options.deadlineMs);
    return answer(program, args, options);
  };
  await findRunningServices(portsOf([tableOf(RUNNING)], { run, host: host.files }));
  assertEquals(deadlines, [3_000]);
});

for (
  const [name, signal, isEnding] of [["SIGKILL", 9, true], ["SIGTERM", 15, true], [
    "SIGHUP",
    1,
    false,
  ]] as const
) {
  Deno.test(`a master that has not taken its ${name} yet ${isEnding ? "is" : "is not"} about to end`, async () => {
    const mask = (1n << BigInt(signal - 1)).toString(16).padStart(16, "0");
    await using host = await makeTempHost({
      ...SYSTEMD,
      "/run/loadweir/proc/10/status": `Uid:\t0\t0\t0\t0\nSigPnd:\t0000000000000000\nShdPnd:\t${mask}\n`,
    });
    const start = "/usr/bin/systemctl start -- nginx.service";
    const run = answering({ ...SHOWN, [start]: { timedOut: true, code: 137 }, "/usr/sbin/nginx -t -q": {} });
    const ports = portsOf([tableOf(RUNNING)], {
      run,
      host: host.files,
      source: { kind: "proc-root", root: "/run/loadweir/proc", name: "bind-mount" },
    });
    // It is to be stopped, and it must be started when it is gone; until then nobody has started it.
    assertEquals(maybeValue(await findRunningServices(ports))?.services.length, 1);
    assertEquals(maybeValue(await findStartedServices(ports))?.length, isEnding ? 0 : 1);
    const [outcome] = await startServices([NGINX], ports);
    assertEquals([outcome?.ok, outcome?.left], [!isEnding, [10, 11]]);
    const text = outcome?.text ?? "";
    if (isEnding) {
      assertMatch(text, /; does not serve: its master, pid 10, got a signal and is about to end$/);
    }
  });
}

Deno.test("findRunningServices() fails when the processes cannot be read", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const ports = portsOf([failed("no ps")], { run: answering({}), host: host.files });
  assertEquals(await findRunningServices(ports), failed("no ps"));
});

Deno.test("stopServices() stops by the unit when nothing can be seen, and does not say done", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const calls: string[] = [];
  const run = answering({ ...SHOWN, [STOP]: {} }, calls);
  const [outcome] = await stopServices([NGINX], portsOf([failed("no ps")], { run, host: host.files }));
  assertEquals(calls, [STOP]);
  assertEquals([outcome?.ok, outcome?.left], [false, []]);
  assertMatch(outcome?.text ?? "", /exited 0 after 1 ms; whether it is gone cannot be seen: no ps$/);
});

Deno.test("stopServices() without a proc root kills the unit whose stop gives no answer", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const calls: string[] = [];
  const run = answering({ ...SHOWN, [STOP]: { timedOut: true, code: 137 }, [KILL]: {} }, calls);
  const tables = [tableOf(RUNNING), tableOf([])];
  const [outcome] = await stopServices([NGINX], portsOf(tables, { run, host: host.files }));
  assertEquals(calls.filter((call) => call !== SHOW), [STOP, KILL]);
  assertEquals([outcome?.ok, outcome?.left], [true, []]);
});

Deno.test("stopServices() says what is left in the end, after a bounded number of tries", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const calls: string[] = [];
  const run = answering(
    { ...SHOWN, [STOP]: { code: 1, stderr: "Access denied\n" }, [KILL]: { code: 1 } },
    calls,
  );
  const [outcome] = await stopServices([NGINX], portsOf([tableOf(RUNNING)], { run, host: host.files }));
  assertEquals(calls.filter((call) => call !== SHOW), [STOP, KILL, KILL, KILL]);
  assertEquals([outcome?.ok, outcome?.left], [false, [10, 11]]);
  assertMatch(outcome?.text ?? "", /exited 1 after 1 ms: Access denied; .*; still there: pid 10, 11$/);
});

Deno.test("stopServices() asks systemd also for what does not run: it may be about to start", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const calls: string[] = [];
  const run = answering({ ...SHOWN, [STOP]: {} }, calls);
  const [outcome] = await stopServices([NGINX], portsOf([tableOf([])], { run, host: host.files }));
  assertEquals([calls.includes(STOP), outcome?.ok], [true, true]);
});

Deno.test("stopServices() has nothing to do for a service that is not there", async () => {
  await using host = await makeTempHost({ "/usr/sbin/service": "" });
  const calls: string[] = [];
  const gone: ServiceRef = { ...NGINX, manager: "sysv", name: "nginx" };
  const ports = portsOf([tableOf([])], { run: answering({}, calls), host: host.files });
  const [outcome] = await stopServices([gone], ports);
  assertEquals([calls, outcome?.ok, outcome?.text], [[], true, "nothing of it ran"]);
});

Deno.test("startServices() says that a unit is not there", async () => {
  await using host = await makeTempHost({ ...SYSTEMD, "/lib/systemd/system/nginx.service": "" });
  const run = answering({
    ...SHOWN,
    "/usr/sbin/nginx -t -q": {},
    "/usr/bin/systemctl start -- nginx.service": {
      code: 5,
      stderr: "Failed to start nginx.service: Unit nginx.service not found.\n",
    },
  });
  const [outcome] = await startServices([NGINX], portsOf([tableOf([])], { run, host: host.files }));
  assertEquals(outcome?.ok, false);
  assertMatch(outcome?.text ?? "", /exited 5 after 1 ms: Failed to start .* not found\.; does not serve: /);
});

Deno.test("startServices() starts whatever the test says, as a failed one may be the agent's own fault", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const rows: readonly (readonly [Answer, says: RegExp])[] = [
    [{ timedOut: true, code: 137 }, /^not tested: .* gave no answer within/],
    [{ code: 127, stderr: "not allowed" }, /^not tested: .*; serves$/],
    [{ code: 137 }, /^not tested: .*; serves$/],
    [BROKEN, /^its configuration is broken: .*limt_req.*; serves$/],
  ];
  for (const [answer, says] of rows) {
    const run = answering({
      ...SHOWN,
      "/usr/sbin/nginx -t -q": answer,
      "/usr/bin/systemctl start -- nginx.service": {},
    });
    const tables = [tableOf([]), tableOf(RUNNING)];
    const [outcome] = await startServices([NGINX], portsOf(tables, { run, host: host.files }));
    assertEquals([outcome?.ok, outcome?.left], [true, [10, 11]]);
    assertMatch(outcome?.text ?? "", says);
  }
});

Deno.test("startServices() has systemd start also what runs: it may be about to end", async () => {
  await using host = await makeTempHost(SYSTEMD);
  const calls: string[] = [];
  const start = "/usr/bin/systemctl start -- nginx.service";
  const run = answering({ ...SHOWN, [start]: {} }, calls);
  const [outcome] = await startServices([NGINX], portsOf([tableOf(RUNNING)], { run, host: host.files }));
  assertEquals([outcome?.ok, calls.includes(start)], [true, true]);
  assertEquals(calls.some((call) => call.includes(" -t")), false);
});

Deno.test("startServices() does not touch what runs already under a script, and runs on", async () => {
  const tables = { stays: [tableOf(RUNNING)], ends: [tableOf(RUNNING), tableOf([])] };
  await using host = await makeTempHost({ "/usr/sbin/service": "", "/etc/init.d/nginx": { program: "" } });
  const service: ServiceRef = { ...NGINX, manager: "sysv", name: "nginx" };
  const calls: string[] = [];
  const ports = { run: answering({}, calls), host: host.files };
  const [stays] = await startServices([service], portsOf(tables.stays, ports));
  assertEquals([stays?.ok, stays?.text, calls], [true, "runs already", []]);
  const [ends] = await startServices([service], portsOf(tables.ends, ports));
  assertEquals([ends?.ok, calls], [false, ["/usr/sbin/service nginx start"]]);
});

Deno.test("startServices() and stopServices() believe the processes, not what a script prints and exits with", async () => {
  await using host = await makeTempHost({ "/usr/sbin/service": "", "/etc/init.d/nginx": { program: "" } });
  const service: ServiceRef = { ...NGINX, manager: "sysv", name: "nginx" };
  const cases = new URL("../../fixtures/cases/c71-sysvinit-status-text/", import.meta.url);
  for (const part of ["a", "b"]) {
    const read = (name: string): string => Deno.readTextFileSync(new URL(`${part}/${name}`, cases));
    const answer: Answer = { stdout: read("service.out"), code: Number(read("service.rc")) };
    const run = answering({
      "/usr/sbin/nginx -t -q": {},
      "/usr/sbin/service nginx start": answer,
      "/usr/sbin/service nginx stop": answer,
    });
    const ports = { run, host: host.files };
    const [up] = await startServices([service], portsOf([tableOf([]), tableOf(RUNNING)], ports));
    const [down] = await startServices([service], portsOf([tableOf([])], ports));
    assertEquals([part, up?.ok, down?.ok], [part, true, false]);
    const [gone] = await stopServices([service], portsOf([tableOf(RUNNING), tableOf([])], ports));
    const [left] = await stopServices([service], portsOf([tableOf(RUNNING)], ports));
    assertEquals([part, gone?.ok, left?.ok], [part, true, false]);
  }
});
