import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ProcessGroup } from "../../mod/pressure/sample.ts";
import { failed, maybeValue, type Reading, whyMissing } from "../../mod/reading.ts";
import { createHostFiles } from "../check/host_files.ts";
import { type CmdlineReader, createCmdlineReader } from "../cmdline_reader.ts";
import { createGroupReader, type GroupRule, type GroupWish } from "./group_reader.ts";
import { type TempProc, tempProc, type TempProcess } from "./temp_proc.ts";

const WEB = "/system.slice/system-web.slice/web@1.service";

/** A reader over a root, a second of its clock between two looks. */
function readerOf(
  { root }: TempProc,
  rules: Readonly<Record<string, GroupRule>>,
  rest: Partial<GroupWish> & { readonly cmdlines?: CmdlineReader } = {},
): {
  readonly look: () => Readonly<Record<string, Reading<ProcessGroup>>>;
  readonly lookNamed: () => Promise<Readonly<Record<string, Reading<ProcessGroup>>>>;
  readonly instances: () => ReadonlyMap<number, ProcessGroup>;
  readonly fpmPids: () => Promise<readonly number[] | undefined>;
  readonly wait: (seconds: number) => void;
} {
  let nowMs = 0;
  const reader = createGroupReader({
    root,
    clock: { monotonicMs: () => nowMs += 1_000 },
    host: createHostFiles(),
    cmdlines: rest.cmdlines ?? createCmdlineReader({ root, deadlineMs: 20_000 }),
  }, { rules: new Map(Object.entries(rules)), template: "", hasFpm: false, ...rest });
  return {
    look: () => Object.fromEntries(reader.look().groups),
    lookNamed: async () => Object.fromEntries((await reader.look().named).groups),
    instances: () => reader.look().instances,
    fpmPids: async () => maybeValue((await reader.look().named).fpm)?.processes.map(({ pid }) => pid).sort(),
    wait: (seconds) => void (nowMs += seconds * 1_000),
  };
}

function pidsOf(group: Reading<ProcessGroup> | undefined): readonly number[] | string | undefined {
  return group?.kind === "ok" ? group.value.map(({ pid }) => pid) : group && whyMissing(group);
}

const UNIT: Readonly<Record<string, GroupRule>> = { web: { kind: "unit", unit: "web@1.service" } };
const NODE: Readonly<Record<string, GroupRule>> = { shop: { kind: "name", process: "node", argument: "" } };
const SHOP: Readonly<Record<string, GroupRule>> = {
  shop: { kind: "name", process: "node", argument: "/srv/shop/server.js" },
};

Deno.test("look() gives the figures of the processes of a unit", async () => {
  await using proc = await tempProc();
  proc.put(1, { comm: "systemd", ppid: 0 });
  proc.put(20, { comm: "web", cgroup: WEB, userTicks: 150, reapedTicks: 40, rssPages: 256 });
  proc.put(21, { comm: "web", ppid: 20, cgroup: `${WEB}/workers` });
  proc.put(30, { comm: "web", cgroup: "/system.slice/system-web.slice/web@2.service" });
  const { look } = readerOf(proc, UNIT);
  assertEquals(look()["web"], {
    kind: "ok",
    value: [
      { pid: 20, ppid: 1, startTicks: 1_020, cpuTicks: 150, reapedTicks: 40, rssKib: 1_024 },
      { pid: 21, ppid: 20, startTicks: 1_021, cpuTicks: 0, reapedTicks: 0, rssKib: 4 },
    ],
  });
  proc.put(20, { comm: "web", cgroup: WEB, userTicks: 190, reapedTicks: 41, rssPages: 512 });
  assertEquals(maybeValue(look()["web"] ?? failed(""))?.[0], {
    pid: 20,
    ppid: 1,
    startTicks: 1_020,
    cpuTicks: 190,
    reapedTicks: 41,
    rssKib: 2_048,
  });
});

Deno.test("look() sees births and deaths at once, and a group that ends", async () => {
  await using proc = await tempProc();
  proc.put(1, { comm: "systemd", ppid: 0 });
  const { look } = readerOf(proc, UNIT);
  assertEquals(pidsOf(look()["web"]), []);
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.put(21, { comm: "web", cgroup: WEB });
  assertEquals(pidsOf(look()["web"]), [20, 21]);
  proc.end(20);
  assertEquals(pidsOf(look()["web"]), [21]);
  proc.end(21);
  assertEquals(pidsOf(look()["web"]), []);
});

