/** A web host for tests of the armed binary: real nginx and php-fpm, a load that is played, and innocents. */

import { BINARIES } from "./binaries.ts";
import { SITE, STARTS, WEB_NEEDS } from "./web_site.ts";

const [binary] = BINARIES;

/** Shell words that start the binary. */
export const LOADWEIR = binary?.command ?? "";
/** What such a test needs. */
export const NEEDS = [...binary?.needs ?? [], ...WEB_NEEDS] as const;

/**
 * A web host with one site of PHP, a load that is played, and innocents that must survive: a second nginx, one in another
 * pid namespace, and a php of a person.
 */
export const HOST = String.raw`${SITE}
loadweir() { ${LOADWEIR} "$@"; }
mkdir -p /etc/loadweir
printf '[ladder]\ninterval = 100ms\nrecheck = 200ms\n' >/etc/loadweir/loadweir.ini
play() { awk -v p="$1" -v n="$(nproc)" 'BEGIN { l = p * n / 100; printf "%.2f %.2f %.2f 9/30 4242\n", l, l, l }' >/tmp/loadavg; }
play 20
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
refuses() { ! curl -s -m 2 -o /dev/null "http://127.0.0.1:$1/"; }
down() { refuses 80 && ! pgrep -x 'php-fpm8.2' >/dev/null; }

other_nginxes
php -r 'sleep(600);' & php_pid=$!
innocents() { others_answer; }

agent() { ${LOADWEIR} run >>/tmp/agent.log 2>&1 & agent_pid=$!; }
`;

/** How the web tier is started; the agent finds out by itself. */
export const MANAGERS = {
  "sysv": STARTS.sysv,
  "no manager": `rm /etc/init.d/nginx /etc/init.d/php8.2-fpm\n${STARTS.none}`,
};
