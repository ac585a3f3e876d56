/** The printed units as they are, under a real systemd: what they promise, and what their sandbox lets the agent do. */

import { assertEquals } from "@std/assert";
import { BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { CRAWLER_BLOCKS } from "../mod/nginx/crawler_block.ts";
import { testNeeding } from "./needs.ts";
import { UNIT_NEEDS, UNITS } from "./service_unit.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  UNIT_NEEDS,
  "the printed units have no fault, are as closed as they are said to be, and what is open is explained",
  async () => {
    const output = await onWebHost(
      "idle",
      `loadweir print unit >/etc/systemd/system/loadweir.service
loadweir print audit-unit >/etc/systemd/system/loadweir-audit.service
ln -s /bin/true /usr/local/sbin/loadweir
cd /etc/systemd/system
systemd-analyze verify ./loadweir.service ./loadweir-audit.service 2>&1 | grep loadweir || true
look() { systemd-analyze security --offline=true --no-pager --threshold="$1" "./$2.service" >/tmp/exposure ||
  { cat /tmp/exposure; exit 1; }
  grep '^✗' /tmp/exposure; }
look 25 loadweir
look 15 loadweir-audit
`,
    );
    const explained = Deno.readTextFileSync(new URL("../docs/permissions.md", import.meta.url));
    const open = output.trim().split("\n").map((line) => /^✗ (\S+)/.exec(line)?.[1] ?? line);
    // As the document has them: `CapabilityBoundingSet=~CAP_(DAC_*…)`, `RootDirectory=`.
    const missing = open.filter((name) =>
      !explained.includes(`| \`${name.replace(/\/.*/, "").replace(/\|.*/, "…)")}\``)
    );
    assertEquals(missing, []);
    assertEquals(open.length > 20, true);
  },
);

testNeeding(
  UNIT_NEEDS,
  "a unit is ready when it watches, tells what it does, and reads its settings again",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${UNITS}
play 400
systemctl start loadweir
systemctl is-active loadweir
shown NRestarts
within 5 eval 'shown StatusText | grep -q "^SPIDER, load 1m 400.0 %"'
up
echo 'max = 3' >>/etc/loadweir/loadweir.ini
systemctl reload loadweir
within 20 down
within 5 eval 'shown StatusText | grep -q "^MAX, the web is paused, "'
# From a shell, where there is no proc root, the agent is seen all the same.
loadweir status | grep -c '^agent     pid .* last pass'
sed -i '/^max/d' /etc/loadweir/loadweir.ini
systemctl reload loadweir
within 20 up
[ "$(shown NRestarts)" = 0 ]
innocents
systemctl stop loadweir
[ ! -e /run/loadweir/proc/loadavg ]
stat -c '%a %n' /run/loadweir/state /var/lib/loadweir /var/log/loadweir
`,
    );
    assertEquals(
      output,
      "active\n0\n1\n755 /run/loadweir/state\n755 /var/lib/loadweir\n750 /var/log/loadweir\n",
    );
  },
);

testNeeding(
  UNIT_NEEDS,
  "a unit that stands still in a pause is killed, and the web is given back",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${UNITS}
drop_in watchdog WatchdogSec=6
systemctl start loadweir
play 700
within 20 down
# For longer than the watchdog waits, nothing happens to an agent that goes on.
sleep 8
[ "$(shown NRestarts)" = 0 ]
first=$(main_pid)
kill -STOP "$first"
play 20
within 30 up
within 10 revived "$first"
shown NRestarts
journalctl -u loadweir -o cat | grep -c "Failed with result 'watchdog'"
innocents
systemctl stop loadweir
`,
    );
    assertEquals(output, "1\n1\n");
  },
);

testNeeding(UNIT_NEEDS, "a unit that is ended by somebody else gives back, and comes again", async () => {
  await onWebHost(
    "systemd",
    `${UNITS}
# To give back takes longer than the watchdog waits.
drop_in watchdog WatchdogSec=3
sed -i 's|^\\[Service\\]|&\\nExecStartPre=/bin/sleep 5|' /lib/systemd/system/nginx.service
systemctl daemon-reload
systemctl start loadweir
play 700
within 20 down
first=$(main_pid)
kill -TERM "$first"
within 20 up
within 20 revived "$first"
not eval 'journalctl -u loadweir -o cat | grep watchdog'
innocents
play 20
systemctl stop loadweir
`,
  );
});

testNeeding(UNIT_NEEDS, "a host that is taken down in a pause does not wait for its web", async () => {
  await onWebHost(
    "systemd",
    `${UNITS}
systemctl start loadweir
play 700
within 20 down
first=$(main_pid)
# Something else that takes its time keeps the shutdown from ending the world.
mkdir -p /etc/systemd/system/shutdown.target.d
printf '[Unit]\\nAfter=late.service\\nWants=late.service\\n' >/etc/systemd/system/shutdown.target.d/late.conf
printf '[Unit]\\nDefaultDependencies=no\\nAfter=loadweir.service\\n[Service]\\nType=oneshot\\nExecStart=/bin/sleep 60\\n' \\
  >/etc/systemd/system/late.service
systemctl daemon-reload
systemctl start --no-block poweroff.target
within 5 eval '[ "$(systemctl is-system-running)" = stopping ]'
within 15 eval '! kill -0 "$first"'
grep -q "the host goes down: its boot starts the web" /tmp/agent.log
`,
  );
});