Deno.test("look() keeps what has ended until it is waited for, and knows that it alone is no group", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.put(21, { comm: "web", cgroup: WEB, userTicks: 5 });
  const { look } = readerOf(proc, UNIT);
  look();
  // cgroup v1 moves it to the root.
  proc.put(21, { comm: "web", cgroup: "/", state: "Z", userTicks: 9 });
  assertEquals(maybeValue(look()["web"] ?? failed(""))?.map(({ pid, cpuTicks }) => [pid, cpuTicks]), [
    [20, 0],
    [
      21,
      9,
    ],
  ]);
  proc.end(20);
  assertEquals(pidsOf(look()["web"]), []);
});

Deno.test("look() takes a pid that was given out again for another process", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.put(30, { comm: "sshd", cgroup: "/system.slice/ssh.service" });
  const { look, wait } = readerOf(proc, UNIT);
  assertEquals(pidsOf(look()["web"]), [20]);
  proc.put(20, { comm: "sshd", cgroup: "/system.slice/ssh.service", startTicks: 5_000 });
  assertEquals(pidsOf(look()["web"]), []);
  // One that was not watched is found when it is looked at again.
  proc.put(30, { comm: "web", cgroup: WEB, startTicks: 6_000 });
  wait(10);
  assertEquals(maybeValue(look()["web"] ?? failed(""))?.map(({ pid, startTicks }) => [pid, startTicks]), [[
    30,
    6_000,
  ]]);
});

Deno.test("look() finds a process that was seen before it became what it is", async () => {
  await using proc = await tempProc();
  proc.put(1, { comm: "systemd", ppid: 0 });
  const { look, lookNamed, wait } = readerOf(proc, { ...UNIT, ...NODE });
  look();
  proc.put(20, { comm: "(web)" });
  proc.put(21, { comm: "(node)" });
  look();
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.put(21, { comm: "node" });
  assertEquals(pidsOf(look()["web"]), [20]);
  assertEquals(pidsOf((await lookNamed())["shop"]), [21]);
  // And one that becomes something else later, as a shell that is replaced by what it prepared.
  proc.put(22, { comm: "bash" });
  for (let times = 0; times < 5; times++) look();
  proc.put(22, { comm: "node" });
  wait(10);
  assertEquals(pidsOf((await lookNamed())["shop"]), [21, 22]);
  proc.put(22, { comm: "sleep" });
  assertEquals(pidsOf((await lookNamed())["shop"]), [21]);
});

Deno.test("look() finds what is new by the last pid of the kernel, and threads are none", async () => {
  await using proc = await tempProc();
  const lastPid = (pid: number): void => proc.write("loadavg", `0.00 0.00 0.00 1/302 ${pid}\n`);
  proc.put(1, { comm: "systemd", ppid: 0 });
  lastPid(40);
  const { look, lookNamed, wait } = readerOf(proc, { ...UNIT, ...NODE });
  for (let times = 0; times < 3; times++) look();
  proc.put(41, { comm: "web", cgroup: WEB });
  proc.put(42, { comm: "node" });
  // A thread of it, which no list has.
  proc.put(43, { comm: "node" });
  proc.write("43/status", "Name:\tnode\nTgid:\t42\nNSpid:\t43\n");
  proc.put(45, { comm: "node" });
  lastPid(44);
  assertEquals(pidsOf((await lookNamed())["shop"]), [42]);
  // One that was there a moment after its pid was told, and one whose pid went to another.
  lastPid(45);
  proc.put(44, { comm: "node" });
  proc.put(41, { comm: "node", startTicks: 9_000 });
  assertEquals(pidsOf((await lookNamed())["shop"]), [41, 42, 44, 45]);
  // What begins below the last pid is found by the next list, and so it is where pids begin anew.
  proc.end(43);
  proc.put(30, { comm: "web", cgroup: WEB });
  assertEquals(pidsOf(look()["web"]), []);
  wait(10);
  assertEquals(pidsOf(look()["web"]), [30]);
  look();
  proc.put(5, { comm: "web", cgroup: WEB });
  lastPid(6);
  assertEquals(pidsOf(look()["web"]), [5, 30]);
});

