/** The scan on real processes, in a pid namespace that ends with the test. */

import { assertEquals } from "@std/assert";
import { findBackups } from "../mod/processes/backup.ts";
import type { ProcessInfo, ProcessTable } from "../mod/processes/process.ts";
import { findRunaways } from "../mod/processes/runaways.ts";
import { excludeProtected } from "../mod/processes/spared.ts";
import { findWebTier } from "../mod/processes/web_tier.ts";
import { containerFinding, containerSigns } from "../mod/container.ts";
import { parseLoadavg } from "../mod/proc/loadavg.ts";
import { DEFAULT_PATTERNS, DEFAULT_RUNAWAYS } from "../mod/testing/process.ts";

/**
 * Starts processes as pid 1, prints `name pid` for each, and then scans from a child, with a runaway below
 * that.
 *
 * `exec sleep` leaves nobody who collects a finished child, which makes a zombie. They come last, so when
 * they are there the others have long become what they are to be.
 */
const WORLD = `
set -e
cd "$1"
start() { name=$1; shift; "$@" >/dev/null 2>&1 & echo "$name $!"; }
start by-line ./mysql_backup.sh full
start by-hand bash -x ./mysql_cluster_backup.sh
start by-path "$1/mysql_cluster_backup.sh"
start engine ./mydumper 300
start perl perl -w ./multiback
start old ./mysql_backup.sh.old
start prefix ./mysql_cluster_bench.sh
start inline bash -c 'sleep 300; : ./mysql_backup.sh'
start tail tail -f ./mysql_backup.sh
start vim ./vim 300 ./mysql_backup.sh
start named-only bash -c 'exec -a mysql_backup.sh sleep 300'
start timeout timeout 300 ./backboa
start php ./php 300
start curl ./curl 300
start wget2 ./wget2 300
start php8.1 ./php8.1 300
start fpm ./php-fpm8.3 300
start zombies-parent bash -c './php 1 & ./mydumper 1 & exec sleep 300'
start container unshare --pid --fork ./php 300
for turn in $(seq 100); do
  zombies=$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c ') Z ' || :)
  phps=$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx php || :)
  if [ "$zombies $phps" = '2 4' ]; then break; fi
  sleep 0.1
done
echo ---
# Not the last command: pid 1 stays the shell, so that we are not everybody's ancestor.
"$2" eval --quiet "$3" "$4"
:
`;

const PATTERNS = JSON.stringify({ backups: DEFAULT_PATTERNS, runaways: DEFAULT_RUNAWAYS, webTier: true });

/** Scans twice from a process that has a runaway for a child. */
const SCAN = `
const { scanProcesses } = await import(Deno.args[0]);
const child = new Deno.Command("./curl", { args: ["300"] }).spawn();
// A spawn returns a moment before the kernel gives the child its new name.
while (Deno.readTextFileSync(\`/proc/\${child.pid}/comm\`) !== "curl\\n") await new Promise((go) => setTimeout(go, 5));
const options = { root: "/proc", patterns: ${PATTERNS}, readCmdlineDeadlineMs: 20000 };
const tables = [];
for (const coverage of ["candidates", "everything"]) {
  tables.push((await scanProcesses({ ...options, coverage })).value);
}
const loadavg = Deno.readTextFileSync("/proc/loadavg");
console.log(JSON.stringify({ tables, self: Deno.pid, child: child.pid, loadavg }));
Deno.exit(0);
`;

const SCRIPT = "#!/bin/bash\nsleep 300\n:\n";

interface World {
  readonly pids: Readonly<Record<string, number>>;
  readonly tables: readonly ProcessTable[];
  readonly self: number;
  readonly child: number;
  readonly loadavg: string;
}

async function makeWorld(): Promise<World> {
  const folder = await Deno.makeTempDir();
  const scripts = [
    "mysql_backup.sh",
    "mysql_cluster_backup.sh",
    "mysql_backup.sh.old",
    "mysql_cluster_bench.sh",
  ];
  for (const name of scripts) await Deno.writeTextFile(`${folder}/${name}`, SCRIPT, { mode: 0o755 });
  // Runs a runaway below a backup.
  await Deno.writeTextFile(`${folder}/backboa`, "#!/bin/bash\n./php 300\n:\n", { mode: 0o755 });
  await Deno.writeTextFile(`${folder}/multiback`, "sleep 300;\n");
  for (const name of ["mydumper", "vim", "php", "curl", "wget2", "php8.1", "php-fpm8.3"]) {
    await Deno.copyFile("/bin/sleep", `${folder}/${name}`);
  }
  const scan = new URL("./process_scan.ts", import.meta.url).href;
  const { stdout, stderr } = await new Deno.Command("unshare", {
    args: ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
      .concat("bash", "-c", WORLD, "world", folder, Deno.execPath(), SCAN, scan),
  }).output();
  await Deno.remove(folder, { recursive: true });
  const [names = "", json = ""] = new TextDecoder().decode(stdout).split("---\n");
  if (json === "") throw new Error(`the world did not come up: ${new TextDecoder().decode(stderr)}`);
  const pids = Object.fromEntries(
    names.trim().split("\n").map((line) => {
      const [name = "", pid] = line.split(" ");
      return [name, Number(pid)];
    }),
  );
  return { pids, ...JSON.parse(json) };
}