testNeeding(
  UNIT_NEEDS,
  "the sandbox lets crawlers be blocked, runaways be ended and the web be given back, wherever a site logs",
  async () => {
    await onWebHost(
      "systemd",
      `${UNITS}
# One log where the unit lets nginx -t open it, one where it does not; and a cache that only the service may give away.
mkdir -p /home/somebody/logs /mnt/logs /etc/nginx/loadweir
sed -i 's|listen 80 default_server;|&\\n  ${BLOCK_INCLUDE}\\n  access_log /home/somebody/logs/access.log;|' \\
  /etc/nginx/sites-available/default
loadweir print nginx-block >${CRAWLER_BLOCKS.generic.off}
systemctl reload nginx
setpriv --reuid www-data --clear-groups php -r 'sleep(600);' &
within 5 pgrep -u www-data -x php
code() { curl -s -o /dev/null -m 2 -A "$1" -w '%{http_code}' http://127.0.0.1/; }
blocked() { [ "$(code 'Googlebot/2.1')" = 429 ] && up; }
served() { [ "$(code 'Googlebot/2.1')" = 200 ] && up; }
systemctl start loadweir
play 300
within 20 blocked
play 20
within 60 served
play 900
within 30 down
within 10 eval '! pgrep -u www-data -x php'
# Written while nothing runs: a start must not fail for what only the agent may not do.
given_back_untested() { grep -q "Web given back: .*not tested: .*/usr/sbin/nginx -t .*$1" /tmp/agent.log; }
echo 'proxy_cache_path /var/cache/pages keys_zone=p:1m;' >/etc/nginx/conf.d/more.conf
play 20
within 20 up
within 5 given_back_untested 'chown.*Operation not permitted'
play 900
within 30 down
echo 'server { listen 8090; access_log /mnt/logs/access.log; }' >/etc/nginx/conf.d/more.conf
play 20
within 20 up
within 5 given_back_untested '/mnt/logs/access.log.*Read-only file system'
others_answer
systemctl stop loadweir
up
`,
    );
  },
);

testNeeding(UNIT_NEEDS, "hooks are confined as the agent is", async () => {
  const output = await onWebHost(
    "systemd",
    String.raw`${UNITS}
mkdir -p /etc/loadweir/hooks
cat >/etc/loadweir/hooks/pause <<'END'
#!/bin/sh
exec >/var/log/loadweir/hook 2>&1
grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\t' ' '
try() { "$@" 2>/dev/null && echo "yes: $*" || echo "no: $*"; }
try touch /etc/cron.d/x
try touch /usr/local/bin/x
try touch /var/www/html/x
try chown www-data /var/www/html/index.php
try runuser -u www-data -- true
try touch /tmp/hook
try ls /dev/sda
try mount -t tmpfs none /mnt
try unshare --user true
try sysctl -qw net.ipv4.icmp_echo_ignore_all=0
ls /proc | grep -c '^[0-9]' | sed 's/^1$/alone/'
END
chmod 755 /etc/loadweir/hooks/pause
systemctl start loadweir
play 700
within 20 down
within 10 grep -q '^[a0-9]*$' /var/log/loadweir/hook
play 20
within 20 up
[ ! -e /tmp/hook ]
cat /var/log/loadweir/hook
systemctl stop loadweir
`,
  );
  assertEquals(output.split("\n").slice(0, -2), [
    // CAP_DAC_OVERRIDE, CAP_KILL, CAP_NET_BIND_SERVICE, CAP_NET_ADMIN
    "CapEff: 0000000000001422",
    "CapBnd: 0000000000001422",
    "NoNewPrivs: 1",
    "Seccomp: 2",
    "no: touch /etc/cron.d/x",
    "no: touch /usr/local/bin/x",
    "yes: touch /var/www/html/x",
    "no: chown www-data /var/www/html/index.php",
    "no: runuser -u www-data -- true",
    "yes: touch /tmp/hook",
    "no: ls /dev/sda",
    "no: mount -t tmpfs none /mnt",
    "no: unshare --user true",
    "no: sysctl -qw net.ipv4.icmp_echo_ignore_all=0",
  ]);
});

testNeeding([...UNIT_NEEDS, "/usr/sbin/nft"], "the sandbox lets pings be stopped by nft", async () => {
  await onWebHost(
    "systemd",
    `${UNITS}
printf '[probe site]\\nurl = http://127.0.0.1/\\ntext = made by php\\n' >>/etc/loadweir/loadweir.ini
systemctl start loadweir
within 10 loadweir drain --for 5m "new disk"
within 10 nft list table inet loadweir
loadweir undrain "checked"
within 10 eval '! nft list table inet loadweir'
loadweir drain "again"
within 10 nft list table inet loadweir
systemctl stop loadweir
not nft list table inet loadweir 2>/dev/null
`,
  );
});

testNeeding(
  UNIT_NEEDS,
  "the unit of the audit says what would be done, and leaves everything alone",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${UNITS}
play 700
systemctl start loadweir-audit
seen() { journalctl -u loadweir-audit -o cat | grep -q "$1"; }
within 20 seen 'tier=max phase=recheck .*action=pause-web .*mode=audit source=bind-mount would="pause nginx.service (master .*; pause php8.2-fpm.service (master .*; not ours: nginx'
up
innocents
pid=$(systemctl show --value -p MainPID loadweir-audit)
grep CapBnd "/proc/$pid/status" | tr -s '\\t' ' '
ls /run/loadweir
[ ! -e /var/lib/loadweir ]
[ ! -e /var/log/loadweir ]
systemctl stop loadweir-audit
`,
    );
    assertEquals(output, "CapBnd: 0000000000000000\nproc\n");
  },
);
