import { assert, assertEquals, assertMatch } from "@std/assert";
import { findBackups } from "../mod/processes/backup.ts";
import { isZombie, type ProcessTable } from "../mod/processes/process.ts";
import { findRunaways } from "../mod/processes/runaways.ts";
import { excludeProtected } from "../mod/processes/spared.ts";
import { findWebTier } from "../mod/processes/web_tier.ts";
import { parseCmdline } from "../mod/proc/pid_cmdline.ts";
import { whyMissing } from "../mod/reading.ts";
import { DEFAULT_PATTERNS, DEFAULT_RUNAWAYS, pidsOf } from "../mod/testing/process.ts";
import { createCmdlineReader } from "./cmdline_reader.ts";
import { type ScanOptions, scanProcesses } from "./process_scan.ts";

const CASES = new URL("../fixtures/cases/", import.meta.url);

const PATTERNS = { backups: DEFAULT_PATTERNS, runaways: DEFAULT_RUNAWAYS, webTier: true };

/** A deadline that no healthy read comes near, on a busy machine neither. */
const GENEROUS_MS = 20_000;

async function scan(root: string, options: Partial<ScanOptions> = {}): Promise<ProcessTable> {
  const reading = await scanProcesses({
    root,
    patterns: PATTERNS,
    readCmdlineDeadlineMs: GENEROUS_MS,
    ...options,
  });
  assert(reading.kind === "ok", whyMissing(reading));
  return reading.value;
}

/** A copy of a case's proc tree, in which each process with a `stat` is in our own pid namespace. */
async function copyOfCase(folder: string): Promise<{ readonly root: string } & AsyncDisposable> {
  const root = await Deno.makeTempDir();
  for await (const { name: pid } of Deno.readDir(new URL(`${folder}/proc`, CASES))) {
    await Deno.mkdir(`${root}/${pid}`);
    for await (const { name } of Deno.readDir(new URL(`${folder}/proc/${pid}`, CASES))) {
      await Deno.copyFile(new URL(`${folder}/proc/${pid}/${name}`, CASES), `${root}/${pid}/${name}`);
      if (name === "stat") await Deno.writeTextFile(`${root}/${pid}/status`, `NSpid:\t${pid}\n`);
    }
  }
  return { root, [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }) };
}

type Expected = Readonly<Record<string, unknown>>;

async function expectedOf(folder: string): Promise<Expected> {
  return JSON.parse(await Deno.readTextFile(new URL(`${folder}/expect.json`, CASES))).expect;
}

/** What the rules make of a table, under the names that the cases use. */
async function findings(root: string, table: ProcessTable): Promise<Expected> {
  const { processes, selfPid } = table;
  const { running, undecided } = findBackups(processes, DEFAULT_PATTERNS);
  assertEquals(undecided, []);
  const runaways = findRunaways(processes, DEFAULT_RUNAWAYS);
  const { victims } = excludeProtected(runaways, { table: processes, selfPid, backups: running });
  const webTier = findWebTier(processes);
  const found: Record<string, unknown> = {
    kill_pids: pidsOf(victims),
    backup_pids: pidsOf(running.map(({ process }) => process)),
    backup_running: running.length > 0,
    kthreads: pidsOf(processes.filter(({ isKernelThread }) => isKernelThread)),
    zombies: pidsOf(processes.filter(isZombie)),
    fpm_masters: webTier.fpm.map(({ master }) => master.pid),
    fpm_pools: Object.fromEntries(
      webTier.fpm.flatMap(({ pools }) => pools.map(({ name, workers }) => [name, pidsOf(workers)])),
    ),
    nginx_master: webTier.nginx[0]?.master.pid,
    nginx_workers: pidsOf(webTier.nginx.flatMap(({ workers }) => workers)),
    nginx_workers_shutting_down: pidsOf(webTier.nginx.flatMap(({ shuttingDown }) => shuttingDown)),
    nginx_running: webTier.nginx.length > 0,
    errors: 0,
    skipped: table.skippedPids,
  };
  for (const { pid, comm, state, ppid, argv } of processes) {
    found[`${pid}`] = { comm, state, ppid };
    found[`${pid}.comm`] = comm;
    const args = argv ?? parseCmdline(await Deno.readTextFile(`${root}/${pid}/cmdline`));
    found[`${pid}.argv`] = args;
    found[`${pid}.argc`] = args.length;
  }
  return found;
}

const PROCESS_CASES = [...Deno.readDirSync(CASES)]
  .map(({ name }) => name)
  .filter((name) => name >= "c26" && name < "c44")
  .sort();

