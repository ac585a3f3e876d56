/** Stopping and starting a real web tier: under init scripts, without a manager, and under systemd. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { bundleProgram } from "../scripts/bundle.ts";
import { type Need, testNeeding } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { inWorldOk, PROJECT } from "./world.ts";

const NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  "/usr/sbin/nginx",
  "/usr/sbin/php-fpm8.2",
  "/usr/sbin/service",
  "/usr/bin/php",
  "/usr/bin/curl",
];

const SYSTEMD_NEEDS: readonly Need[] = [...NEEDS, "/lib/systemd/systemd", "/usr/bin/nsenter"];

/** What a script of these tests starts with. */
const PRELUDE = String.raw`
# A page that is made by php-fpm behind nginx.
echo '<?php echo "made by php ", 6 * 7;' > /var/www/html/index.php
cat > /etc/nginx/sites-available/default <<'END'
server {
  listen 80;
  location / {
    include fastcgi_params;
    fastcgi_param SCRIPT_FILENAME /var/www/html/index.php;
    fastcgi_pass unix:/run/php/php8.2-fpm.sock;
  }
}
END
mkdir -p /run/php /run/lock /srv/second

# What the host answers on a port: the page, or how curl ended (7 is refused).
page() { curl --silent --max-time 5 "http://127.0.0.1:$1/" || printf "curl $?"; echo; }
# Waits until a command succeeds.
until_ok() { for _ in $(seq 200); do if "$@" > /dev/null 2>&1; then return; fi; sleep 0.05; done; "$@"; }
# How many processes of the tier there are.
count() { ps -e -o comm= | grep -cE '^(nginx|php-fpm)' || true; }

# Processes that have nothing to do with it, and must be there at the end.
innocents() {
  mkfifo /tmp/fifo
  php -r 'sleep(300);' & echo $! >> /tmp/innocents
  curl --silent file:///tmp/fifo & echo $! >> /tmp/innocents
  printf '#!/bin/bash\nsleep 300\n' > /usr/local/bin/mysql_backup.sh
  chmod 755 /usr/local/bin/mysql_backup.sh
  mysql_backup.sh & echo $! >> /tmp/innocents
}
# Others of the kind, started by hand: an nginx and a php-fpm with other configurations, an nginx in a pid
# namespace of its own.
others() {
  printf 'pid /srv/second/pid; error_log /srv/second/log; events {} http { access_log off;
    server { listen 8081; return 200 second; } }' > /srv/second/nginx.conf
  sed 's|8081|8082|; s|second/pid|second/inner|; s|200 second|200 inner|' \
    /srv/second/nginx.conf > /srv/second/inner.conf
  printf '[global]\npid = /srv/second/fpm.pid\nerror_log = /srv/second/fpm.log\n[second]\nuser = www-data
listen = 127.0.0.1:9001\npm = static\npm.max_children = 1\n' > /srv/second/fpm.conf
  nginx -c /srv/second/nginx.conf
  unshare --pid --fork --mount-proc nginx -c /srv/second/inner.conf -g 'daemon off;' &
  php-fpm8.2 --daemonize --fpm-config /srv/second/fpm.conf
  until_ok curl --silent http://127.0.0.1:8082/
  for pid in $(pgrep -f '^nginx: master process nginx -c /srv/second') "$(cat /srv/second/fpm.pid)"; do
    echo "$pid"; pgrep -P "$pid"
  done >> /tmp/innocents
}
# Whether they all still run, none of them stopped.
innocent_states() {
  for pid in $(cat /tmp/innocents); do ps -o stat= -p "$pid" | cut -c 1 || echo gone; done |
    sort | uniq -c | xargs
}
`;

// deno-lint-ignore no-explicit-any
type Json = any;

