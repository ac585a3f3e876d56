/** Stopping and starting a real web tier under systemd. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { PAGE } from "./web_site.ts";
import {
  foundIn,
  inWeb,
  type Json,
  oksOf,
  outcomesOf,
  REFUSED,
  SYSTEMD_NEEDS,
  UP,
} from "./web_tier_world.ts";

const BOTH_UNITS = { "nginx.service": true, "php8.2-fpm.service": true };

testNeeding(SYSTEMD_NEEDS, "the web tier stops and starts by its units", async () => {
  const lines = await inWeb(
    `innocents
    ${UP.systemd}
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
    /^"\/usr\/bin\/systemctl stop --job-mode=ignore-dependencies -- nginx.service" exited 0 after \d+ ms; nothing of it is left$/,
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
  SYSTEMD_NEEDS,
  "findRunningServices() leaves alone what runs and would not start again: masked, broken on the disk",
  async () => {
    const [sound, masked, broken, after] = await inWeb(
      `${UP.systemd}
    web_tier find
    systemctl --quiet mask php8.2-fpm 2> /dev/null
    web_tier find
    systemctl --quiet unmask php8.2-fpm 2> /dev/null
    echo 'limt_req on;' > /etc/nginx/sites-enabled/broken
    web_tier find
    page 80`,
      "systemd",
    );
    const left = (line: string | undefined): unknown =>
      JSON.parse(line ?? "").outOfReach.map(({ service }: Json) => service.name);
    assertEquals([foundIn(sound), left(sound)], [
      ["systemd nginx.service", "systemd php8.2-fpm.service"],
      [],
    ]);
    assertEquals([foundIn(masked), left(masked)], [["systemd nginx.service"], ["php8.2-fpm.service"]]);
    assertEquals([foundIn(broken), left(broken)], [["systemd php8.2-fpm.service"], ["nginx.service"]]);
    const started = [masked, broken].map((line) => JSON.parse(line ?? "").started.length);
    assertEquals([started, after], [[2, 2], PAGE]);
  },
);

testNeeding(SYSTEMD_NEEDS, "stopServices() kills a unit whose stop hangs, and it starts again", async () => {
  const lines = await inWeb(
    `innocents
    mkdir -p /etc/systemd/system/nginx.service.d
    printf '[Service]\\nExecStop=\\nExecStop=/bin/sleep 333\\nTimeoutStopSec=300\\n' \
      > /etc/systemd/system/nginx.service.d/hang.conf
    systemctl daemon-reload
    ${UP.systemd}
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
  "startServices() starts what is bound to a unit and went down with it",
  async () => {
    const [found, before, stopped, down, started, after, again, page] = await inWeb(
      `unit() { printf "[Unit]\\n$2\\n[Service]\\nExecStart=/bin/sleep 900\\n" > /etc/systemd/system/$1.service; }
    unit cache 'BindsTo=nginx.service\\nAfter=nginx.service'
    unit queue 'Requires=cache.service\\nAfter=cache.service'
    unit idle 'BindsTo=nginx.service\\nAfter=nginx.service'
    unit part 'PartOf=nginx.service'
    systemctl daemon-reload
    ${UP.systemd}
    systemctl start queue part
    states() { (systemctl is-active cache queue idle part || true) | xargs; }
    web_tier find
    states
    web_tier stop
    within 10 eval '! systemctl is-active cache queue'
    states
    web_tier start
    states
    web_tier start
    page 80`,
      "systemd",
    );
    const [nginx] = JSON.parse(found ?? "").services;
    assertEquals([nginx.name, nginx.boundUnits], ["nginx.service", ["cache.service", "queue.service"]]);
    assertEquals([before, down, after], [
      "active active inactive active",
      "inactive inactive inactive active",
      "active active inactive active",
    ]);
    assertMatch(
      outcomesOf(stopped)["nginx.service"].text,
      /; systemd stops with it cache.service, queue.service;/,
    );
    assertMatch(
      outcomesOf(started)["nginx.service"].text,
      /; serves; ".* start -- cache.service queue.service" exited 0/,
    );
    assertEquals([oksOf(started), oksOf(again), page], [BOTH_UNITS, BOTH_UNITS, PAGE]);
  },
);

testNeeding(
  SYSTEMD_NEEDS,
  "stopServices() ends the workers that a unit has left, by its cgroup",
  async () => {
    const [page, found, stopped, down, started, after, innocents] = await inWeb(
      `innocents
    mkdir -p /etc/systemd/system/nginx.service.d
    printf '[Service]\\nKillMode=none\\nExecStop=\\n' > /etc/systemd/system/nginx.service.d/leave.conf
    systemctl daemon-reload
    ${UP.systemd}
    kill -KILL "$(cat /run/nginx.pid)"
    rm -f /run/nginx.pid
    within 10 systemctl is-failed nginx
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
    ${UP.systemd}
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
    ${UP.systemd}
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