for (const folder of PROCESS_CASES) {
  Deno.test(`scanProcesses() and the rules are right about ${folder}`, async () => {
    await using copy = await copyOfCase(folder);
    const { must_not: mustNot = {}, ...expected } = await expectedOf(folder);
    const found = await findings(copy.root, await scan(copy.root, { coverage: "everything" }));
    for (const [key, value] of Object.entries(expected)) {
      assert(key in found, `nothing here tells ${key}`);
      const { utime: _, stime: __, ...known } = Object(value);
      assertEquals(found[key], /^\d+$/.test(key) ? { ...Object(found[key]), ...known } : value, key);
    }
    for (const [key, pids] of Object.entries(mustNot as Record<string, number[]>)) {
      for (const pid of pids) assert(!(found[key] as number[]).includes(pid), `${key} has ${pid}`);
    }
  });

  Deno.test(`scanProcesses() finds the same among the candidates alone in ${folder}`, async () => {
    await using copy = await copyOfCase(folder);
    const everything = await scan(copy.root, { coverage: "everything" });
    const candidates = await scan(copy.root);
    assertEquals(candidates.coverage, "candidates");
    const all = await findings(copy.root, everything);
    const some = await findings(copy.root, candidates);
    for (const key of Object.keys(some).filter((key) => key !== "kthreads")) {
      assertEquals(some[key], all[key], key);
    }
  });
}

Deno.test("the cases of processes are all there", () => {
  assertEquals(
    PROCESS_CASES.map((name) => name.slice(0, 3)),
    "c26 c28 c29 c31 c32 c34 c35 c37 c38 c40 c41 c43".split(" "),
  );
});

Deno.test("scanProcesses() reads nothing but the name of a process that no pattern concerns", async () => {
  await using copy = await copyOfCase("c26-comm-spaces-and-parentheses");
  const table = await scan(copy.root);
  assertEquals([pidsOf(table.processes), table.foundCount, table.skippedPids], [[], 4, []]);
});

Deno.test("scanProcesses() leaves the web tier out unless asked for", async () => {
  await using copy = await copyOfCase("c37-php-fpm-titles");
  const table = await scan(copy.root, { patterns: { ...PATTERNS, webTier: false } });
  assertEquals(pidsOf(table.processes), [800]);
});

Deno.test("scanProcesses() reads command lines only where they decide", async () => {
  await using copy = await copyOfCase("c29-zombie-php");
  const { processes } = await scan(copy.root, { coverage: "everything" });
  assertEquals(processes.map(({ pid, argv }) => [pid, argv]), [
    [700, undefined],
    [2001, []],
    [2002, ["/usr/bin/php", "/var/www/x/drush.php", "cron"]],
  ]);
});

Deno.test("scanProcesses() knows without reading that kernel threads have no arguments", async () => {
  await using copy = await copyOfCase("c28-kernel-threads");
  for (const coverage of ["candidates", "everything"] as const) {
    const { processes } = await scan(copy.root, { coverage });
    assert(processes.length > 0 && processes.every(({ argv }) => argv?.length === 0), coverage);
  }
});

Deno.test("scanProcesses() adds the ancestors of candidates", async () => {
  await using copy = await copyOfCase("c29-zombie-php");
  assertEquals(pidsOf((await scan(copy.root)).processes), [700, 2001, 2002]);
});

Deno.test("scanProcesses() tells of a runaway in which pid namespace it is", async () => {
  await using copy = await copyOfCase("c41-kill-list-exact-names");
  await Deno.writeTextFile(`${copy.root}/9001/status`, "Name:\tphp\nNSpid:\t9001\t12\n");
  await Deno.remove(`${copy.root}/9002/status`);
  const { processes, selfPid } = await scan(copy.root);
  const { victims, spared } = excludeProtected(findRunaways(processes, DEFAULT_RUNAWAYS), {
    table: processes,
    selfPid,
    backups: [],
  });
  assertEquals(pidsOf(victims), [9003, 9004]);
  assertEquals(spared.map(({ reason }) => reason), ["other-pid-namespace", "namespace-unknown"]);
});

Deno.test("scanProcesses() skips a process that ends before its command line is read", async () => {
  await using copy = await copyOfCase("c35-comm-exactly-15-and-prefix-clash");
  await Deno.remove(`${copy.root}/6101/cmdline`);
  const { processes, skippedPids, unreadCmdlinePids } = await scan(copy.root);
  assertEquals([pidsOf(processes), skippedPids, unreadCmdlinePids], [[6102, 6103, 6104], [6101], []]);
});

Deno.test("scanProcesses() skips a process whose stat is another's", async () => {
  await using copy = await copyOfCase("c41-kill-list-exact-names");
  await Deno.copyFile(`${copy.root}/9002/stat`, `${copy.root}/9001/stat`);
  const table = await scan(copy.root);
  assertEquals(table.skippedPids, [9001]);
  assertEquals(pidsOf(findRunaways(table.processes, DEFAULT_RUNAWAYS)), [9002, 9003, 9004]);
});

