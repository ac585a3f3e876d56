/**
 * The ways in which a server goes zombie: it answers pings and does not serve. Each is made to happen, and the balancer must
 * get no answer any more within some ticks; the docs show them in seconds of the usual tick.
 */

import { PROBE, PROBE_NEEDS } from "./balancer.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

/** One condition: how it begins, how it ends, and which check tells. */
interface Zombie {
  readonly name: string;
  readonly check: string;
  readonly begin: string;
  readonly end: string;
  /** Shell that runs before the agent starts. */
  readonly before?: string;
}

const PAGE_AGAIN = `echo '<?php echo "made by php ", 6 * 7;' >/var/www/html/index.php`;

const ZOMBIES: readonly Zombie[] = [
  {
    name: "more is asked than php-fpm has workers for",
    check: "site:www.example.org",
    before: String.raw`
sed -i 's/^pm.max_children = .*/pm.max_children = 2/; s/^pm = .*/pm = ondemand/' /etc/php/8.2/fpm/pool.d/www.conf
echo '<?php sleep(30);' >/var/www/html/slow.php
sed -i 's|fastcgi_param SCRIPT_FILENAME .*|fastcgi_param SCRIPT_FILENAME /var/www/html/$script;|
s|^server {|map $uri $script { /slow slow.php; default index.php; }\n&|' /etc/nginx/sites-available/default
service php8.2-fpm restart >/dev/null; kill -HUP "$(cat /run/nginx.pid)"; within 10 up`,
    begin:
      'slow=; for _ in 1 2 3 4 5; do curl -s -m 60 http://127.0.0.1/slow >/dev/null & slow="$slow $!"; done',
    end: "kill $slow; service php8.2-fpm restart >/dev/null",
  },
  {
    name: "php-fpm is dead",
    check: "fpm-dead",
    begin: "pkill -KILL -x php-fpm8.2",
    end: "service php8.2-fpm start >/dev/null",
  },
  {
    name: "workers of php-fpm crash, as by a fault of an opcode cache",
    check: "site:www.example.org",
    begin: `echo '<?php posix_kill(posix_getpid(), 11); sleep(1);' >/var/www/html/index.php`,
    end: PAGE_AGAIN,
  },
  {
    name: "pages take too long, as with too many files to look at",
    check: "site:www.example.org",
    begin: `echo '<?php sleep(10); echo "made by php ", 6 * 7;' >/var/www/html/index.php`,
    end: `${PAGE_AGAIN}; service php8.2-fpm restart >/dev/null`,
  },
  {
    name: "memory and swap are used up",
    check: "swap",
    before: String.raw`
cp /proc/meminfo /tmp/meminfo; mount --bind /tmp/meminfo /run/loadweir/proc/meminfo
fill() { awk -v swap="$1" -v free="$2" -v available="$3" '/^SwapTotal/ { $2 = swap } /^SwapFree/ { $2 = free }
  /^MemAvailable/ && available { $2 = available } { print }' /proc/meminfo >/tmp/meminfo; }
fill 1000000 900000 ''`,
    begin: "fill 1000000 1000 10000",
    end: "fill 1000000 900000 ''",
  },
  {
    name: "the system has no open files left",
    check: "system-files",
    before: String.raw`
files() { printf '%s\t0\t9000\n' "$1" >/tmp/file-nr; }
files 1000; mount --bind /tmp/file-nr /run/loadweir/proc/sys/fs/file-nr`,
    begin: "files 8900",
    end: "files 1000",
  },
  {
    name: "nginx is left with workers that have no master",
    check: "nginx",
    begin: 'kill -KILL "$(cat /run/nginx.pid)"',
    end: "pkill -KILL -f '^nginx: worker process$' -u www-data; sleep 0.5; service nginx start >/dev/null",
  },
];

for (const { name, check, begin, end, before = "" } of ZOMBIES) {
  testNeeding(PROBE_NEEDS, `pings stop when ${name}, and come back`, async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
${before}
agent
within 20 is_in
${begin}
began=$(date +%s%N)
within 15 silent
took=$(( ($(date +%s%N) - began) / 1000000 ))
within 5 eval 'loadweir status | grep -q ${check}'
${end}
within 30 is_in
end_agent
# Three looks of a second; a site is given nearly all of each to answer, and this machine has other work.
[ "$took" -lt 12000 ] || { echo "silent after $took ms"; exit 1; }
`,
    );
  });
}
