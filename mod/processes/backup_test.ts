import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { aProcess, DEFAULT_PATTERNS, pidsOf } from "../testing/process.ts";
import { type BackupPatterns, findBackups, mayBeBackup, needsCmdline } from "./backup.ts";
import type { ProcessInfo } from "./process.ts";

/** Whether one process is a running backup, or cannot be told. */
function verdict(process: ProcessInfo, patterns: BackupPatterns = DEFAULT_PATTERNS): string {
  const { running, undecided } = findBackups([process], patterns);
  return running[0]?.pattern ?? (undecided.length > 0 ? "undecided" : "none");
}

for (
  const { name, comm, argv, is } of [
    { name: "an engine", comm: "mydumper", argv: ["mydumper", "-B", "shop"], is: "mydumper" },
    {
      name: "an engine by #! line",
      comm: "duplicity",
      argv: ["/usr/bin/python3", "/usr/bin/duplicity"],
      is: "duplicity",
    },
    {
      name: "an engine by env",
      comm: "python3",
      argv: ["python3", "/usr/bin/duplicity", "full"],
      is: "duplicity",
    },
    {
      name: "an engine as a module",
      comm: "python3",
      argv: ["python3", "-m", "duplicity", "full"],
      is: "duplicity",
    },
    {
      name: "a script by #! line",
      comm: "backboa",
      argv: ["/bin/bash", "/usr/local/bin/backboa"],
      is: "backboa",
    },
    {
      name: "a script by hand",
      comm: "bash",
      argv: ["bash", "-x", "mysql_backup.sh"],
      is: "mysql_backup.sh",
    },
    {
      name: "a script with a long name",
      comm: "mysql_cluster_b",
      argv: ["/bin/bash", "/x/mysql_cluster_backup.sh"],
      is: "mysql_cluster_backup.sh",
    },
    {
      name: "a script in busybox",
      comm: "busybox",
      argv: ["busybox", "sh", "/x/multiback"],
      is: "multiback",
    },
    {
      name: "another script with the same 15 bytes",
      comm: "mysql_cluster_b",
      argv: ["bash", "/x/mysql_cluster_bench.sh"],
      is: "none",
    },
    {
      name: "an old copy",
      comm: "mysql_backup.sh",
      argv: ["/bin/bash", "/x/mysql_backup.sh.old"],
      is: "none",
    },
    { name: "a name with an engine in it", comm: "duplicity-gc", argv: ["duplicity-gc"], is: "none" },
    { name: "vim", comm: "vim", argv: ["vim", "/x/mysql_backup.sh"], is: "none" },
    { name: "nano", comm: "nano", argv: ["nano", "/usr/bin/duplicity"], is: "none" },
    { name: "less", comm: "less", argv: ["less", "/x/mysql_backup.sh"], is: "none" },
    { name: "tail", comm: "tail", argv: ["tail", "-f", "/var/log/mysql_backup.sh"], is: "none" },
    { name: "grep", comm: "grep", argv: ["grep", "-r", "duplicity"], is: "none" },
    {
      name: "wget",
      comm: "wget",
      argv: ["wget", "-O", "/root/mysql_backup.sh", "http://x/mysql_backup.sh"],
      is: "none",
    },
    { name: "curl", comm: "curl", argv: ["curl", "-O", "http://x/duplicity"], is: "none" },
    {
      name: "ansible's inline code",
      comm: "bash",
      argv: ["bash", "-c", "sleep 9; /x/mysql_backup.sh"],
      is: "none",
    },
    { name: "python's inline code", comm: "python3", argv: ["python3", "-c", "x", "duplicity"], is: "none" },
    {
      name: "a script told of one",
      comm: "bash",
      argv: ["bash", "/x/watch.sh", "/x/mysql_backup.sh"],
      is: "none",
    },
    {
      name: "a shell's option value",
      comm: "bash",
      argv: ["bash", "--rcfile", "mysql_backup.sh", "/x/a.sh"],
      is: "none",
    },
    { name: "sudo, which waits for it", comm: "sudo", argv: ["sudo", "/x/mysql_backup.sh"], is: "none" },
    {
      name: "timeout, which waits for it",
      comm: "timeout",
      argv: ["timeout", "1h", "/x/mysql_backup.sh"],
      is: "none",
    },
    { name: "nice, which becomes it", comm: "nice", argv: ["nice", "mydumper"], is: "none" },
    { name: "ionice, which becomes it", comm: "ionice", argv: ["ionice", "-c3", "duplicity"], is: "none" },
    { name: "env, which becomes it", comm: "env", argv: ["env", "FOO=1", "/x/mysql_backup.sh"], is: "none" },
    { name: "perl", comm: "perl", argv: ["perl", "-w", "/x/multiback"], is: "multiback" },
    {
      name: "a program that only calls itself so",
      comm: "sleep",
      argv: ["mysql_backup.sh", "1000"],
      is: "none",
    },
    {
      name: "a database session of a user named so",
      comm: "postgres",
      argv: ["postgres: mydumper shop idle"],
      is: "none",
    },
    { name: "a comm with a line end", comm: "mydumper\\n", argv: ["mydumper\n"], is: "none" },
    {
      name: "a comm that looks like a stat line",
      comm: ") Z 1 (mydumper",
      argv: ["./) Z 1 (mydumper"],
      is: "none",
    },
    {
      name: "a script whose folder is named so",
      comm: "bash",
      argv: ["bash", "/x/mysql_backup.sh/run"],
      is: "none",
    },
    { name: "arguments wiped", comm: "bash", argv: [], is: "none" },
    { name: "an interpreter that cannot be read", comm: "bash", argv: undefined, is: "undecided" },
    { name: "a cut name that cannot be read", comm: "mysql_cluster_b", argv: undefined, is: "undecided" },
    { name: "a script that cannot be read", comm: "backboa", argv: undefined, is: "undecided" },
    { name: "an engine that cannot be read", comm: "mydumper", argv: undefined, is: "mydumper" },
    { name: "any other program that was not read", comm: "nginx", argv: undefined, is: "none" },
  ]
) {
  Deno.test(`findBackups() takes ${name} for ${is}`, () =>
    assertEquals(verdict(aProcess(7, comm, { argv })), is));
}