Deno.test("look() passes over what vanishes, is cut, or is a thread of the kernel", async () => {
  await using proc = await tempProc();
  proc.put(2, { comm: "kthreadd", ppid: 0, isKernelThread: true });
  proc.put(3, { comm: "node", ppid: 2, isKernelThread: true });
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.put(21, { comm: "node" });
  proc.write("22/cmdline", "node");
  proc.write("23/stat", "23 (node) S 1 23");
  proc.write("24/stat", "25 (node) S 1 25 25 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 9 1 1 0\n");
  const { look, lookNamed } = readerOf(proc, { ...UNIT, ...NODE });
  assertEquals(pidsOf(look()["web"]), [20]);
  assertEquals(pidsOf((await lookNamed())["shop"]), [21]);
  proc.write("20/stat", "");
  assertEquals(pidsOf(look()["web"]), []);
});

Deno.test("look() gives the instances of a template that have processes", async () => {
  await using proc = await tempProc();
  const folder = "/system.slice/system-web.slice";
  proc.put(30, { comm: "web", cgroup: `${folder}/web@12.service` });
  proc.put(31, { comm: "web", cgroup: `${folder}/web@2.service` });
  proc.put(32, { comm: "web", cgroup: `${folder}/web@2.service` });
  proc.put(33, { comm: "web", cgroup: `${folder}/web@blue.service` });
  proc.put(34, { comm: "web", state: "Z", cgroup: `${folder}/web@3.service` });
  const { instances } = readerOf(proc, {}, { template: "web@.service" });
  assertEquals([...instances()].map(([index, group]) => [index, group.map(({ pid }) => pid)]), [
    [2, [31, 32]],
    [12, [30]],
  ]);
  proc.end(30);
  proc.put(35, { comm: "web", cgroup: `${folder}/web@4.service` });
  assertEquals([...instances().keys()], [2, 4]);
});

const BELOW: Readonly<Record<string, TempProcess>> = {
  "20": { comm: "web" },
  "21": { comm: "worker", ppid: 20 },
  "22": { comm: "helper", ppid: 21 },
  "23": { comm: "contained", ppid: 20, depth: 2 },
  "24": { comm: "older", ppid: 20, startTicks: 5 },
  "30": { comm: "other" },
};

Deno.test("look() gives the process of a pid file and what descends from it", async () => {
  await using proc = await tempProc();
  for (const [pid, process] of Object.entries(BELOW)) proc.put(Number(pid), process);
  const path = `${proc.root}/web.pid`;
  const { look } = readerOf(proc, { web: { kind: "pid-file", path } });
  assertEquals(pidsOf(look()["web"]), []);
  proc.write("web.pid", "20\n");
  assertEquals(pidsOf(look()["web"]), [20, 21, 22]);
  proc.put(21, { comm: "worker", ppid: 20, userTicks: 70 });
  proc.put(25, { comm: "worker", ppid: 21 });
  assertEquals(maybeValue(look()["web"] ?? failed(""))?.map(({ pid, cpuTicks }) => [pid, cpuTicks]), [
    [20, 0],
    [21, 70],
    [22, 0],
    [25, 0],
  ]);
  proc.write("web.pid", "99\n");
  assertEquals(pidsOf(look()["web"]), []);
  proc.write("web.pid", "");
  assertMatch(`${pidsOf(look()["web"])}`, /^Cannot use ".*\/web\.pid": it holds no pid/);
});

Deno.test("look() keeps a container's processes out of all groups but that of its own unit", async () => {
  await using proc = await tempProc();
  const scope = "/system.slice/docker-1f0c.scope";
  proc.put(20, { comm: "node", cgroup: `${scope}/system.slice/web@1.service`, depth: 2 });
  proc.put(21, { comm: "node" });
  const { look, lookNamed } = readerOf(proc, {
    ...UNIT,
    ...NODE,
    docker: { kind: "unit", unit: "docker-1f0c.scope" },
  });
  assertEquals(Object.values(look()).map(pidsOf), [[], [20]]);
  assertEquals(pidsOf((await lookNamed())["shop"]), [21]);
});