/** Runs a script in a world where `web_tier` is the program beside this test. */
async function inWeb(script: string, world: "sysv" | "systemd" | "none"): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-web-" });
  try {
    const program = join(folder, "web_tier.js");
    await Deno.writeTextFile(program, await bundleProgram("test/web_tier_program.ts", PROJECT));
    const start = `web_tier() { ${Deno.execPath()} run --no-config --allow-all ${program} "$@"; }\n`;
    const bare = world === "none" ? "rm -rf /etc/init.d /lib/systemd/system\n" : "";
    const whole = start + PRELUDE + bare + script;
    const output = world === "systemd"
      ? await inSystemdWorldOk(whole, { share: [folder] })
      : await inWorldOk(whole, { bind: true, share: [folder] });
    return output.trimEnd().split("\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What the program said of each service, by name. */
function outcomesOf(line: string | undefined): Readonly<Record<string, Json>> {
  const outcomes: Json[] = JSON.parse(line ?? "[]");
  return Object.fromEntries(outcomes.map((outcome) => [outcome.service.name, outcome]));
}

/** Whether each service came out well, by name. */
function oksOf(line: string | undefined): Readonly<Record<string, boolean>> {
  return Object.fromEntries(Object.entries(outcomesOf(line)).map(([name, { ok }]) => [name, ok]));
}

/** The services that `find` found. */
function foundIn(line: string | undefined): readonly string[] {
  return JSON.parse(line ?? "{}").services.map(({ manager, name }: Json) => `${manager} ${name}`);
}

const UNITS_UP = `
systemctl start nginx php8.2-fpm
until_ok curl --fail --silent http://127.0.0.1/
`;

const BY_HAND_UP = `
php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
nginx
until_ok curl --fail --silent http://127.0.0.1/
`;

const PAGE = "made by php 42";
const REFUSED = "curl 7";
const SYSV_UP = `
service nginx start > /dev/null
service php8.2-fpm start > /dev/null
until_ok curl --fail --silent http://127.0.0.1/
`;

testNeeding(NEEDS, "the web tier stops and starts by its init scripts", async () => {
  const [before, found, stopped, down, processes, nothing, started, after, again, innocents] = await inWeb(
    `innocents
    ${SYSV_UP}
    page 80
    web_tier find; cp /tmp/services.json /tmp/kept
    web_tier stop
    page 80
    count
    web_tier find; mv /tmp/kept /tmp/services.json
    web_tier start
    page 80
    web_tier start
    innocent_states`,
    "sysv",
  );
  assertEquals([before, foundIn(found)], [PAGE, ["sysv nginx", "sysv php8.2-fpm"]]);
  const { nginx, "php8.2-fpm": fpm } = outcomesOf(stopped);
  assertMatch(nginx.text, /^"\/usr\/sbin\/service nginx stop" exited 0 after \d+ ms; nothing of it is left$/);
  assertMatch(fpm.text, /^"\/usr\/sbin\/service php8.2-fpm stop" exited 0 after \d+ ms; nothing/);
  assertEquals([nginx.ok, fpm.ok, down, processes, foundIn(nothing)], [true, true, REFUSED, "0", []]);
  assertEquals([oksOf(started), after], [{ nginx: true, "php8.2-fpm": true }, PAGE]);
  assertMatch(outcomesOf(started)["nginx"].text, /service nginx start" exited 0 after \d+ ms; serves$/);
  assertEquals(outcomesOf(again)["nginx"].text, "runs already");
  assertEquals(innocents, "3 S");
});

testNeeding(NEEDS, "stopServices() goes round an init script that could end what is not ours", async () => {
  const [found, stopped, down, started, after, second, inner, innocents] = await inWeb(
    `innocents
    ${SYSV_UP}
    others
    web_tier find
    web_tier stop
    page 80
    web_tier start
    page 80
    page 8081
    page 8082
    innocent_states`,
    "sysv",
  );
  const { foreign } = JSON.parse(found ?? "");
  assertEquals(foundIn(found), ["sysv nginx", "sysv php8.2-fpm"]);
  assertEquals(foreign.map(({ reason }: Json) => reason).sort(), [
    "container",
    "second-instance",
    "second-instance",
  ]);
  for (const { ok, text } of Object.values(outcomesOf(stopped))) {
    assertEquals(ok, true);
    assertMatch(text, /^its script is not run, .*; SIGTERM to pid \d+; nothing of it is left$/);
  }
  assertEquals([down, oksOf(started), after], [REFUSED, { nginx: true, "php8.2-fpm": true }, PAGE]);
  assertEquals([second, inner, innocents], ["second", "inner", "9 S"]);
});

testNeeding(NEEDS, "the web tier stops and starts without a service manager", async () => {
  const lines = await inWeb(
    `innocents
    nginx -c /etc/nginx/nginx.conf -g 'worker_priority 3;'
    php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
    others
    until_ok curl --fail --silent http://127.0.0.1/
    page 80
    web_tier find
    web_tier stop
    page 80
    nice -n 7 choom -n 500 -- bash -c "$(declare -f web_tier); web_tier start"
    page 80
    cat /proc/$(cat /run/nginx.pid)/oom_score_adj
    ps -o nice= -p "$(cat /run/nginx.pid),$(cat /run/php/php8.2-fpm.pid)" | xargs
    ps -o nice= --ppid "$(cat /run/nginx.pid)" | sort -u | xargs
    page 8081
    page 8082
    innocent_states`,
    "none",
  );
  const [before, found, stopped, down, started, after, oomScore, nice, workerNice, ...others] = lines;
  assertEquals([before, foundIn(found)], [PAGE, ["none /usr/sbin/nginx", "none /usr/sbin/php-fpm8.2"]]);
  const both = { "/usr/sbin/nginx": true, "/usr/sbin/php-fpm8.2": true };
  assertEquals([oksOf(stopped), down], [both, REFUSED]);
  assertEquals([oksOf(started), after], [both, PAGE]);
  assertEquals([oomScore, nice, workerNice], ["0", "0 0", "3"]);
  assertEquals(others, ["second", "inner", "9 S"]);
});

testNeeding(NEEDS, "startServices() lets go of an nginx that stays in the foreground", async () => {
  const [stopped, down, started, after, again] = await inWeb(
    `sed -i '1i daemon off;' /etc/nginx/nginx.conf
    php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
    setsid nginx -g 'worker_priority 1;' > /dev/null 2>&1 &
    until_ok curl --fail --silent http://127.0.0.1/
    web_tier find > /dev/null
    web_tier stop
    page 80
    web_tier start '{"startDeadlineMs": 500}'
    page 80
    web_tier start`,
    "none",
  );
  const both = { "/usr/sbin/nginx": true, "/usr/sbin/php-fpm8.2": true };
  assertEquals([oksOf(stopped), down, oksOf(started), after], [both, REFUSED, both, PAGE]);
  assertEquals(outcomesOf(again)["/usr/sbin/nginx"].text, "runs already");
});

testNeeding(NEEDS, "stopServices() ends what an init script that hangs leaves", async () => {
  const [stopped, down, processes, hanging, innocents] = await inWeb(
    `innocents
    ${SYSV_UP}
    web_tier find > /dev/null
    printf '#!/bin/sh\\nsleep 333 & sleep 333\\n' > /etc/init.d/nginx
    web_tier stop '{"managerDeadlineMs": 500}'
    page 80
    count
    pgrep -cf '^sleep 333' || true
    innocent_states`,
    "sysv",
  );
  const { nginx } = outcomesOf(stopped);
  assertMatch(
    nginx.text,
    /^"\/usr\/sbin\/service nginx stop" gave no answer within 500 ms; SIGTERM to pid \d+; nothing/,
  );
  assert(nginx.tookMs < 5_000, `it took ${nginx.tookMs} ms`);
  assertEquals([oksOf(stopped), down, processes], [{ nginx: true, "php8.2-fpm": true }, REFUSED, "0"]);
  assertEquals([hanging, innocents], ["0", "3 S"]);
});

testNeeding(NEEDS, "stopServices() ends workers whose master was killed", async () => {
  const [page, found, stopped, down, processes, started, after, ...rest] = await inWeb(
    `innocents
    ${SYSV_UP}
    kill -KILL "$(cat /run/nginx.pid)" "$(cat /run/php/php8.2-fpm.pid)"
    others
    kill -KILL "$(cat /srv/second/pid)"
    page 80
    web_tier find
    web_tier stop
    page 80
    ps -e -o args= | grep -cE '^(nginx|php-fpm).*(worker|pool www)' || true
    web_tier start
    page 80
    page 8081
    page 8082`,
    "sysv",
  );
  assertEquals([page, foundIn(found)], [PAGE, ["sysv nginx", "sysv php8.2-fpm"]]);
  assertEquals(JSON.parse(found ?? "").started, []);
  assert(JSON.parse(found ?? "").unsurePids.length > 0, "the workers of the second nginx were not seen");
  assertEquals([oksOf(stopped), down], [{ nginx: true, "php8.2-fpm": true }, REFUSED]);
  assert(outcomesOf(stopped)["php8.2-fpm"].tookMs < 5_000, "it waited for the script");
  // Those of the second and of the inner nginx.
  assertEquals(Number(processes) > 0, true);
  assertEquals([oksOf(started), after], [{ nginx: true, "php8.2-fpm": true }, PAGE]);
  assertEquals(rest, ["second", "inner"]);
});

testNeeding(NEEDS, "startServices() lets processes go on that were left stopped", async () => {
  const [frozen, started, after, mended] = await inWeb(
    `${SYSV_UP}
    web_tier find > /dev/null
    kill -STOP $(pgrep -x nginx) $(pgrep -x php-fpm8.2)
    curl --silent --max-time 1 http://127.0.0.1/ || echo "curl $?"
    web_tier start
    page 80
    (ps -e -o stat= | grep -c ^T) || true`,
    "sysv",
  );
  assertEquals([frozen, oksOf(started), after], ["curl 28", { nginx: true, "php8.2-fpm": true }, PAGE]);
  assertMatch(outcomesOf(started)["nginx"].text, /^SIGCONT to \d stopped processes; runs already$/);
  assertEquals(mended, "0");
});

testNeeding(
  NEEDS,
  "startServices() ends a stop that an agent left under way when it was killed",
  async () => {
    const [started, after, scripts] = await inWeb(
      `${SYSV_UP}
    web_tier find > /dev/null
    sed -i 's/^stop_nginx() {/stop_nginx() { sleep 2 \\&\\& true;/' /etc/init.d/nginx
    grep -q 'sleep 2' /etc/init.d/nginx
    setsid --fork service nginx stop > /dev/null 2>&1
    until_ok pgrep -f '^sleep 2'
    web_tier start
    sleep 2
    page 80
    (ps -e -o args= | grep -c '^/bin/sh /etc/init.d/nginx') || true`,
      "sysv",
    );
    assertEquals([oksOf(started), after, scripts], [{ nginx: true, "php8.2-fpm": true }, PAGE, "0"]);
    assertMatch(outcomesOf(started)["nginx"].text, /^ended an abandoned stop of it, pid \d+; runs already$/);
  },
);

testNeeding(NEEDS, "startServices() ends workers that an earlier master has left, and starts", async () => {
  const [page, started, after, masters] = await inWeb(
    `${SYSV_UP}
    web_tier find > /dev/null
    kill -KILL "$(cat /run/nginx.pid)" "$(cat /run/php/php8.2-fpm.pid)"
    page 80
    web_tier start
    page 80
    ps -e -o args= | grep -cE '^(nginx|php-fpm): master'`,
    "sysv",
  );
  assertEquals([page, oksOf(started), after], [PAGE, { nginx: true, "php8.2-fpm": true }, PAGE]);
  assertMatch(outcomesOf(started)["nginx"].text, /^ended \d workers without a master; .*; serves$/);
  assertEquals(masters, "2");
});

testNeeding(NEEDS, "startServices() does not let nginx wait long for a php-fpm", async () => {
  const [code, started] = await inWeb(
    `${SYSV_UP}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    printf '#!/bin/sh\nsleep 333\n' > /etc/init.d/php8.2-fpm
    web_tier start '{"fpmFirstMs": 200, "startDeadlineMs": 5000}' > /tmp/started &
    until_ok curl --silent http://127.0.0.1/
    curl --silent --output /dev/null --write-out '%{http_code}\n' http://127.0.0.1/
    [ ! -s /tmp/started ]
    wait $!
    cat /tmp/started`,
    "sysv",
  );
  assertEquals([code, oksOf(started)], ["502", { nginx: true, "php8.2-fpm": false }]);
  assertMatch(
    outcomesOf(started)["php8.2-fpm"].text,
    /start" gave no answer within 5000 ms; does not serve: it has no master$/,
  );
});

testNeeding(
  NEEDS,
  "startServices() starts nginx although a php-fpm is broken, and that one when it is mended",
  async () => {
    const [started, bad, mended, after] = await inWeb(
      `${SYSV_UP}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    echo 'pm = sometimes' >> /etc/php/8.2/fpm/pool.d/www.conf
    web_tier start
    curl --silent --output /dev/null --write-out '%{http_code}\\n' http://127.0.0.1/
    sed -i '$ d' /etc/php/8.2/fpm/pool.d/www.conf
    web_tier start
    page 80`,
      "sysv",
    );
    assertEquals(oksOf(started), { nginx: true, "php8.2-fpm": false });
    assertMatch(
      outcomesOf(started)["php8.2-fpm"].text,
      /^not started, its configuration is broken: ".*php-fpm8.2 -t .*" exited 78 .*invalid process manager/,
    );
    assertEquals([bad, oksOf(mended), after], ["502", { nginx: true, "php8.2-fpm": true }, PAGE]);
  },
);

for (const world of ["sysv", "none", "systemd"] as const) {
  testNeeding(
    world === "systemd" ? SYSTEMD_NEEDS : NEEDS,
    `startServices() says why nginx does not start, and starts it later: ${world}`,
    async () => {
      const [broken, taken, mended, after] = await inWeb(
        `${world === "systemd" ? UNITS_UP : BY_HAND_UP}
      web_tier find > /dev/null
      web_tier stop > /dev/null
      echo 'limt_req on;' > /etc/nginx/sites-enabled/broken
      web_tier start
      rm /etc/nginx/sites-enabled/broken
      php -S 127.0.0.1:80 > /dev/null 2>&1 &
      until_ok curl --silent http://127.0.0.1/
      web_tier start '{"serveMs": 4000}'
      kill $!
      web_tier start
      page 80`,
        world,
      );
      const nginx = (line: string | undefined): Json =>
        JSON.parse(line ?? "").find(({ service }: Json) => service.kind === "nginx");
      assertEquals([nginx(broken).ok, nginx(taken).ok, nginx(mended).ok], [false, false, true]);
      assertMatch(nginx(broken).text, /configuration is broken: .* unknown directive "limt_req"/);
      assertStringIncludes(nginx(taken).text, "does not serve: it has no master");
      if (world !== "sysv") assertStringIncludes(nginx(taken).text, "Address already in use");
      assertEquals(after, PAGE);
    },
  );
}

const BOTH_UNITS = { "nginx.service": true, "php8.2-fpm.service": true };

testNeeding(SYSTEMD_NEEDS, "the web tier stops and starts by its units", async () => {
  const lines = await inWeb(
    `innocents
    ${UNITS_UP}
    others
    page 80
    web_tier find
    web_tier stop
    page 80
    (systemctl is-active nginx php8.2-fpm || true) | xargs
    web_tier start
    page 80
    systemctl is-active nginx php8.2-fpm | xargs
    page 8081
    page 8082
    innocent_states`,
    "systemd",
  );
  const [before, found, stopped, down, inactive, started, after, active, ...others] = lines;
  assertEquals([before, foundIn(found)], [PAGE, ["systemd nginx.service", "systemd php8.2-fpm.service"]]);
  const reasons = JSON.parse(found ?? "").foreign.map(({ reason }: Json) => reason).sort();
  assertEquals(reasons, ["container", "outside-unit", "outside-unit"]);
  assertEquals([oksOf(stopped), down, inactive], [BOTH_UNITS, REFUSED, "inactive inactive"]);
  assertMatch(
    outcomesOf(stopped)["nginx.service"].text,
    /^"\/usr\/bin\/systemctl stop -- nginx.service" exited 0 after \d+ ms; nothing of it is left$/,
  );
  assertEquals([oksOf(started), after, active], [BOTH_UNITS, PAGE, "active active"]);
  assertEquals(others, ["second", "inner", "9 S"]);
});

testNeeding(
  SYSTEMD_NEEDS,
  "findStoppedServices() finds the units that are enabled and do not run",
  async () => {
    const [both, one, none] = await inWeb(
      `systemctl enable --quiet nginx php8.2-fpm 2> /dev/null
    web_tier stopped
    systemctl disable --quiet nginx 2> /dev/null
    web_tier stopped
    systemctl start php8.2-fpm
    web_tier stopped`,
      "systemd",
    );
    const names = (line: string | undefined): unknown => JSON.parse(line ?? "").map(({ name }: Json) => name);
    assertEquals([names(both), names(one), names(none)], [
      ["nginx.service", "php8.2-fpm.service"],
      ["php8.2-fpm.service"],
      [],
    ]);
  },
);

testNeeding(
  NEEDS,
  "findStoppedServices() finds the scripts that are started at boot and do not run",
  async () => {
    const [both, one, unknown] = await inWeb(
      `rm -f /etc/rc?.d/*
    ln -s ../init.d/nginx /etc/rc2.d/S01nginx
    ln -s ../init.d/php8.2-fpm /etc/rc3.d/S01php8.2-fpm
    web_tier stopped
    service nginx start > /dev/null
    web_tier stopped
    rm -r /etc/rc?.d
    web_tier stopped`,
      "sysv",
    );
    const names = (line: string | undefined): unknown => JSON.parse(line ?? "").map(({ name }: Json) => name);
    assertEquals([names(both), names(one), names(unknown)], [
      ["nginx", "php8.2-fpm"],
      ["php8.2-fpm"],
      ["php8.2-fpm"],
    ]);
  },
);

testNeeding(SYSTEMD_NEEDS, "stopServices() kills a unit whose stop hangs, and it starts again", async () => {
  const lines = await inWeb(
    `innocents
    mkdir -p /etc/systemd/system/nginx.service.d
    printf '[Service]\\nExecStop=\\nExecStop=/bin/sleep 333\\nTimeoutStopSec=300\\n' \
      > /etc/systemd/system/nginx.service.d/hang.conf
    systemctl daemon-reload
    ${UNITS_UP}
    web_tier find > /dev/null
    web_tier stop '{"managerDeadlineMs": 500}'
    page 80
    pgrep -cf '^/bin/sleep 333' || true
    web_tier start
    page 80
    innocent_states`,
    "systemd",
  );
  const [stopped, down, hanging, started, after, innocents] = lines;
  const nginx = outcomesOf(stopped)["nginx.service"];
  assertMatch(nginx.text, /gave no answer within 500 ms; "\/usr\/bin\/systemctl kill .*" exited 0 after/);
  assert(nginx.tookMs < 5_000, `it took ${nginx.tookMs} ms`);
  assertEquals([oksOf(stopped), down, hanging], [BOTH_UNITS, REFUSED, "0"]);
  assertEquals([oksOf(started), after, innocents], [BOTH_UNITS, PAGE, "3 S"]);
});

testNeeding(
  SYSTEMD_NEEDS,
  "stopServices() ends the workers that a unit has left, by its cgroup",
  async () => {
    const [page, found, stopped, down, started, after, innocents] = await inWeb(
      `innocents
    mkdir -p /etc/systemd/system/nginx.service.d
    printf '[Service]\\nKillMode=none\\nExecStop=\\n' > /etc/systemd/system/nginx.service.d/leave.conf
    systemctl daemon-reload
    ${UNITS_UP}
    kill -KILL "$(cat /run/nginx.pid)"
    rm -f /run/nginx.pid
    until_ok systemctl is-failed nginx
    page 80
    web_tier find
    web_tier stop
    page 80
    web_tier start
    page 80
    innocent_states`,
      "systemd",
    );
    assertEquals([page, foundIn(found)], [PAGE, ["systemd nginx.service", "systemd php8.2-fpm.service"]]);
    assertEquals(JSON.parse(found ?? "").started.map(({ name }: Json) => name), ["php8.2-fpm.service"]);
    assertMatch(outcomesOf(stopped)["nginx.service"].text, /SIGTERM and SIGKILL to pid \d+/);
    assertEquals([oksOf(stopped), down], [BOTH_UNITS, REFUSED]);
    assertEquals([oksOf(started), after, innocents], [BOTH_UNITS, PAGE, "3 S"]);
  },
);

testNeeding(SYSTEMD_NEEDS, "the web tier stops and starts without the right to trace others", async () => {
  const [found, stopped, down, started, after, innocents] = await inWeb(
    `innocents
    ${UNITS_UP}
    mkdir -p /etc/systemd/system/nginx.service.d
    printf '[Service]\nKillMode=none\nExecStop=\n' > /etc/systemd/system/nginx.service.d/leave.conf
    systemctl daemon-reload
    few=-all,+kill,+sys_nice,+dac_override,+net_bind_service
    as_unit() { setpriv --bounding-set "$few" --no-new-privs bash -c "$(declare -f web_tier); web_tier $1"; }
    as_unit find
    as_unit stop
    page 80
    as_unit start
    page 80
    innocent_states`,
    "systemd",
  );
  assertEquals(foundIn(found), ["systemd nginx.service", "systemd php8.2-fpm.service"]);
  // The unit leaves all to signals.
  assertMatch(outcomesOf(stopped)["nginx.service"].text, /systemctl stop .*; SIGTERM to pid \d+; nothing/);
  assertEquals([oksOf(stopped), down], [BOTH_UNITS, REFUSED]);
  assertEquals([oksOf(started), after, innocents], [BOTH_UNITS, PAGE, "3 S"]);
});

testNeeding(SYSTEMD_NEEDS, "without a proc root the units alone stop and start the web tier", async () => {
  const [found, stopped, down, started, after, innocents] = await inWeb(
    `innocents
    ${UNITS_UP}
    web_tier find bare
    web_tier stop bare
    page 80
    web_tier start bare
    page 80
    innocent_states`,
    "systemd",
  );
  assertEquals(foundIn(found), ["systemd nginx.service", "systemd php8.2-fpm.service"]);
  assertEquals([oksOf(stopped), down], [BOTH_UNITS, REFUSED]);
  assertEquals([oksOf(started), after, innocents], [BOTH_UNITS, PAGE, "3 S"]);
});
