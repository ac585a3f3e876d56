import { assert, assertEquals, assertMatch } from "@std/assert";
import { findBackups } from "../mod/processes/backup.ts";
import { findRunaways } from "../mod/processes/runaways.ts";
import { excludeProtected } from "../mod/processes/spared.ts";
import { findWebTier } from "../mod/processes/web_tier.ts";
import { whyMissing } from "../mod/reading.ts";
import { DEFAULT_PATTERNS, DEFAULT_RUNAWAYS, pidsOf } from "../mod/testing/process.ts";
import { type CommandResult, type RunCommand, runCommand } from "./command.ts";
import { listProcessesWithPs } from "./process_list_ps.ts";

const OPTIONS = { deadlineMs: 20_000 };

/** One row in the columns that `ps` is asked for. */
function row(pid: number, ppid: number, state: string, comm: string, args: string, vszKib = 9_000): string {
  const numbers = `${`${pid}`.padStart(10)} ${`${ppid}`.padStart(10)} ${state.padEnd(2)} ${"1".padStart(6)}`;
  return `${numbers} ${`${vszKib}`.padStart(14)} ${comm.padEnd(64)} ${args}\n`;
}

/** A `ps` that ends in these ways, one for each try, and the programs that were tried. */
function fakePs(
  ...results: readonly Partial<CommandResult>[]
): { readonly run: RunCommand; readonly tried: string[] } {
  const tried: string[] = [];
  const run: RunCommand = (program) => {
    const result = results[tried.length];
    tried.push(program);
    return Promise.resolve({ code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1, ...result });
  };
  return { run, tried };
}

const HOST = row(1, 0, "S", "systemd", "/sbin/init") +
  row(2, 0, "S", "kthreadd", "[kthreadd]", 0) +
  row(60, 2, "I", "php", "[php]", 0) +
  row(100, 1, "S", "nginx", "nginx: master process /usr/sbin/nginx -g daemon on;") +
  row(101, 100, "S", "nginx", "nginx: worker process") +
  row(300, 1, "S", "php-fpm8.3", "php-fpm: master process (/etc/php/8.3/fpm/php-fpm.conf)") +
  row(301, 300, "R", "php-fpm8.3", "php-fpm: pool www") +
  row(400, 1, "S", "bash", "bash -x /var/xdrago/mysql_backup.sh full") +
  row(401, 1, "S", "bash", "bash -c /var/xdrago/mysql_backup.sh") +
  row(402, 1, "S", "vim", "vim /var/xdrago/mysql_backup.sh") +
  row(403, 1, "D", "python3", "[python3]") +
  row(500, 1, "R", "php", "php /srv/site/cron.php") +
  row(501, 500, "Z", "php", "[php] <defunct>");

Deno.test("listProcessesWithPs() serves the rules, but nothing of it is signalled", async () => {
  const { run, tried } = fakePs({ stdout: HOST });
  const reading = await listProcessesWithPs(run, OPTIONS);
  assert(reading.kind === "ok", whyMissing(reading));
  const { processes, coverage, foundCount, selfPid, unreadCmdlinePids } = reading.value;
  assertEquals([tried, coverage, foundCount, selfPid], [["/usr/bin/ps"], "everything", 13, undefined]);
  assertEquals(unreadCmdlinePids, [403]);

  const { running, undecided } = findBackups(processes, DEFAULT_PATTERNS);
  assertEquals(running.map(({ process }) => process.pid), [400]);
  assertEquals(pidsOf(undecided), [403]);

  const { nginx, fpm } = findWebTier(processes);
  assertEquals(nginx.map(({ master, workers }) => [master.pid, pidsOf(workers)]), [[100, [101]]]);
  assertEquals(fpm.map(({ pools }) => pools[0]?.name), ["www"]);

  const runaways = findRunaways(processes, DEFAULT_RUNAWAYS);
  assertEquals(pidsOf(runaways), [500]);
  const { victims, spared } = excludeProtected(runaways, { table: processes, selfPid, backups: running });
  assertEquals([victims, spared[0]?.reason], [[], "start-unknown"]);
});

Deno.test("listProcessesWithPs() tries /bin/ps where there is no /usr/bin/ps", async () => {
  const { run, tried } = fakePs({ code: 127, stderr: "not found" }, { stdout: HOST });
  assertEquals((await listProcessesWithPs(run, OPTIONS)).kind, "ok");
  assertEquals(tried, ["/usr/bin/ps", "/bin/ps"]);
});

for (
  const { name, results, problem } of [
    {
      name: "no ps at all",
      results: [{ code: 127 }, { code: 127, stderr: "not found" }],
      problem: /\/bin\/ps exited 127: not found$/,
    },
    {
      name: "a ps that fails",
      results: [{ code: 1, stderr: "bad\n" }, {}],
      problem: /\/usr\/bin\/ps exited 1: bad$/,
    },
    {
      name: "a ps that hangs",
      results: [{ timedOut: true, code: 137 }, {}],
      problem: /no answer within 20000 ms$/,
    },
    {
      name: "a ps of busybox",
      results: [{ stdout: "PID USER COMMAND\n1 root init\n" }],
      problem: /^Cannot parse "\/usr\/bin\/ps" line 1/,
    },
    { name: "an empty list", results: [{ stdout: "" }], problem: /^Cannot parse/ },
  ]
) {
  Deno.test(`listProcessesWithPs() fails on ${name}`, async () => {
    const reading = await listProcessesWithPs(fakePs(...results).run, OPTIONS);
    assertEquals(reading.kind, "failed");
    assertMatch(whyMissing(reading) ?? "", problem);
  });
}

Deno.test("listProcessesWithPs() finds this process with this machine's ps", async () => {
  const reading = await listProcessesWithPs(runCommand, OPTIONS);
  assert(reading.kind === "ok", whyMissing(reading));
  const self = reading.value.processes.find(({ pid }) => pid === Deno.pid);
  assertEquals([self?.ppid, self?.startTicks], [Deno.ppid, undefined]);
});
