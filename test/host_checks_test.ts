/** What makes a host a zombie, made to happen on a host of its own, as the checks find it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { NEEDS, onCheckedHost, severityOf } from "./host_checks_world.ts";
import { type Need, testNeeding } from "./needs.ts";

testNeeding(
  NEEDS,
  "workers of an nginx whose master is killed are found while the page says 200",
  async () => {
    const [before, orphans, gone, removed] = await onCheckedHost(`
fpm; nginx; within 10 up; other_nginxes
begin
look 0 nginx
kill -9 $(cat /run/nginx.pid); within 5 test ! -e /proc/$(cat /run/nginx.pid)
up
look 0 nginx
pkill -9 -x -P 1 -u www-data nginx; within 5 answers 80 'curl 7'
look 0 nginx
others_answer
rm /usr/sbin/nginx
look 0 nginx
`);
    assertEquals([severityOf(before?.nginx), before?.nginx.evidence], ["ok", "nginx serves with 2 workers"]);
    assertEquals([severityOf(orphans?.nginx), orphans?.nginx.evidence], [
      "drain",
      "2 workers of nginx have no master",
    ]);
    assertEquals([severityOf(gone?.nginx), gone?.nginx.evidence], ["drain", "no nginx runs"]);
    assertEquals(removed?.nginx.state, "unknown");
  },
);

testNeeding(
  NEEDS,
  "an nginx that never ran here is not missed, and others are not taken for it",
  async () => {
    const [none, others] = await onCheckedHost(`
begin
look 0 nginx fpm-dead fpm-exhausted
other_nginxes
look 11 nginx
`);
    for (const result of [none?.nginx, others?.nginx]) {
      assertEquals(result, {
        state: "unknown",
        evidence: "no nginx of this host has run since loadweir looks",
      });
    }
    assertEquals([none?.["fpm-dead"].state, none?.["fpm-exhausted"].state], ["unknown", "unknown"]);
  },
);

testNeeding(
  [...NEEDS, "/lib/systemd/systemd", "/usr/bin/nsenter"],
  "under systemd a unit that dies or is stopped is missed, and one that is disabled is not",
  async () => {
    const [before, killed, back, stopped, disabled] = await onCheckedHost(
      `
systemctl enable php8.2-fpm nginx >/dev/null 2>&1
systemctl start php8.2-fpm nginx; within 10 up
begin
look 0 nginx fpm-dead
systemctl kill --signal=KILL php8.2-fpm; within 5 no_fpm
look 61 nginx fpm-dead
systemctl start php8.2-fpm; within 10 up
look 61 nginx fpm-dead
within 5 is_told
systemctl stop php8.2-fpm nginx
look 61 nginx fpm-dead
systemctl disable php8.2-fpm nginx >/dev/null 2>&1
look 61 nginx fpm-dead
`,
      { systemd: true },
    );
    const both = [before, killed, back, stopped, disabled].map((look) =>
      [look?.nginx, look?.["fpm-dead"]].map(severityOf)
    );
    assertEquals(both, [
      ["ok", "ok"],
      ["ok", "drain"],
      ["ok", "ok"],
      ["drain", "drain"],
      ["unknown", "unknown"],
    ]);
  },
);

testNeeding(NEEDS, "a server that runs out of open files is found, by its own limit", async () => {
  const [before, near, full, after] = await onCheckedHost(`
sed -i 's/^worker_processes .*/worker_processes 1;/' /etc/nginx/nginx.conf
# Connections that stay open until they are told otherwise.
hold() { perl -MIO::Socket::INET -e '
  for (1 .. shift) { push @s, IO::Socket::INET->new(PeerAddr => "127.0.0.1:80", Blocking => 0) }
  sleep 60' "$1" & }
open() { ls "/proc/$(pgrep -P "$(cat /run/nginx.pid)")/fd" | wc -l; }
has() { [ "$(open)" -ge "$1" ]; }
fpm; (ulimit -n 100; nginx); within 10 up
begin
look 0 process-files
hold $((90 - $(open))); within 5 has 90
look 0 process-files
hold 60; within 5 has 100
answers 80 'curl 28'
look 0 process-files
pkill -x perl; within 5 up
look 0 process-files
`);
  assertEquals(severityOf(before?.["process-files"]), "ok");
  assertEquals(severityOf(near?.["process-files"]), "warn");
  assertEquals(severityOf(full?.["process-files"]), "drain");
  assertMatch(
    full?.["process-files"].evidence ?? "",
    /^nginx worker \d+: 10\d of 100 open files, 10\d.00 %, over 95 %$/,
  );
  assertEquals(severityOf(after?.["process-files"]), "ok");
});

testNeeding(
  NEEDS,
  "an agent without the capability to trace others never says what it could not see",
  async () => {
    const [look] = await onCheckedHost(`
fpm; nginx; within 10 up
begin_without_tracing
look 0 nginx process-files fpm-dead swap
`);
    // Since Linux 6.2 the count needs no such capability; before, it cannot be had.
    assertEquals(look?.["process-files"].state === "bad", false);
    assertEquals([look?.nginx, look?.["fpm-dead"], look?.swap].map(severityOf), ["ok", "ok", "ok"]);
  },
);

testNeeding(NEEDS, "connections lost in a full queue are found, from one a second on", async () => {
  const [first, few, many] = await onCheckedHost(`
perl -MIO::Socket::INET -e 'exit if fork;
  $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:8090", Listen => 1) or die; sleep 60'
# So many who knock; nobody opens.
knock() { perl -MIO::Socket::INET -e 'for (1 .. shift) {
  push @s, IO::Socket::INET->new(PeerAddr => "127.0.0.1:8090", Blocking => 0) }' "$1"; }
within 5 knock 3
begin
look 0 listen-overflows
knock 100
look 59 listen-overflows
knock 400
look 0 listen-overflows
`);
  assertEquals(first?.["listen-overflows"].state, "unknown");
  assertEquals(severityOf(few?.["listen-overflows"]), "warn");
  assertEquals(severityOf(many?.["listen-overflows"]), "drain");
});

testNeeding(NEEDS, "jobs that do not end are counted once they are old", async () => {
  const [young, old] = await onCheckedHost(`
cp /bin/sleep /tmp/drush.php; cp /bin/sleep /tmp/drush
for i in $(seq 21); do /tmp/drush.php 600 & done
# Others that are as old, and one in a container.
for i in $(seq 30); do /tmp/drush 600 & done
unshare --pid --fork --mount-proc /tmp/drush.php 600 &
begin
look 0 runaways
awk '{ printf "%.2f %s\\n", $1 + 660, $2 }' /proc/uptime >/tmp/uptime
mount --bind /tmp/uptime /run/loadweir/proc/uptime
look 0 runaways
`);
  assertEquals(young?.runaways, {
    state: "ok",
    evidence: "0 listed processes older than 10 m",
    numbers: { oldCount: 0, foundCount: 21 },
  });
  assertEquals([severityOf(old?.runaways), old?.runaways.evidence], [
    "warn",
    "21 listed processes older than 10 m, over 20",
  ]);
});

testNeeding(NEEDS, "a site that answers with errors is found, through a rotation of its log", async () => {
  const [, fine, first, second, after] = await onCheckedHost(`
sed -i 's|location / {|location = /broken { return 500; } location / {|' /etc/nginx/sites-available/default
# What asks whether it is up yet is not counted.
is_up() { curl -s -f -o /dev/null -A loadweir-probe/0.1.0 http://127.0.0.1/; }
fpm; nginx; within 10 is_up
lines() { cat /var/log/nginx/access.log* | grep -c '"'"$1"'"$' || true; }
logged() { [ "$(lines "$1")" -ge "$2" ]; }
# An answer is there before its line in the log.
ask() { local wanted=$(($(lines "$3") + $1)); for i in $(seq "$1"); do curl -s -o /dev/null -A "$3" "http://127.0.0.1$2"; done
  within 5 logged "$3" "$wanted"; }
begin
look 0 server-errors
look 1 server-errors >/dev/null
ask 30 / browser; ask 60 /broken 'loadweir-probe/0.1.0'
look 31 server-errors
ask 20 /broken browser
mv /var/log/nginx/access.log /var/log/nginx/access.log.1; nginx -s reopen
within 5 test -e /var/log/nginx/access.log
ask 30 /broken browser; ask 5 / browser
look 31 server-errors
ask 30 /broken browser
look 31 server-errors
ask 30 / browser
look 31 server-errors
`);
  assertEquals([severityOf(fine?.["server-errors"]), fine?.["server-errors"].evidence], [
    "ok",
    "0 of 30 answers are errors of the server, 0.00 %",
  ]);
  // One bad half minute is none.
  assertEquals(severityOf(first?.["server-errors"]), "ok");
  assertEquals([severityOf(second?.["server-errors"]), second?.["server-errors"].evidence], [
    "drain",
    "30 of 30 answers are errors of the server, 100.00 %, and the half minute before was as bad",
  ]);
  assertEquals(severityOf(after?.["server-errors"]), "ok");
});

testNeeding(NEEDS, "what hangs makes its own check unknown and holds up no other", async () => {
  const [hung, still] = await onCheckedHost(
    `
fpm; nginx; within 10 up
# A php-fpm that never says its pools, a database that never says a word, a log that never opens.
printf '#!/bin/sh\\nsleep 600\\n' >/tmp/hangs; chmod 755 /tmp/hangs
mount --bind /tmp/hangs /usr/sbin/php-fpm8.2
mkdir /run/mysqld
perl -MIO::Socket::UNIX -e 'exit if fork;
  $s = IO::Socket::UNIX->new(Local => "/run/mysqld/mysqld.sock", Listen => 5) or die; sleep 60'
within 5 test -S /run/mysqld/mysqld.sock
rm /var/log/nginx/access.log; mkfifo /var/log/nginx/access.log
begin
look
look 5
`,
    {
      settings: {
        databases: [{ kind: "mysql", address: { kind: "unix", path: "/run/mysqld/mysqld.sock" } }],
      },
    },
  );
  for (const look of [hung, still]) {
    assertEquals([look?.nginx, look?.swap, look?.["process-files"]].map(severityOf), ["ok", "ok", "ok"]);
    assertEquals([look?.["fpm-dead"].state, look?.["fpm-exhausted"].state], ["unknown", "unknown"]);
    assertEquals(look?.["server-errors"], {
      state: "unknown",
      evidence: "Cannot read /var/log/nginx/access.log: not a regular file",
    });
    assertEquals([severityOf(look?.database), look?.database.evidence], [
      "drain",
      "/run/mysqld/mysqld.sock takes connections and says nothing within 1000 ms",
    ]);
    assert((look?.tookMs ?? Infinity) < 3_500, `${look?.tookMs} ms`);
  }
  assertEquals([hung, still].map((look) => look?.["fpm-dead"].evidence), [
    "took longer than 2000 ms",
    "the look before has not come back",
  ]);
});

testNeeding(NEEDS, "without a proc root what cannot be read is unknown", async () => {
  const [look] = await onCheckedHost(
    `
fpm; nginx; within 10 up
begin
look
`,
    { bind: false },
  );
  const why = "Cannot read it without a proc root: see `loadweir check`";
  const blind = ["system-files", "process-files", "tcp-memory", "tcp-orphans", "listen-overflows"] as const;
  for (const name of [...blind, "fpm-dead"] as const) {
    assertEquals(look?.[name], { state: "unknown", evidence: why });
  }
  assertEquals([look?.nginx, look?.swap].map(severityOf), ["ok", "ok"]);
  assertEquals(look?.conntrack.state, "unknown");
});

testNeeding(NEEDS, "a database that has never answered is not missed", async () => {
  const [look] = await onCheckedHost(`
mkdir /run/mysqld
perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "/run/mysqld/mysqld.sock", Listen => 5) or die'
begin
look 0 database
`);
  assertEquals(look?.database, {
    state: "unknown",
    evidence: "/run/mysqld/mysqld.sock has not answered since loadweir looks",
  });
});

const MARIADB: readonly Need[] = [...NEEDS, "/usr/sbin/mariadbd"];

testNeeding(
  MARIADB,
  "a MariaDB that is full, hangs or is killed is found, and nobody is blocked",
  async () => {
    const [well, kept, aborted, full, hangs, again, dead, missing] = await onCheckedHost(String.raw`
mkdir -p /run/mysqld; chown mysql /run/mysqld
mariadb-install-db --datadir=/tmp/db --user=mysql --auth-root-authentication-method=socket >/dev/null 2>&1
serve() { mariadbd --no-defaults --user=mysql --datadir=/tmp/db --socket=/run/mysqld/mysqld.sock \
  --skip-networking --max-connections=10 --max-connect-errors=3 --log-error=/tmp/db.log & db=$!
  within 20 mariadb-admin --silent ping; }
serve
begin
look 0 database process-files
for i in 1 2 3 4; do look 5 database >/dev/null; done
look 5 database
mariadb -N -e "show global status like 'Aborted_connects'" | cut -f 2
# Its places, and the one that is kept for administrators.
filled() { mariadb -e 'select sleep(60)' >/dev/null 2>&1 & ! mariadb-admin --silent ping; }
within 10 filled
look 31 database
pkill -x mariadb; within 10 mariadb-admin --silent ping
kill -STOP $db
look 0 database
kill -CONT $db
for i in 1 2 3 4 5; do look 31 database >/dev/null; done
mariadb -e 'select 1' >/dev/null
look 31 database
kill -9 $db; wait $db || true
look 31 database
rm /run/mysqld/mysqld.sock
look 0 database
`);
    assertEquals([well?.database, kept?.database].map(severityOf), ["ok", "ok"]);
    assertMatch(well?.["process-files"].evidence ?? "", /^mariadbd \d+: \d+ of \d+ open files, /);
    // Each question leaves one behind, so one answer counts for half a minute.
    assertEquals(aborted as unknown, 1);
    assertMatch(well?.database.evidence ?? "", /^\/run\/mysqld\/mysqld.sock answers: .*MariaDB/);
    assertEquals([severityOf(full?.database), full?.database.evidence], [
      "warn",
      "/run/mysqld/mysqld.sock has no place for another connection",
    ]);
    assertEquals([severityOf(hangs?.database), hangs?.database.evidence], [
      "drain",
      "/run/mysqld/mysqld.sock takes connections and says nothing within 1000 ms",
    ]);
    assertEquals(severityOf(again?.database), "ok");
    assertEquals([severityOf(dead?.database), dead?.database.evidence], [
      "drain",
      "nobody listens at /run/mysqld/mysqld.sock",
    ]);
    assertEquals([severityOf(missing?.database), missing?.database.evidence], [
      "drain",
      "there is no /run/mysqld/mysqld.sock",
    ]);
  },
);

const POSTGRES = "/usr/lib/postgresql/15/bin/postgres";

testNeeding([...NEEDS, POSTGRES], "a PostgreSQL answers, hangs and is gone", async () => {
  const [well, hangs, dead] = await onCheckedHost(
    String.raw`
mkdir -p /run/postgresql /tmp/pg; chown postgres /run/postgresql /tmp/pg
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
cd /tmp
as_postgres /usr/lib/postgresql/15/bin/initdb -D /tmp/pg >/dev/null
as_postgres ${POSTGRES} -D /tmp/pg -c listen_addresses=127.0.0.1 >/tmp/pg.log 2>&1 &
within 20 as_postgres /usr/lib/postgresql/15/bin/pg_isready
db=$(head -n 1 /tmp/pg/postmaster.pid)
lines=$(wc -l </tmp/pg.log)
begin
look 0 database
for i in 1 2 3; do look 31 database >/dev/null; done
test "$(wc -l </tmp/pg.log)" = "$lines"
kill -STOP $db
look 31 database
kill -CONT $db
kill -INT $db; within 10 test ! -e /tmp/pg/postmaster.pid
look 0 database
`,
    {
      settings: {
        databases: [
          { kind: "postgresql", address: { kind: "tcp", host: "127.0.0.1", port: 5432 } },
          { kind: "postgresql", address: { kind: "unix", path: "/run/postgresql/.s.PGSQL.5432" } },
        ],
      },
    },
  );
  assertEquals(well?.database.state, "ok");
  assertEquals([severityOf(hangs?.database), hangs?.database.evidence], [
    "drain",
    "127.0.0.1:5432 takes connections and says nothing within 1000 ms",
  ]);
  assertEquals([severityOf(dead?.database), dead?.database.evidence], [
    "drain",
    "nobody listens at 127.0.0.1:5432",
  ]);
});
