/** Starting a real web tier: what is in the way, and what should run and does not. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { PAGE } from "./web_site.ts";
import {
  foundIn,
  inWeb,
  type Json,
  NEEDS,
  oksOf,
  outcomesOf,
  REFUSED,
  SYSTEMD_NEEDS,
  UP,
} from "./web_tier_world.ts";

testNeeding(NEEDS, "startServices() lets go of an nginx that stays in the foreground", async () => {
  const [stopped, down, started, after, again] = await inWeb(
    `sed -i '1i daemon off;' /etc/nginx/nginx.conf
    php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
    setsid nginx -g 'worker_priority 1;' > /dev/null 2>&1 &
    within 10 up
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

testNeeding(NEEDS, "startServices() lets processes go on that were left stopped", async () => {
  const [frozen, started, after, mended] = await inWeb(
    `${UP.sysv}
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
  "startServices() does not take for started what is about to end, and starts it",
  async () => {
    const [found, stuck, page, started, after] = await inWeb(
      `${UP.sysv}
    master=$(cat /run/nginx.pid)
    # One in an uninterruptible wait, and one that is stopped: neither takes its signal.
    sed 's/^ShdPnd:.*/ShdPnd:\\t0000000000000100/' /proc/$master/status > /tmp/status
    mount --bind /tmp/status /run/loadweir/proc/$master/status
    web_tier find
    web_tier start '{"serveMs": 500}'
    page 80
    umount /run/loadweir/proc/$master/status
    kill -STOP $master
    kill -TERM $master
    web_tier start
    page 80`,
      "sysv",
    );
    assertEquals(foundIn(found), ["sysv nginx", "sysv php8.2-fpm"]);
    assertEquals(JSON.parse(found ?? "").started.map(({ name }: Json) => name), ["php8.2-fpm"]);
    assertEquals([oksOf(stuck), page], [{ nginx: false, "php8.2-fpm": true }, PAGE]);
    assertMatch(
      outcomesOf(stuck)["nginx"].text,
      /does not serve: its master, pid \d+, got a signal and is about to end$/,
    );
    assertEquals([oksOf(started), after], [{ nginx: true, "php8.2-fpm": true }, PAGE]);
    assertMatch(outcomesOf(started)["nginx"].text, /^SIGCONT to 1 stopped processes; .*; serves$/);
  },
);

testNeeding(
  NEEDS,
  "startServices() ends a stop that an agent left under way when it was killed",
  async () => {
    const [started, after, scripts] = await inWeb(
      `${UP.sysv}
    web_tier find > /dev/null
    sed -i 's/^stop_nginx() {/stop_nginx() { sleep 2 \\&\\& true;/' /etc/init.d/nginx
    grep -q 'sleep 2' /etc/init.d/nginx
    setsid --fork service nginx stop > /dev/null 2>&1
    within 10 pgrep -f '^sleep 2'
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
    `${UP.sysv}
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
    `${UP.sysv}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    printf '#!/bin/sh\nsleep 333\n' > /etc/init.d/php8.2-fpm
    web_tier start '{"fpmFirstMs": 200, "startDeadlineMs": 5000}' > /tmp/started &
    within 10 curl --silent http://127.0.0.1/
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
      `${UP.sysv}
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
      /^its configuration is broken: ".*php-fpm8.2 -t .*" exited 78 .*invalid process manager.*; does not serve: /,
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
        `${UP[world === "systemd" ? "systemd" : "none"]}
      web_tier find > /dev/null
      web_tier stop > /dev/null
      echo 'limt_req on;' > /etc/nginx/sites-enabled/broken
      web_tier start
      rm /etc/nginx/sites-enabled/broken
      php -S 127.0.0.1:80 > /dev/null 2>&1 &
      within 10 curl --silent http://127.0.0.1/
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

testNeeding(
  SYSTEMD_NEEDS,
  "startServices() starts what its own test cannot stand in for: other folders, other rights",
  async () => {
    const [test, started, after] = await inWeb(
      `mkdir -p /etc/systemd/system/nginx.service.d /srv/shop
    printf '[Service]\\nRuntimeDirectory=nginx\\nPIDFile=/run/nginx/nginx.pid\\n' \
      > /etc/systemd/system/nginx.service.d/folder.conf
    sed -i 's|^pid .*|pid /run/nginx/nginx.pid;|' /etc/nginx/nginx.conf
    echo '<?php' > /srv/shop/preload.php
    printf 'opcache.enable=1\\nopcache.preload=/srv/shop/preload.php\\nopcache.preload_user=www-data\\n' \
      > /etc/php/8.2/fpm/conf.d/99-preload.ini
    systemctl daemon-reload
    ${UP.systemd}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    few=-all,+kill,+dac_override,+net_bind_service
    as_unit() { setpriv --bounding-set "$few" --no-new-privs bash -c "$1"; }
    as_unit 'php-fpm8.2 -t' > /dev/null 2>&1 || echo "php-fpm $?"
    as_unit "$(declare -f web_tier); web_tier start"
    page 80`,
      "systemd",
    );
    assertEquals([oksOf(started), after], [{ "nginx.service": true, "php8.2-fpm.service": true }, PAGE]);
    const { "nginx.service": nginx, "php8.2-fpm.service": fpm } = outcomesOf(started);
    assertMatch(nginx.text, /^not tested: .* exited 1 .*\/run\/nginx\/nginx.pid.*; serves$/);
    assertEquals(test, "php-fpm 70");
    assertMatch(fpm.text, /^not tested: .* exited 70 .*; serves$/);
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

testNeeding(SYSTEMD_NEEDS, "startServices() tells what was removed or masked from what fails", async () => {
  const [broken, gone] = await inWeb(
    `${UP.systemd}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    for conf in /etc/nginx/nginx.conf /etc/php/8.2/fpm/php-fpm.conf; do echo 'a mistake' >> $conf; done
    web_tier start
    systemctl --quiet mask nginx 2> /dev/null
    rm /usr/sbin/php-fpm8.2 /etc/init.d/php8.2-fpm
    find /lib/systemd/ /etc/systemd -name 'php8.2-fpm.service' -delete
    systemctl daemon-reload
    sed -i '/^a mistake$/d' /etc/nginx/nginx.conf
    web_tier start`,
    "systemd",
  );
  assertEquals(goneOf(broken), { "nginx.service": false, "php8.2-fpm.service": false });
  assertEquals(goneOf(gone), { "nginx.service": true, "php8.2-fpm.service": true });
});

testNeeding(
  NEEDS,
  "startServices() tells a program that was removed although its script is there",
  async () => {
    const [gone] = await inWeb(
      `${UP.sysv}
    web_tier find > /dev/null
    web_tier stop > /dev/null
    rm /usr/sbin/php-fpm8.2
    web_tier start`,
      "sysv",
    );
    assertEquals(goneOf(gone), { "nginx": false, "php8.2-fpm": true });
  },
);

/** Of each service whether it is told to be gone. */
function goneOf(line: string | undefined): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(outcomesOf(line)).map(([name, { isGone }]) => [name, isGone ?? false]),
  );
}