Deno.test("findBackups() leaves out zombies, dead ones and kernel threads", () => {
  const backup = aProcess(7, "mydumper");
  for (const state of ["R", "S", "D", "T"]) assertEquals(verdict({ ...backup, state }), "mydumper");
  for (const state of ["Z", "X"]) assertEquals(verdict({ ...backup, state, argv: [] }), "none");
  assertEquals(verdict({ ...backup, isKernelThread: true, argv: [] }), "none");
});

Deno.test("findBackups() takes a pattern with a slash as the whole path", () => {
  const patterns = { engines: [], orchestrators: ["/var/xdrago/mysql_backup.sh"] };
  const running = aProcess(7, "bash", { argv: ["bash", "/var/xdrago/mysql_backup.sh"] });
  assertEquals(verdict(running, patterns), "/var/xdrago/mysql_backup.sh");
  for (const path of ["/home/x/mysql_backup.sh", "mysql_backup.sh", "/var/xdrago/mysql_backup.sh.old"]) {
    assertEquals(verdict({ ...running, argv: ["bash", path] }, patterns), "none", path);
  }
});

Deno.test("findBackups() asks the arguments of an engine whose name fills the comm", () => {
  const patterns = { engines: ["mariadb-backup-full"], orchestrators: [] };
  const process = aProcess(7, "mariadb-backup-");
  assertEquals(
    verdict({ ...process, argv: ["/usr/bin/mariadb-backup-full"] }, patterns),
    "mariadb-backup-full",
  );
  assertEquals(verdict({ ...process, argv: ["/usr/bin/mariadb-backup-diff"] }, patterns), "none");
  assertEquals(verdict({ ...process, argv: undefined }, patterns), "undecided");

  // 15 bytes: the comm is the whole name, or the beginning of another.
  const exact = { engines: ["mariadb-backup2"], orchestrators: [] };
  assertEquals(
    verdict(aProcess(7, "mariadb-backup2", { argv: ["mariadb-backup2"] }), exact),
    "mariadb-backup2",
  );
  assertEquals(verdict(aProcess(7, "mariadb-backup2", { argv: ["mariadb-backup2sql"] }), exact), "none");
});

Deno.test("findBackups() keeps the order and the guilty apart from the innocent", () => {
  const { running, undecided } = findBackups([
    aProcess(1, "systemd"),
    aProcess(30, "mydumper"),
    aProcess(31, "vim", { argv: ["vim", "mydumper"] }),
    aProcess(32, "bash", { argv: undefined }),
    aProcess(33, "bash", { argv: ["bash", "/x/backboa"] }),
  ], DEFAULT_PATTERNS);
  assertEquals(running.map(({ process, pattern }) => [process.pid, pattern]), [[30, "mydumper"], [
    33,
    "backboa",
  ]]);
  assertEquals(pidsOf(undecided), [32]);
});

Deno.test("needsCmdline() is true only where the name alone does not decide", () => {
  for (const comm of ["bash", "python3.11", "perl", "mysql_backup.sh", "mysql_cluster_b", "backboa"]) {
    assertEquals(needsCmdline(comm, DEFAULT_PATTERNS), true, comm);
  }
  for (const comm of ["mydumper", "duplicity", "nginx", "php-fpm8.3", "vim", "mysql_cluster_backup.sh", ""]) {
    assertEquals(needsCmdline(comm, DEFAULT_PATTERNS), false, comm);
  }
  assertEquals(mayBeBackup("mydumper", DEFAULT_PATTERNS), true);
  assertEquals(mayBeBackup("vim", DEFAULT_PATTERNS), false);
});

const anyProcess = fc.record({
  comm: fc.constantFrom("bash", "python3", "mydumper", "backboa", "mysql_cluster_b", "vim", "nginx", "sleep"),
  argv: fc.option(
    fc.array(
      fc.constantFrom("bash", "python3", "-c", "-m", "-x", "mydumper", "/x/backboa", "/x/mysql_backup.sh"),
    ),
    { nil: undefined },
  ),
  state: fc.constantFrom("R", "S", "D", "Z"),
}).map(({ comm, ...rest }) => aProcess(7, comm, rest));

Deno.test("findBackups() finds nothing that mayBeBackup() rules out", () => {
  fc.assert(
    fc.property(anyProcess, (process) => {
      const { running, undecided } = findBackups([process], DEFAULT_PATTERNS);
      const found = running.length + undecided.length > 0;
      return (!found || mayBeBackup(process.comm, DEFAULT_PATTERNS)) &&
        (undecided.length === 0 || process.argv === undefined);
    }),
    { numRuns: 10_000 },
  );
});

Deno.test("findBackups() never makes a backup of not knowing the arguments", () => {
  fc.assert(
    fc.property(anyProcess, (process) => {
      const known = findBackups([process], DEFAULT_PATTERNS).running.length;
      const unknown = findBackups([{ ...process, argv: undefined }], DEFAULT_PATTERNS).running.length;
      return unknown <= known;
    }),
    { numRuns: 10_000 },
  );
});
