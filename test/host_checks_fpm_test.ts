/** php-fpm with all workers busy, and without anybody who listens, as the checks of the host find it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { NEEDS, onCheckedHost, severityOf } from "./host_checks_world.ts";
import { testNeeding } from "./needs.ts";

/** Sockets of a pool and of its status page, and where nginx then finds the pool. */
const POOLS = {
  "a unix socket": { listen: "/run/php/php8.2-fpm.sock", status: "" },
  "a unix socket, with pm.status_listen": {
    listen: "/run/php/php8.2-fpm.sock",
    status: "pm.status_listen = /run/php/php8.2-fpm-status.sock",
  },
  "TCP": { listen: "127.0.0.1:9000", status: "" },
  "TCP of IPv6, with pm.status_listen": { listen: "[::1]:9000", status: "pm.status_listen = 127.0.0.1:9001" },
} as const;

/** Writes a static pool of two workers, and lets nginx find it. */
function poolAt(listen: string, status: string): string {
  return String.raw`pool <<'END'
[www]
user = www-data
listen = ${listen}
listen.owner = www-data
pm = static
pm.max_children = 2
pm.status_path = /fpm-status
${status}
END
sed -i 's|fastcgi_pass .*;|fastcgi_pass ${listen.startsWith("/") ? `unix:${listen}` : listen};|' \
  /etc/nginx/sites-available/default
fpm; nginx; within 10 up
begin
`;
}

for (const [name, { listen, status }] of Object.entries(POOLS)) {
  testNeeding(
    NEEDS,
    `a pool at ${name} whose workers are all busy is found while its page hangs`,
    async () => {
      const [before, full, full2, full3, after] = await onCheckedHost(
        `${poolAt(listen, status)}
look 0 fpm-exhausted fpm-dead
slow_site
visitors 5
until_look 20 '2 of 2 workers busy, 3 wait' 0 fpm-exhausted
answers 80 'curl 28'
look 0 fpm-exhausted fpm-dead
look 0 fpm-exhausted fpm-dead
look 0 fpm-exhausted fpm-dead
kill_fpm
echo '<?php echo "made by php ", 6 * 7;' > /var/www/html/index.php
fpm; within 10 up
look 61 fpm-exhausted fpm-dead
`,
      );
      assertEquals(before?.["fpm-exhausted"], {
        state: "ok",
        evidence: "pool www: 0 of 2 workers busy, 0 wait",
        numbers: { busyCount: 0, maxChildrenCount: 2, waitingCount: 0 },
      });
      for (const look of [full, full2, full3]) {
        assertEquals(severityOf(look?.["fpm-exhausted"]), "drain");
        // The page that curl asked for in vain may wait too; our own question never counts, however often it is asked.
        assertMatch(look?.["fpm-exhausted"].evidence ?? "", /^pool www: 2 of 2 workers busy, [34] wait$/);
        assertEquals(severityOf(look?.["fpm-dead"]), "ok");
        assert((look?.tookMs ?? Infinity) < 2_500);
      }
      assertEquals(severityOf(after?.["fpm-exhausted"]), "ok");
    },
  );
}

testNeeding(NEEDS, "a pool that hangs never has more than one question of ours in its queue", async () => {
  const [rows] = await onCheckedHost(`${poolAt("/run/php/php8.2-fpm.sock", "")}
slow_site
visitors 3
until_look 20 '2 of 2 workers busy, 1 wait' 0 fpm-exhausted
for i in 1 2 3; do look 5 fpm-exhausted >/dev/null; done
grep -cE ' 02 +0 /run/php/php8.2-fpm.sock$' /run/loadweir/proc/net/unix
`);
  assertEquals(rows as unknown, 2);
});

testNeeding(NEEDS, "a status socket that somebody keeps for himself says nothing of the pool", async () => {
  const socket = "/run/php/php8.2-fpm-status.sock";
  const [kept, full] = await onCheckedHost(
    `${poolAt("/run/php/php8.2-fpm.sock", `pm.status_listen = ${socket}`)}
perl -MIO::Socket::UNIX -e 'exit if fork; $s = IO::Socket::UNIX->new(Peer => shift) or die; sleep 60' ${socket}
until_look 20 '"tookMs":[5-9]..' 0 fpm-exhausted
look 5 fpm-exhausted
slow_site
visitors 4
until_look 20 '2 of 2 workers busy, 2 wait' 0 fpm-exhausted
look 5 fpm-exhausted
`,
  );
  assertEquals([severityOf(kept?.["fpm-exhausted"]), kept?.["fpm-exhausted"].evidence], [
    "ok",
    "pool www: 0 of 2 workers busy, 0 wait",
  ]);
  assertEquals([severityOf(full?.["fpm-exhausted"]), full?.["fpm-exhausted"].evidence], [
    "drain",
    "pool www: 2 of 2 workers busy, 2 wait",
  ]);
  assert((full?.tookMs ?? Infinity) < 2_500, `${full?.tookMs} ms`);
});

