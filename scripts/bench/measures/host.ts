/** What a look at the host costs: its processes, and all its checks. */

import { atMost, type Measurement, numbersOf } from "../measurement.ts";
import { compileBench } from "../programs.ts";

/** CPU of one scan of 5 000 processes, back to back and as re-checks make it, beside one `ps -e`. */
export async function measureScan(): Promise<readonly Measurement[]> {
  const scan = await compileBench("scan_loop");
  const [backToBack = NaN, spaced = NaN, ps = NaN, spacedPs = NaN] = await numbersOf(
    String.raw`
mkdir -p /etc/loadweir
printf '[ladder]\ninterval = 100ms\nrecheck = 5200ms\n' >/etc/loadweir/loadweir.ini
play 700.00
empty=$(cpu "$bin" run --dry-run --passes 5)
for i in $(seq 5000); do sleep 600 & done
per "$(cpu ${scan} 21)" "$(cpu ${scan} 1)" 0.02
per "$(cpu "$bin" run --dry-run --passes 5)" "$empty" 0.005
list() { for i in $(seq 10); do ps -e; done; }
per "$(cpu list)" 0 0.01
spaced() { for i in 1 2 3 4 5; do sleep 5; ps -e; done; }
per "$(cpu spaced)" 0 0.005
`,
    300_000,
  );
  return [
    {
      what: "scan of 5 000 processes, back to back",
      unit: "ms CPU",
      loadweir: backToBack,
      goal: atMost(ps / 3),
      instead: { what: "ps -e", value: ps },
    },
    {
      what: "scan of 5 000 processes, every 5 s",
      unit: "ms CPU",
      loadweir: spaced,
      instead: { what: "ps -e every 5 s", value: spacedPs },
    },
  ];
}

/**
 * CPU and wall time of one look at all checks of the host, on a web host with two pools and a busy log, beside what a
 * shell would ask for nginx and php-fpm alone.
 */
export async function measureChecks(): Promise<readonly Measurement[]> {
  const checks = await compileBench("checks_loop");
  const [quiet = NaN, wall = NaN, spaced = NaN, busy = NaN, shell = NaN, crowded = NaN] = await numbersOf(
    String.raw`
mkdir -p /run/php
cd /etc/php/8.2/fpm/pool.d
printf '[www]
user = www-data
listen = /run/php/php8.2-fpm.sock
pm = static
pm.max_children = 20
pm.status_path = /status
pm.status_listen = /run/php/php8.2-fpm-status.sock
' >www.conf
printf '[tcp]
user = www-data
listen = 127.0.0.1:9000
pm = static
pm.max_children = 20
pm.status_path = /status
' >tcp.conf
php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
rm -f /var/log/nginx/*; nginx
# As many processes as a small host has.
for i in $(seq 150); do sleep 600 & done
one=$(cpu ${checks} 1 0)
per "$(cpu ${checks} 101 0)" "$one" 0.1
${checks} 100 0
per "$(cpu ${checks} 6 5000)" "$one" 0.005
# 200 answers a second, logged at each look.
line='203.0.113.9 - - [29/Nov/2026:19:31:05 +0000] "GET /index.php?q=node/42 HTTP/1.1" 200 15712 "-" "Mozilla/5.0 (X11)"'
thousand=$(for i in $(seq 1000); do echo "$line"; done)
(for i in $(seq 60); do sleep 0.25; echo "$thousand" >>/var/log/nginx/access.log; done) & writer=$!
per "$(cpu ${checks} 41 250)" "$one" 0.04
kill "$writer"
shell() { for i in $(seq 20); do pgrep -x nginx; pgrep -x php-fpm8.2; curl -s -o /dev/null http://127.0.0.1/; done; }
per "$(cpu shell)" 0 0.02
for i in $(seq 5000); do sleep 600 & done
per "$(cpu ${checks} 21 0)" "$(cpu ${checks} 1 0)" 0.02
`,
    300_000,
  );
  return [
    {
      what: "look at all checks, back to back",
      unit: "ms CPU",
      loadweir: quiet,
      instead: { what: "shell: 2 x pgrep, curl", value: shell },
    },
    { what: "look at all checks, back to back", unit: "ms wall", loadweir: wall },
    { what: "look at all checks, every 5 s", unit: "ms CPU", loadweir: spaced },
    { what: "look with 1 000 new lines in the log", unit: "ms CPU", loadweir: busy },
    { what: "look with 5 000 processes more", unit: "ms CPU", loadweir: crowded },
  ];
}
