/** Stopping a real web tier, and giving it back: by init scripts, without a manager, and when that goes wrong. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { PAGE } from "./web_site.ts";
import { foundIn, inWeb, type Json, NEEDS, oksOf, outcomesOf, REFUSED, UP } from "./web_tier_world.ts";

testNeeding(NEEDS, "the web tier stops and starts by its init scripts", async () => {
  const [before, found, stopped, down, processes, nothing, started, after, again, innocents] = await inWeb(
    `innocents
    ${UP.sysv}
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
    ${UP.sysv}
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
    within 10 up
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

testNeeding(NEEDS, "stopServices() ends what an init script that hangs leaves", async () => {
  const [stopped, down, processes, hanging, innocents] = await inWeb(
    `innocents
    ${UP.sysv}
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
    ${UP.sysv}
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
