/** Worlds with a real web tier that `web_tier_program.ts` finds, stops and starts, and what it said there. */

import { bundleProgram, writeBundle } from "../scripts/bundle.ts";
import { PROJECT } from "../scripts/project_files.ts";
import type { Need } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { SITE, STARTS, WEB_NEEDS } from "./web_site.ts";
import { inWorldOk } from "./world.ts";

/** What a test of the web tier needs. */
export const NEEDS: readonly Need[] = ["root", "namespaces", ...WEB_NEEDS];

/** What such a test needs under systemd. */
export const SYSTEMD_NEEDS: readonly Need[] = [...NEEDS, "/lib/systemd/systemd", "/usr/bin/nsenter"];

/** What `page` says of a port where nothing listens. */
export const REFUSED = "curl 7";

/** Shell that starts the web tier and waits for the site, by what manages services. */
export const UP = {
  sysv: `${STARTS.sysv}\nwithin 10 up`,
  none: `${STARTS.none}\nwithin 10 up`,
  systemd: `${STARTS.systemd}\nwithin 10 up`,
} as const;

/** What a script of these tests starts with. */
const PRELUDE = String.raw`${SITE}
# How many processes of the tier there are.
count() { ps -e -o comm= | grep -cE '^(nginx|php-fpm)' || true; }

# Processes that have nothing to do with it, and must be there at the end.
innocents() {
  mkfifo /tmp/fifo
  php -r 'sleep(300);' & echo $! >> /tmp/innocents
  curl --silent file:///tmp/fifo & echo $! >> /tmp/innocents
  printf '#!/bin/bash\nsleep 300\n' > /usr/local/bin/mysql_backup.sh
  chmod 755 /usr/local/bin/mysql_backup.sh
  mysql_backup.sh & echo $! >> /tmp/innocents
}
# Others of the kind, started by hand: the other nginxes, and a php-fpm with another configuration.
others() {
  other_nginxes
  printf '[global]\npid = /srv/second/fpm.pid\nerror_log = /srv/second/fpm.log\n[second]\nuser = www-data
listen = 127.0.0.1:9001\npm = static\npm.max_children = 1\n' > /srv/second/fpm.conf
  php-fpm8.2 --daemonize --fpm-config /srv/second/fpm.conf
  for pid in $(pgrep -f '^nginx: master process nginx -c /srv/second') "$(cat /srv/second/fpm.pid)"; do
    echo "$pid"; pgrep -P "$pid"
  done >> /tmp/innocents
}
# Whether they all still run, none of them stopped; one that has the CPU just now is as good as one that sleeps.
innocent_states() {
  for pid in $(cat /tmp/innocents); do ps -o stat= -p "$pid" | cut -c 1 | tr RD SS || echo gone; done |
    sort | uniq -c | xargs
}
`;

/** What the program printed: a test knows its shape. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** Runs a script in a world where `web_tier` is the program. Gives the lines that it printed. */
export async function inWeb(script: string, world: keyof typeof UP): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-web-" });
  try {
    const program = await writeBundle(await bundleProgram("test/web_tier_program.ts", PROJECT), folder);
    const start = `web_tier() { ${Deno.execPath()} run --no-config --allow-all ${program} "$@"; }\n`;
    const bare = world === "none" ? "rm -rf /etc/init.d /lib/systemd/system\n" : "";
    const whole = start + PRELUDE + bare + script;
    const output = world === "systemd"
      ? await inSystemdWorldOk(whole, { share: [folder] })
      : await inWorldOk(whole, { bind: true, share: [folder] });
    return output.trimEnd().split("\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What the program said of each service, by name. */
export function outcomesOf(line: string | undefined): Readonly<Record<string, Json>> {
  const outcomes: Json[] = JSON.parse(line ?? "[]");
  return Object.fromEntries(outcomes.map((outcome) => [outcome.service.name, outcome]));
}

/** Whether each service came out well, by name. */
export function oksOf(line: string | undefined): Readonly<Record<string, boolean>> {
  return Object.fromEntries(Object.entries(outcomesOf(line)).map(([name, { ok }]) => [name, ok]));
}

/** The services that `find` found. */
export function foundIn(line: string | undefined): readonly string[] {
  return JSON.parse(line ?? "{}").services.map(({ manager, name }: Json) => `${manager} ${name}`);
}
