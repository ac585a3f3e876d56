/** Up the whole ladder and down again: crawlers wait, runaways end, the web pauses, and all of it is given back. */

import { assertEquals, assertMatch } from "@std/assert";
import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, MANAGERS, NEEDS, onWebHost } from "./web_host.ts";

/** Makes the crawler block, hooks that write down what they are told, and processes that must live or end at CRIT. */
const SETUP = String.raw`
mkdir -p /etc/nginx/loadweir /etc/loadweir/hooks
cat >/etc/nginx/loadweir/nginx_high_load_off.conf <<'END'
${BLOCK_CONF}
END
sed -i 's|listen 80 default_server;|&\n  ${BLOCK_INCLUDE}|' /etc/nginx/sites-available/default
kill -HUP "$(cat /run/nginx.pid)"
for hook in spider-on spider-off pause resume kill incident; do
  printf '#!/bin/sh\ncat >>/tmp/told-%s\n' "$hook" >/etc/loadweir/hooks/$hook
  chmod 755 /etc/loadweir/hooks/$hook
done

mkfifo /tmp/fifo
curl -s file:///tmp/fifo & curl_pid=$!
printf '#!/bin/bash\nphp -r "sleep(600);" & echo $! >/tmp/backup_child; wait\n' >/usr/local/bin/mysql_backup.sh
chmod 755 /usr/local/bin/mysql_backup.sh
mysql_backup.sh & backup_pid=$!
within 5 test -s /tmp/backup_child
lives() { kill -0 "$1" 2>/dev/null; }
all_live() { lives "$php_pid" && lives "$curl_pid" && lives "$backup_pid" && lives "$(cat /tmp/backup_child)" && innocents; }

code() { curl -s -o /dev/null -m 2 -A "$1" -w '%{http_code}' http://127.0.0.1/; }
crawler='Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
crawlers_wait() { [ "$(code "$crawler")" = 429 ] && up; }
crawlers_served() { [ "$(code "$crawler")" = 200 ] && up; }
within 5 crawlers_served
`;

for (const manager of MANAGERS) {
  testNeeding(NEEDS, `${manager}: SPIDER, MAX, CRIT and back, with hooks and a running backup`, async () => {
    const output = await onWebHost(
      manager,
      `${SETUP}
agent
play 300
within 20 crawlers_wait
all_live
play 700
within 20 down
all_live
play 400
within 20 up
play 900
within 40 down
within 10 eval '! lives "$php_pid" && ! lives "$curl_pid"'
lives "$backup_pid" && lives "$(cat /tmp/backup_child)" && innocents
play 20
within 20 up
within 60 crawlers_served
sleep 1
end_agent
up
for hook in spider-on spider-off pause resume kill incident; do echo "=== $hook"; cat /tmp/told-$hook; done
echo "=== log"
cat /var/log/loadweir/incident.log
`,
    );
    const told = Object.fromEntries(
      output.split("=== ").slice(1).map((part) => [part.slice(0, part.indexOf("\n")), part]),
    );
    for (const hook of ["spider-on", "spider-off", "pause", "resume", "kill", "incident"]) {
      assertMatch(told[hook] ?? "", new RegExp(`^\\{"hook":"${hook}","version":1,"host":"[^"]+",`, "m"));
    }
    assertEquals(told["pause"]?.match(/"hook":"pause"/g)?.length, 2);
    assertMatch(told["pause"] ?? "", /"tier":"crit","load1Pct":900,"load5Pct":900,"reason":"confirmed",/);
    assertMatch(
      told["log"] ?? "",
      /event=kill-runaways .*"curl \(pid \d+ of root, \d+ s old, [\d.]+ s of CPU, \d+ KiB\): ended"/,
    );
  });
}

/** How each manager names what a pause stops. */
const STOPPED = [
  { manager: "sysv", nginx: "nginx", fpm: "php8.2-fpm" },
  { manager: "no manager", nginx: "/usr/sbin/nginx", fpm: "/usr/sbin/php-fpm8.2" },
  { manager: "systemd", nginx: "nginx.service", fpm: "php8.2-fpm.service" },
] as const;

for (const { manager, nginx, fpm } of STOPPED) {
  testNeeding(
    NEEDS,
    `${manager}: a dry run climbs the same ladder, says what it would stop and end, and changes nothing`,
    async () => {
      const output = await onWebHost(
        manager,
        `${SETUP}
play 900
touch /tmp/stamp
sleep 1.1
${LOADWEIR} run --dry-run --passes 3 >/tmp/dry.log 2>&1
find /etc /run /var /srv /root /usr/local -xdev -newer /tmp/stamp ! -path '/run/loadweir/proc*' ! -path '/run/systemd/*' ! -path '/var/log/journal*' ! -path '/run/log/*' ! -path /var/log/nginx/access.log ! -path '/root/.npm/*'
all_live
up
echo "---"
cat /tmp/dry.log
echo "--- php $php_pid, curl $curl_pid"
`,
      );
      const [changed, log = "", pids = ""] = output.split("---");
      assertEquals(changed, "");
      const last = /^.*tier=crit phase=recheck .*$/m.exec(log)?.[0] ?? "";
      assertMatch(last, /action=kill-runaways,pause-web reason=confirmed mode=audit/);
      assertMatch(last, new RegExp(`; pause ${fpm} \\(master \\d+, pool www: \\d+ workers?\\)`));
      assertMatch(last, new RegExp(`; pause ${nginx} \\(master \\d+, \\d+ workers?\\)`));
      assertMatch(last, /; not ours: nginx \(pid \d+\), [a-z ,]+/);
      const [, php = "", curl = ""] = /php (\d+), curl (\d+)/.exec(pids) ?? [];
      assertMatch(last, new RegExp(`would="kill runaways: .*\\b${php}\\b`));
      assertMatch(last, new RegExp(`would="kill runaways: .*\\b${curl}\\b`));
    },
  );
}

testNeeding(
  NEEDS,
  "crawlers are served again although nginx refused its configuration at first",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SETUP}
agent
play 300
within 20 crawlers_wait
echo 'a mistake' >>/etc/nginx/nginx.conf
play 20
within 60 grep -q 'Crawler block could not be changed' /tmp/agent.log
crawlers_wait
sed -i '/^a mistake$/d' /etc/nginx/nginx.conf
within 90 crawlers_served
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /INFO Crawler block could not be changed: .*"nginx -t" exited 1 /);
    assertMatch(output, /INFO Crawlers served again/);
  },
);
