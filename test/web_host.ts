/** A web host for tests of the armed binary: real nginx and php-fpm, a load that is played, and innocents. */

import { BINARIES } from "./binaries.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { inWorldOk } from "./world.ts";

const [binary] = BINARIES;

/** Shell words that start the binary. */
export const LOADWEIR = binary?.command ?? "";
/** What such a test needs. */
export const NEEDS = [
  ...binary?.needs ?? [],
  "/usr/sbin/nginx",
  "/usr/sbin/php-fpm8.2",
  "/usr/bin/php",
  "/usr/bin/curl",
  "/usr/sbin/service",
  "/lib/systemd/systemd",
  "/usr/bin/nsenter",
] as const;

/**
 * A web host with one site of PHP, a load that is played, and innocents that must survive: a second nginx, one in another
 * pid namespace, and processes with names of runaways below a backup.
 */
const HOST = String.raw`
loadweir() { ${LOADWEIR} "$@"; }
mkdir -p /etc/loadweir /run/php /var/www/html
printf '[ladder]\ninterval = 100ms\nrecheck = 200ms\n' >/etc/loadweir/loadweir.ini
cat >/etc/nginx/sites-enabled/default <<'CONF'
server {
  listen 80 default_server;
  root /var/www/html;
  location / { fastcgi_pass unix:/run/php/php8.2-fpm.sock; include fastcgi_params;
    fastcgi_param SCRIPT_FILENAME /var/www/html/index.php; }
}
CONF
echo '<?php echo "it works";' >/var/www/html/index.php
play() { awk -v p="$1" -v n="$(nproc)" 'BEGIN { l = p * n / 100; printf "%.2f %.2f %.2f 9/30 4242\n", l, l, l }' >/tmp/loadavg; }
play 20
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
answers() { [ "$(curl -s -m 2 "http://127.0.0.1:$1/")" = "it works" ]; }
refuses() { ! curl -s -m 2 -o /dev/null "http://127.0.0.1:$1/"; }
within() { local end=$((SECONDS + $1)); shift; until "$@"; do
  if [ "$SECONDS" -ge "$end" ]; then echo "not within its time: $*"; cat /tmp/agent.log; ps -ef; exit 1; fi; sleep 0.05; done; }
up() { answers 80; }
down() { refuses 80 && ! pgrep -x 'php-fpm8.2' >/dev/null; }

# Innocents.
cat >/tmp/other.conf <<'CONF'
pid /tmp/other.pid; error_log /tmp/other.log; events {}
http { access_log off; server { listen 8080; return 200 "it works"; } }
CONF
nginx -c /tmp/other.conf
cp /tmp/other.conf /tmp/inner.conf
sed -i 's/8080/8081/; s/other/inner/' /tmp/inner.conf
unshare --pid --fork --mount-proc nginx -c /tmp/inner.conf -g 'daemon off;' &
php -r 'sleep(600);' & php_pid=$!
innocents() { answers 8080 && answers 8081; }
within 5 innocents

# Ends the agent; what it decided comes out of its journal once more.
end_agent() { kill -TERM "$agent_pid"; wait "$agent_pid"
  loadweir replay /var/log/loadweir/journal.jsonl >/tmp/replay || { cat /tmp/replay; exit 1; }
  grep -q '^all [1-9][0-9]* decisions come out as they did then$' /tmp/replay; }

agent() { ${LOADWEIR} run >>/tmp/agent.log 2>&1 & agent_pid=$!; }
`;

/** How the web tier is started; the agent finds out by itself. `none` is a host on which it is not. */
const STARTS = {
  "sysv": "service php8.2-fpm start >/dev/null; service nginx start >/dev/null; within 10 up",
  "no manager": String.raw`rm /etc/init.d/nginx /etc/init.d/php8.2-fpm
php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf; nginx; within 10 up`,
  "systemd": "systemctl start php8.2-fpm nginx; within 10 up",
  "none": "",
} as const;

/** Who manages the services of a host. */
export type Manager = keyof typeof STARTS;

/** The managers under which whole incidents are played. */
export const MANAGERS: readonly Manager[] = ["sysv", "no manager", "systemd"];

/** How long a script may take. */
const DEADLINE_MS = 180_000;

/**
 * Runs a script on a web host of its own, whose site answers when it begins.
 *
 * @returns What it printed to standard output
 * @throws {Error} If it exits with another code than 0
 */
export async function onWebHost(manager: Manager, script: string, deadlineMs = DEADLINE_MS): Promise<string> {
  const whole = [HOST, STARTS[manager], script].join("\n");
  return manager === "systemd"
    ? await inSystemdWorldOk(whole, { deadlineMs })
    : await inWorldOk(whole, { bind: true, deadlineMs });
}
