import { assertEquals } from "@std/assert";
import { defaultConfig } from "../../mod/config/schema.ts";
import type { ProcessTable } from "../../mod/processes/process.ts";
import { aProcess } from "../../mod/testing/process.ts";
import { lookAtPatterns } from "./patterns.ts";

const TABLE: ProcessTable = {
  processes: [
    aProcess(1, "systemd", { ppid: 0 }),
    aProcess(10, "mysql_backup.sh", {
      argv: ["/bin/bash", "/var/xdrago/mysql_backup.sh", "PASSWORD=secret"],
    }),
    aProcess(11, "curl", { ppid: 10, argv: undefined }),
    aProcess(20, "php", { argv: ["php", "-d", "x=secret", "/srv/artisan", "queue:work", "--key=secret"] }),
    aProcess(21, "php8.2", { argv: ["php8.2", "/srv/artisan"] }),
    aProcess(30, "python3", { argv: undefined }),
    aProcess(40, "vim", { argv: ["vim", "/var/xdrago/mysql_backup.sh"] }),
    aProcess(99, "loadweir", { argv: ["loadweir", "check"] }),
  ],
  coverage: "everything",
  foundCount: 8,
  skippedPids: [],
  unreadCmdlinePids: [30],
  selfPid: 99,
};

const MARKER = "/run/boa_sql_cluster_backup.pid";

Deno.test("lookAtPatterns() tells matches without arguments, and what would be spared", () => {
  const { backups, runaways, undecidedPids } = lookAtPatterns(TABLE, defaultConfig(), []);
  assertEquals(backups.filter(({ matches }) => matches.length > 0), [{
    pattern: "mysql_backup.sh",
    matches: [{ pid: 10, program: "bash mysql_backup.sh", spared: undefined }],
  }]);
  assertEquals(backups.length, 7);
  assertEquals(runaways, [
    { pattern: "php", matches: [{ pid: 20, program: "php artisan", spared: undefined }] },
    { pattern: "drush.php", matches: [] },
    { pattern: "wget", matches: [] },
    { pattern: "curl", matches: [{ pid: 11, program: "curl", spared: "descendant-of-backup" }] },
  ]);
  assertEquals(undecidedPids, [30]);
});

Deno.test("lookAtPatterns() tells whether the marker names a process that runs", () => {
  const config = defaultConfig();
  assertEquals(lookAtPatterns(TABLE, config, ["duplicity (pid 7)"]).marker, { path: MARKER, running: false });
  assertEquals(lookAtPatterns(TABLE, config, [`${MARKER} (pid 7)`]).marker, { path: MARKER, running: true });
  assertEquals(lookAtPatterns(TABLE, { ...config, backupMarkerPath: undefined }, []).marker, undefined);
});
