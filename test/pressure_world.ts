/**
 * A world with a web tier that can be scaled, and an application: instances of a node server by a template unit of a
 * real systemd, nginx before them as balancer, php-fpm with a page that takes CPU time, and a load.
 *
 * Its control groups have no CPU controller: instances are watched, and never limited.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { bundleProgram, writeBundle } from "../scripts/bundle.ts";
import { PROJECT } from "../scripts/project_files.ts";
import type { LoadResult } from "./load_generator.ts";
import type { Need } from "./needs.ts";
import { BASE_PORT, STATUS_PORT } from "./pressure_ports.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { SITE, WEB_NEEDS } from "./web_site.ts";

/** Where Debian has node, and where others put it. */
const NODE = ["/usr/bin/node", "/usr/local/bin/node"].find(existsSync) as Need | undefined ?? "/usr/bin/node";

/** Folder of the server. */
const SERVER = join(PROJECT, "test/node_web") as `/${string}`;

/** What such a test needs. */
export const PRESSURE_NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  ...WEB_NEEDS,
  "/lib/systemd/systemd",
  "/usr/bin/nsenter",
  NODE,
  `${SERVER}/node_modules/prom-client/package.json`,
];

/** Greatest index that the balancer knows. */
const INDEX_LIMIT = 3;

const DEADLINE_MS = 120_000;

/** The balancer never gives the first one up: there is always one that it asks. Of the others it learns within a second. */
const UPSTREAM = Array.from(
  { length: INDEX_LIMIT },
  (_, at) => `server 127.0.0.1:${BASE_PORT + at + 1} max_fails=${at === 0 ? 0 : 1} fail_timeout=1s;`,
).join(" ");

/**
 * Shell that a script begins with. It makes the host and starts nginx, with no instance; php-fpm is started by
 * `systemctl start php8.2-fpm`.
 *
 *     http://127.0.0.1/?ms=8           an instance takes 8 ms of CPU time
 *     http://127.0.0.1/slow?s=3        an instance answers after 3 s
 *     http://127.0.0.1/burn.php?ms=8   php-fpm takes 8 ms of CPU time
 */
const TIER = String.raw`${SITE}
scaler() { $scaler_program "$@"; }
# Runs a program before all else that the machine does, as whose session this counts.
cat >/usr/local/bin/first <<'END'
#!/bin/sh
[ ! -w /proc/self/autogroup ] || echo -15 >/proc/self/autogroup
exec nice -n -15 "$@"
END
chmod 755 /usr/local/bin/first
cat >/etc/systemd/system/web@.service <<'END'
[Unit]
Description=Web instance %i
StartLimitIntervalSec=10
StartLimitBurst=5
[Service]
ExecStart=/usr/local/bin/first ${NODE} ${SERVER}/server.js ${BASE_PORT} %i
KillSignal=SIGTERM
TimeoutStopSec=60
END
# What systemd is told of all instances beyond that: unit_says FILE-NAME TEXT. Of one: with its index as third word.
unit_says() { mkdir -p "/etc/systemd/system/web@${"${3:-}"}.service.d"
  printf '%b\n' "$2" >"/etc/systemd/system/web@${"${3:-}"}.service.d/$1.conf"; systemctl daemon-reload; }
cat >/etc/nginx/sites-available/default <<'END'
upstream tier { zone tier 64k; ${UPSTREAM} }
server {
  listen 80 default_server;
  access_log off;
  location / {
    proxy_pass http://tier;
    proxy_next_upstream error timeout;
    proxy_connect_timeout 2s;
  }
  location = /burn.php {
    include fastcgi_params;
    fastcgi_param SCRIPT_FILENAME /var/www/html/burn.php;
    fastcgi_pass unix:/run/php/php8.2-fpm.sock;
  }
}
server {
  listen 127.0.0.1:${STATUS_PORT};
  access_log off;
  location / { stub_status; }
}
END
cat >/var/www/html/burn.php <<'END'
<?php
function used() { $usage = getrusage(); return $usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']
  + ($usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec']) / 1e6; }
$end = used() + ($_GET['ms'] ?? 0) / 1000;
while (used() < $end);
header('Content-Length: 7');
echo "burned\n";
END
cat >/etc/php/8.2/fpm/pool.d/www.conf <<'END'
[www]
user = www-data
group = www-data
listen = /run/php/php8.2-fpm.sock
listen.owner = www-data
pm = static
pm.max_children = 2
pm.status_path = /status
END
for unit in nginx php8.2-fpm; do
  mkdir "/etc/systemd/system/$unit.service.d"
  printf '[Service]\nExecStartPost=-/bin/sh -c "echo -15 >/proc/$MAINPID/autogroup"\n' \
    >"/etc/systemd/system/$unit.service.d/first.conf"
done
systemctl daemon-reload
systemctl start nginx

load() { setsid --wait first ${Deno.execPath()} run --quiet --no-config --allow-net=127.0.0.1 ${PROJECT}/test/load_generator.ts "$@"; }
metrics() { curl --silent --max-time 5 "http://127.0.0.1:$((${BASE_PORT} + $1))/metrics"; }
answers_at() { metrics "$1" | grep '^process_cpu_seconds_total' >/dev/null; }
# Whether an instance is working on so many requests, or has answered at least so many: serves INDEX COUNT.
serves() { metrics "$1" | grep "^http_requests_in_flight $2\$" >/dev/null; }
has_served() { metrics "$1" | awk -v least="$2" '$1 == "http_request_duration_seconds_count" { n = $2 } END { exit n < least }'; }
# Indexes of the instances that are active, on one line.
up_indexes() { systemctl list-units --plain --no-legend --state=active 'web@*.service' |
  sed -n 's/^web@\([0-9]*\)\..*/\1/p' | sort -n | xargs; }
# Starts the instances with these indexes, and waits until they answer.
tier_up() { for index in "$@"; do systemctl start "web@$index"; done
  for index in "$@"; do within 10 answers_at "$index"; done; }
# Makes a hook of what it reads: hook NAME.
hook() { mkdir -p /etc/loadweir/hooks; { echo '#!/bin/bash'; cat; } >"/etc/loadweir/hooks/$1"
  chmod 755 "/etc/loadweir/hooks/$1"; }
`;

/**
 * Runs a script in such a world, with `scaler` as the program that scales; `$scaler_program &` leaves its pid in `$!`.
 *
 * @returns What it printed to standard output
 * @throws {Error} If it exits with another code than 0
 */
export async function inPressureWorld(script: string, deadlineMs = DEADLINE_MS): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-pressure-" });
  try {
    const program = await writeBundle(await bundleProgram("test/scaler_program.ts", PROJECT), folder);
    const start = `scaler_program="${Deno.execPath()} run --no-config --allow-all ${program}"\n`;
    return await inSystemdWorldOk(start + TIER + script, { share: [folder], deadlineMs });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What a load came to, from the line that it printed. */
export function loadResultOf(line: string | undefined): LoadResult {
  return JSON.parse(line ?? "");
}
