/** An audit on a real host: it climbs as an armed agent would, and touches nothing. */

import { assertEquals, assertMatch } from "@std/assert";
import { LADDER_SETUP } from "./ladder_host.ts";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

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
        `${LADDER_SETUP}
play 900
touch /tmp/stamp
sleep 1.1
${LOADWEIR} run --dry-run --passes 3 >/tmp/dry.log 2>&1
find /etc /run /var /srv /root /usr/local -xdev -newer /tmp/stamp ! -path '/run/loadweir/proc*' ! -path '/run/systemd/*' ! -path '/var/log/journal*' ! -path '/run/log/*' ! -path '/var/tmp*' ! -path /var/log/nginx/access.log ! -path '/root/.*'
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