Deno.test("scanProcesses() goes by the newer name when a program is started between two reads", async () => {
  await using copy = await copyOfCase("c41-kill-list-exact-names");
  await Deno.writeTextFile(`${copy.root}/9005/comm`, "php\n");
  const table = await scan(copy.root);
  assertEquals(pidsOf(findRunaways(table.processes, DEFAULT_RUNAWAYS)), [9001, 9002, 9003, 9004]);
});

Deno.test("scanProcesses() knows itself by the link that the kernel makes", async () => {
  await using copy = await copyOfCase("c29-zombie-php");
  assertEquals((await scan(copy.root)).selfPid, undefined);
  await Deno.symlink("700", `${copy.root}/self`);
  assertEquals((await scan(copy.root)).selfPid, 700);
});

Deno.test("scanProcesses() finds itself and its ancestors in this machine's /proc", async () => {
  const { selfPid, processes } = await scan("/proc");
  assertEquals(selfPid, Deno.pid);
  const pids = new Map(processes.map(({ pid, ppid }) => [pid, ppid]));
  assertEquals(pids.get(Deno.pid), Deno.ppid);
  assert(pids.has(1), "pid 1 is everybody's ancestor");
});

/** Makes the command line of a process hang while the result is not disposed of. */
async function hang(root: string, pid: number): Promise<Disposable> {
  const path = `${root}/${pid}/cmdline`;
  await Deno.remove(path);
  await new Deno.Command("mkfifo", { args: [path] }).output();
  return await Deno.open(path, { read: true, write: true });
}

Deno.test("scanProcesses() is undecided on a command line that hangs, and finds the other", async () => {
  await using copy = await copyOfCase("c35-comm-exactly-15-and-prefix-clash");
  using _held = await hang(copy.root, 6101);
  const { processes, unreadCmdlinePids } = await scan(copy.root, { readCmdlineDeadlineMs: 300 });
  const { running, undecided } = findBackups(processes, DEFAULT_PATTERNS);
  assertEquals(pidsOf(running.map(({ process }) => process)), [6102]);
  assertEquals([pidsOf(undecided), unreadCmdlinePids], [[6101], [6101]]);
});

Deno.test("scanProcesses() keeps no program from ending when a command line hangs", async () => {
  await using copy = await copyOfCase("c35-comm-exactly-15-and-prefix-clash");
  using _held = await hang(copy.root, 6101);
  const program = `
    const { scanProcesses } = await import(Deno.args[0]);
    await scanProcesses({ ...JSON.parse(Deno.args[1]), readCmdlineDeadlineMs: 300 });
    console.log("scanned");
  `;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", program, import.meta.resolve("./process_scan.ts")]
      .concat(JSON.stringify({ root: copy.root, patterns: PATTERNS })),
    signal: AbortSignal.timeout(GENEROUS_MS),
  }).output();
  assertEquals([success, new TextDecoder().decode(stdout)], [true, "scanned\n"]);
});

Deno.test("scanProcesses() leaves a reader open that it was given", async () => {
  await using copy = await copyOfCase("c34-comm-truncated-cluster-backup");
  const reader = createCmdlineReader({ root: copy.root, deadlineMs: GENEROUS_MS });
  for (let time = 0; time < 2; time++) {
    assertEquals((await scan(copy.root, { reader })).processes[0]?.argv, [
      "/bin/bash",
      "/var/xdrago/mysql_cluster_backup.sh",
    ]);
  }
});

for (
  const { name, files, problem } of [
    { name: "a folder that is not there", files: undefined, problem: /^Cannot list the processes of / },
    { name: "a folder without processes", files: {}, problem: /it has no folder named by a pid$/ },
    {
      name: "processes of which none can be read",
      files: { "7/comm": "", "8/stat": "8 (x) S" },
      problem: /any of the 2/,
    },
  ]
) {
  Deno.test(`scanProcesses() fails on ${name}`, async () => {
    const root = await Deno.makeTempDir();
    for (const [path, text] of Object.entries(files ?? {})) {
      await Deno.mkdir(`${root}/${path.slice(0, path.indexOf("/"))}`);
      await Deno.writeTextFile(`${root}/${path}`, text);
    }
    for (const coverage of ["candidates", "everything"] as const) {
      const reading = await scanProcesses({
        root: files === undefined ? `${root}/none` : root,
        patterns: PATTERNS,
        readCmdlineDeadlineMs: GENEROUS_MS,
        coverage,
      });
      assertEquals(reading.kind, "failed");
      assertMatch(whyMissing(reading) ?? "", problem);
    }
    await Deno.remove(root, { recursive: true });
  });
}
