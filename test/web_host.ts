/** A web host for tests of the armed binary: real nginx and php-fpm, a load that is played, and innocents. */

import { BINARIES } from "./binaries.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { inWorldOk } from "./world.ts";
import { SITE, STARTS, WEB_NEEDS } from "./web_site.ts";

const [binary] = BINARIES;

/** Shell words that start the binary. */
export const LOADWEIR = binary?.command ?? "";
/** What such a test needs. */
export const NEEDS = [
  ...binary?.needs ?? [],
  ...WEB_NEEDS,
  "/lib/systemd/systemd",
  "/usr/bin/nsenter",
] as const;

/**
 * A web host with one site of PHP, a load that is played, and innocents that must survive: a second nginx, one in another
 * pid namespace, and a php of a person.
 */
const HOST = String.raw`${SITE}
loadweir() { ${LOADWEIR} "$@"; }
mkdir -p /etc/loadweir
printf '[ladder]\ninterval = 100ms\nrecheck = 200ms\n' >/etc/loadweir/loadweir.ini
play() { awk -v p="$1" -v n="$(nproc)" 'BEGIN { l = p * n / 100; printf "%.2f %.2f %.2f 9/30 4242\n", l, l, l }' >/tmp/loadavg; }
play 20
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
# A command that must fail: the shell goes on after a ! that does not come true.
not() { ! "$@"; }
refuses() { ! curl -s -m 2 -o /dev/null "http://127.0.0.1:$1/"; }
down() { refuses 80 && ! pgrep -x 'php-fpm8.2' >/dev/null; }

other_nginxes
php -r 'sleep(600);' & php_pid=$!
innocents() { others_answer; }

# Ends the agent; what it decided comes out of its journal once more.
end_agent() { kill -TERM "$agent_pid"; wait "$agent_pid"
  loadweir replay /var/log/loadweir/journal.jsonl >/tmp/replay || { cat /tmp/replay; exit 1; }
  grep -q '^all [1-9][0-9]* decisions come out as they did then$' /tmp/replay; }

agent() { ${LOADWEIR} run >>/tmp/agent.log 2>&1 & agent_pid=$!; }
`;

/** How the web tier is started; the agent finds out by itself. `idle` is a host on which it is not. */
const HOSTS = {
  "sysv": STARTS.sysv,
  "no manager": `rm /etc/init.d/nginx /etc/init.d/php8.2-fpm\n${STARTS.none}`,
  "systemd": STARTS.systemd,
  "idle": undefined,
} as const;

/** Who manages the services of a host. */
export type Manager = keyof typeof HOSTS;

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
  const start = HOSTS[manager];
  const whole = [HOST, ...start === undefined ? [] : [start, "within 10 up"], script].join("\n");
  return manager === "systemd"
    ? await inSystemdWorldOk(whole, { deadlineMs })
    : await inWorldOk(whole, { bind: true, deadlineMs });
}