testNeeding(NEEDS, "a pool that starts its workers for visitors starts none for us", async () => {
  const [idle, count, busy] = await onCheckedHost(`
printf '[www]\\nuser = www-data\\nlisten = /run/php/php8.2-fpm.sock\\nlisten.owner = www-data
pm = ondemand\\npm.max_children = 2\\npm.process_idle_timeout = 1s\\npm.status_path = /fpm-status\\n' | pool
fpm; nginx; within 10 up
workers() { pgrep -P "$(fpm_pid)" | wc -l || true; }
none() { [ "$(workers)" = 0 ]; }
both() { [ "$(workers)" = 2 ]; }
within 10 none
begin
look 0 fpm-exhausted
for i in 1 2 3; do look 5 fpm-exhausted >/dev/null; done
workers
slow_site
# One after the other: of some who come at once php-fpm may see the first alone, and starts no second worker for the others.
visitors 1; until_look 20 '1 of 2 workers busy, 0 wait' 0 fpm-exhausted
visitors 1; within 20 both
visitors 2; until_look 20 '2 of 2 workers busy, 2 wait' 0 fpm-exhausted
look 5 fpm-exhausted
`);
  assertEquals(idle?.["fpm-exhausted"].evidence, "pool www: at most 0 of 2 workers busy, 0 wait");
  assertEquals(count as unknown, 0);
  assertEquals([severityOf(busy?.["fpm-exhausted"]), busy?.["fpm-exhausted"].evidence], [
    "drain",
    "pool www: 2 of 2 workers busy, 2 wait",
  ]);
});

testNeeding(NEEDS, "a php-fpm that is killed is dead, by a closed socket as by a missing one", async () => {
  const [before, closed, missing, again, gone, removed] = await onCheckedHost(
    `${poolAt("/run/php/php8.2-fpm.sock", "")}
look 0 fpm-dead
kill_fpm
look 61 fpm-dead
rm /run/php/php8.2-fpm.sock
look 5 fpm-dead
fpm
look 61 fpm-dead
within 5 is_told
# The socket of a pool that runs is deleted: it still listens, and nobody finds it.
rm /run/php/php8.2-fpm.sock
look 61 fpm-dead
# Somebody removes this PHP.
kill_fpm; rm /usr/sbin/php-fpm8.2
look 61 fpm-dead
`,
  );
  assertEquals(severityOf(before?.["fpm-dead"]), "ok");
  assertEquals([severityOf(closed?.["fpm-dead"]), closed?.["fpm-dead"].evidence], [
    "drain",
    "pool www: nobody listens at its socket",
  ]);
  assertEquals([severityOf(missing?.["fpm-dead"]), missing?.["fpm-dead"].evidence], [
    "drain",
    "pool www: its socket does not exist",
  ]);
  assertEquals(severityOf(again?.["fpm-dead"]), "ok");
  assertEquals([severityOf(gone?.["fpm-dead"]), gone?.["fpm-dead"].evidence], [
    "drain",
    "pool www: its socket does not exist",
  ]);
  assertEquals(removed?.["fpm-dead"], { state: "unknown", evidence: "no pool was found" });
});

testNeeding(NEEDS, "workers of a php-fpm whose master is killed are told of while they serve", async () => {
  const [orphans] = await onCheckedHost(`${poolAt("/run/php/php8.2-fpm.sock", "")}
look 0 fpm-dead >/dev/null
kill -9 "$(fpm_pid)"; within 5 test ! -e "/proc/$(cat /run/php/php8.2-fpm.pid)"
up
look 61 fpm-dead fpm-exhausted
`);
  // They may be busy, all of them: nobody counts them.
  assertEquals(orphans?.["fpm-exhausted"].evidence, "pool www: 0 of 2 workers busy, 0 wait");
  assertEquals([severityOf(orphans?.["fpm-dead"]), orphans?.["fpm-dead"].evidence], [
    "warn",
    "2 workers of php-fpm have no master",
  ]);
});

testNeeding(NEEDS, "a pool that was removed by a reload is not taken for dead", async () => {
  const [both, reloaded, later] = await onCheckedHost(`
printf '[other]\\nuser = www-data\\nlisten = /run/php/other.sock\\npm = static\\npm.max_children = 1\\n' \\
  > /etc/php/8.2/fpm/pool.d/other.conf
fpm; nginx; within 10 up
begin
look 0 fpm-dead
rm /etc/php/8.2/fpm/pool.d/other.conf
kill -USR2 $(fpm_pid)
within 10 test ! -e /run/php/other.sock
within 10 up
look 5 fpm-dead
look 61 fpm-dead
`);
  assertEquals(severityOf(both?.["fpm-dead"]), "ok");
  // It was asked for its pools a moment ago, and is asked again when that may be.
  assertEquals(severityOf(reloaded?.["fpm-dead"]), "unknown");
  assertEquals(severityOf(later?.["fpm-dead"]), "ok");
});

testNeeding(NEEDS, "a socket that this binary may not connect to is never dead", async () => {
  const [listens, closed] = await onCheckedHost(`mkdir /srv/sockets
${poolAt("/srv/sockets/php.sock", "")}
look 0 fpm-dead fpm-exhausted
kill_fpm
look 61 fpm-dead
`);
  const refused = "this binary may not connect to /srv/sockets/php.sock: see `loadweir check`";
  assertEquals(severityOf(listens?.["fpm-dead"]), "ok");
  assertEquals(listens?.["fpm-exhausted"], { state: "unknown", evidence: `pool www: ${refused}` });
  assertEquals(closed?.["fpm-dead"], { state: "unknown", evidence: refused });
});

testNeeding(NEEDS, "a log_level that hides the pools leaves them unknown", async () => {
  const [look] = await onCheckedHost(`
sed -i 's/^;log_level = .*/log_level = error/' /etc/php/8.2/fpm/php-fpm.conf
fpm; nginx; within 10 up
begin
look 0 fpm-dead
`);
  assertEquals(look?.["fpm-dead"].state, "unknown");
  assertMatch(look?.["fpm-dead"].evidence ?? "", /with a log_level above notice php-fpm prints none/);
});