Deno.test("look() tells applications of one program apart by an argument", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "node", argv: ["node", "/srv/shop/server.js"] });
  proc.put(21, { comm: "node", argv: ["node", "/srv/blog/server.js"] });
  proc.put(22, { comm: "vim", argv: ["vim", "/srv/shop/server.js"] });
  const { lookNamed } = readerOf(proc, SHOP);
  assertEquals(pidsOf((await lookNamed())["shop"]), [20]);
  // Between fork and exec a child has the arguments of its parent.
  proc.put(23, { comm: "node", argv: ["node", "/srv/shop/server.js"] });
  await lookNamed();
  proc.put(23, { comm: "node", argv: ["node", "/srv/shop/report.js"] });
  assertEquals(pidsOf((await lookNamed())["shop"]), [20]);
});

Deno.test("look() gives no group that may lack a process whose arguments hang, and asks again", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "node", argv: ["node", "/srv/shop/server.js"] });
  proc.put(21, { comm: "node", argv: ["node", "/srv/shop/server.js"] });
  let hanging: readonly number[] = [21];
  const real = createCmdlineReader({ root: proc.root, deadlineMs: 20_000 });
  const asked: number[] = [];
  const cmdlines: CmdlineReader = {
    ...real,
    async readAll(processes): Promise<readonly Reading<readonly string[]>[]> {
      asked.push(...processes.map(({ pid }) => pid).sort());
      const readings = await real.readAll(processes);
      return readings.map((reading, index) =>
        hanging.includes(processes[index]?.pid ?? 0) ? failed("Cannot read 21/cmdline: no answer") : reading
      );
    },
  };
  const { lookNamed } = readerOf(proc, { ...SHOP, all: { kind: "name", process: "node", argument: "" } }, {
    cmdlines,
  });
  const groups = await lookNamed();
  assertEquals(pidsOf(groups["shop"]), "Cannot read 21/cmdline: no answer");
  assertEquals(pidsOf(groups["all"]), [20, 21]);
  hanging = [];
  assertEquals(pidsOf((await lookNamed())["shop"]), [20, 21]);
  // What is known stays known: the arguments are not read each second.
  await lookNamed();
  assertEquals(asked, [20, 21, 21]);
  // Later ones that hang change nothing of what is known.
  hanging = [20, 21];
  for (let times = 0; times < 15; times++) assertEquals(pidsOf((await lookNamed())["shop"]), [20, 21]);
});

Deno.test("look() gives what php-fpm runs with its titles, and nothing of nginx", async () => {
  await using proc = await tempProc();
  proc.put(20, { comm: "php-fpm8.2", argv: ["php-fpm: master process (/etc/php/8.2/fpm/php-fpm.conf)"] });
  proc.put(21, { comm: "php-fpm8.2", ppid: 20, argv: ["php-fpm: pool www"] });
  proc.put(22, { comm: "nginx", argv: ["nginx: worker process"] });
  const { fpmPids } = readerOf(proc, {}, { hasFpm: true });
  assertEquals(await fpmPids(), [20, 21]);
});

Deno.test("look() fails for all groups where there is no process to read", async () => {
  await using proc = await tempProc();
  const { look, lookNamed } = readerOf(proc, { ...UNIT, ...NODE });
  assertMatch(`${pidsOf(look()["web"])}`, /^Cannot find a process in /);
  assertMatch(`${pidsOf((await lookNamed())["shop"])}`, /^Cannot find a process in /);
  const gone = readerOf({ ...proc, root: `${proc.root}/none` }, UNIT);
  assertMatch(`${pidsOf(gone.look()["web"])}`, /^Cannot list the processes of /);
});

Deno.test("look() reads hardly anything of processes that belong to no group", async () => {
  await using proc = await tempProc();
  for (let pid = 100; pid < 400; pid++) proc.put(pid, { comm: "sleep" });
  proc.put(20, { comm: "web", cgroup: WEB });
  proc.write("loadavg", "0.00 0.00 0.00 1/302 399\n");
  const { look } = readerOf(proc, UNIT);
  for (let times = 0; times < 3; times++) look();
  const read = Deno.readTextFileSync;
  const list = Deno.readDirSync;
  let count = 0;
  let listCount = 0;
  Deno.readDirSync = (path) => {
    listCount++;
    return list(path);
  };
  Deno.readTextFileSync = (path) => {
    count++;
    return read(path);
  };
  try {
    for (let times = 0; times < 10; times++) look();
  } finally {
    Deno.readTextFileSync = read;
    Deno.readDirSync = list;
  }
  assertEquals(listCount, 1);
  // In ten seconds: ten times the load and the one, once the others, each with its cgroup.
  assert(count >= 620 && count <= 640, `${count}`);
});