/** What is missing for a world of our own, or undefined. */
function whyNoWorld(): string | undefined {
  if (Deno.uid() !== 0) return "needs root";
  try {
    const { success } = new Deno.Command("unshare", { args: ["--mount", "--pid", "--fork", "true"] })
      .outputSync();
    return success ? undefined : "may not unshare";
  } catch {
    return "needs unshare";
  }
}

const missing = whyNoWorld();

Deno.test({
  name: `scanProcesses() is right about real processes${
    missing === undefined ? "" : ` (skipped: ${missing})`
  }`,
  ignore: missing !== undefined && Deno.env.get("CI") !== "true",
  async fn(test): Promise<void> {
    const world = await makeWorld();
    const { pids, tables: [candidates, everything] } = world;
    if (candidates === undefined || everything === undefined) throw new Error("a scan failed");
    const namesByPid = new Map(Object.entries(pids).map(([name, pid]) => [pid, name]));
    /** Names of processes; those started by others are named after their parents. */
    function named(processes: readonly ProcessInfo[]): readonly string[] {
      return processes.map(({ pid, ppid }) =>
        namesByPid.get(pid) ?? `child of ${namesByPid.get(ppid) ?? ppid}`
      ).sort();
    }

    for (const table of [candidates, everything]) {
      const { processes, selfPid } = table;
      const backups = findBackups(processes, DEFAULT_PATTERNS);

      await test.step(`backups (${table.coverage})`, () => {
        const running = named(backups.running.map(({ process }) => process));
        assertEquals(running, ["by-hand", "by-line", "by-path", "child of timeout", "engine", "perl"]);
        assertEquals([backups.undecided, table.skippedPids, table.unreadCmdlinePids], [[], [], []]);
      });

      await test.step(`runaways, and who is spared (${table.coverage})`, () => {
        assertEquals(selfPid, world.self);
        const runaways = findRunaways(processes, DEFAULT_RUNAWAYS);
        const { victims, spared } = excludeProtected(runaways, {
          table: processes,
          selfPid,
          backups: backups.running,
        });
        assertEquals(victims.map(({ pid }) => pid), [pids["php"], pids["curl"]]);
        const backupPid = backups.running.find(({ pattern }) => pattern === "backboa")?.process.pid;
        assertEquals(
          spared.map(({ process, reason }) => [process.ppid, reason]).sort((a, b) =>
            Number(a[0]) - Number(b[0])
          ),
          [
            [pids["container"], "other-pid-namespace"],
            [backupPid, "descendant-of-backup"],
            [world.self, "descendant-of-self"],
          ].sort((a, b) => Number(a[0]) - Number(b[0])),
        );
        assertEquals(spared.some(({ process }) => process.pid === world.child), true);
      });

      await test.step(`web tier (${table.coverage})`, () => {
        assertEquals(findWebTier(processes).unclear.map(({ pid }) => pid), [pids["fpm"]]);
      });
    }

    await test.step("candidates alone", () => {
      const read = new Set(candidates.processes.map(({ pid }) => pid));
      for (const name of ["tail", "vim", "wget2", "named-only"]) {
        assertEquals(read.has(pids[name] ?? 0), false, name);
      }
      assertEquals(candidates.foundCount, everything.foundCount);
    });

    await test.step("zombies", () => {
      const zombies = everything.processes.filter(({ state }) => state === "Z");
      assertEquals(zombies.map(({ ppid, comm, argv }) => [ppid, comm, argv]), [
        [pids["zombies-parent"], "php", []],
        [pids["zombies-parent"], "mydumper", []],
      ]);
    });

    await test.step("the load is the host's", () => {
      const signs = containerSigns(everything, parseLoadavg(world.loadavg).totalTasks);
      assertEquals([signs?.kthreaddVisible, signs?.initVisible], [false, true]);
      // Whether the host around has enough tasks to tell is not ours to say; with many it must be recognised.
      const many = signs && { ...signs, totalTasks: signs.totalTasks + 5_000 };
      assertEquals(many && containerFinding(many)?.kind, "host-load");
    });
  },
});
