/** Worlds with nginx and the crawler block, in which `crawler_block_switch.ts` switches it, and what came of it there. */

import { join } from "node:path";
import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { type Permission, permissionFlags, PERMISSIONS } from "../mod/permissions.ts";
import { bundleProgram, writeBundle } from "../scripts/bundle.ts";
import { PROJECT } from "../scripts/project_files.ts";
import type { Need } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { WITHIN } from "./within.ts";
import { inWorldOk } from "./world.ts";

/** What such a test needs, where nothing else manages services. */
export const NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  "/usr/sbin/nginx",
  "/usr/sbin/service",
  "/usr/bin/curl",
  "/usr/bin/perl",
  "/usr/bin/ps",
];

/** What switching needs beyond looking. */
const GRANTS: readonly Permission[] = [
  ...["/etc/nginx/loadweir", "/data/conf"].flatMap((folder) => [
    `${folder}/nginx_high_load.conf`,
    `${folder}/nginx_high_load_off.conf`,
  ]).map((value) => ({ kind: "write" as const, value, why: "" })),
  { kind: "write", value: "/run/loadweir/state", why: "" },
  { kind: "read", value: "/var/log/nginx", why: "" },
  { kind: "run", value: "/usr/sbin/service", why: "" },
];

/** A site with a static page, a place that answers by itself, and an own header; and the tools of a test. */
const HOST = String.raw`${WITHIN}
mkdir -p /etc/nginx/loadweir /etc/nginx/conf.d /var/www/html
cp $share/block.conf /etc/nginx/loadweir/nginx_high_load_off.conf
rm /etc/nginx/sites-enabled/*
cat > /etc/nginx/sites-enabled/site <<END
server {
  listen 80 default_server;
  $(cat $share/include)
  root /var/www/html;
  location = /health { add_header X-Health yes; return 200 fine; }
  location / { try_files \$uri /index.html; }
}
END
echo hello > /var/www/html/index.html
rm -f /var/log/nginx/*
ask() { curl -s -o /dev/null -A "$1" -w '%{http_code} %header{retry-after}\n' http://127.0.0.1${"${2:-/}"}; }
crawler='Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
browser='Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
workers() { ps -o pid= --ppid "$(cat /run/nginx.pid)" | tr -d ' ' | tr '\n' ' '; }
has_workers() { [ -n "$(workers)" ]; }
names() { ls /etc/nginx/loadweir; }
hold() { perl -MIO::Socket::INET -e 'exit if fork;
  $s = IO::Socket::INET->new(LocalAddr => "0.0.0.0:$ARGV[0]", Listen => 5) or die;
  sleep 60' "$1"; sleep 0.2; }
`;

/** How nginx is started, by what manages services. Its start returns before it has written its pid. */
const MANAGERS = {
  sysv: "service nginx start > /dev/null\nwithin 10 has_workers\n",
  none: "rm -r /etc/init.d\nnginx\nwithin 10 has_workers\n",
  systemd: "systemctl start nginx\nwithin 10 has_workers\n",
} as const;

/** What a test needs under what manages services. */
export function needsFor(manager: keyof typeof MANAGERS): readonly Need[] {
  return manager === "systemd" ? [...NEEDS, "/lib/systemd/systemd", "/usr/bin/nsenter"] : NEEDS;
}

/** What a script printed, by lines; those of JSON have a shape that a test knows. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** How such a world is made. */
export interface BlockWorld {
  /** What manages services. */
  readonly manager: keyof typeof MANAGERS;
  /** Whether there is a proc root. Default: yes. */
  readonly bind?: boolean;
  /** Done before nginx starts. */
  readonly before?: string;
}

/** Runs a script on a host with nginx; gives its lines, those of JSON read. */
export async function onHost(
  script: string,
  { manager, bind = true, before = "" }: BlockWorld,
): Promise<Json[]> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-block-" });
  try {
    const program = await writeBundle(await bundleProgram("test/crawler_block_switch.ts", PROJECT), folder);
    await Deno.writeTextFile(join(folder, "block.conf"), BLOCK_CONF);
    await Deno.writeTextFile(join(folder, "include"), BLOCK_INCLUDE);
    const known = new Set(PERMISSIONS.map(({ kind, value }) => `${kind} ${value}`));
    const flags = permissionFlags([
      ...PERMISSIONS,
      ...GRANTS.filter(({ kind, value }) => !known.has(`${kind} ${value}`)),
    ]);
    const command = [Deno.execPath(), "run", "--no-config", ...flags, program].join(" ");
    // An exit code other than 0 is the end that a test asked for.
    const block = `share=${folder}\nblock() { ${command} "$@" || echo "exit $?"; }\n`;
    const whole = `${block}${HOST}${before}\n${MANAGERS[manager]}${script}`;
    const output = manager === "systemd"
      ? await inSystemdWorldOk(whole, { share: [folder] })
      : await inWorldOk(whole, { bind, share: [folder] });
    return output.replace(/\n$/, "").split("\n").map((line) =>
      line.startsWith("{") ? JSON.parse(line) : line
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
