/** Worlds with sites: real nginx with and without TLS, and servers that misbehave. */

import { join } from "node:path";
import { permissionFlags, PERMISSIONS } from "../mod/permissions.ts";
import type { SiteLook } from "../mod/probe/site_look.ts";
import { bundleProgram, writeBundle } from "../scripts/bundle.ts";
import { PROJECT } from "../scripts/project_files.ts";
import type { Need } from "./needs.ts";
import { inWorldOk } from "./world.ts";

/** What a test with such sites needs. */
export const SITE_NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  "/usr/sbin/nginx",
  "/usr/bin/openssl",
  "/usr/bin/perl",
  "/usr/bin/curl",
];

/**
 * Shell that a script begins with: nginx with www.mywebsite.com on port 80 and three sites on port 443, each with a
 * certificate of its own; and the servers of `site_servers.pl`.
 */
export const SITES = String.raw`
mkdir -p /srv/site /srv/tls
cd /srv/tls
selfsigned() { openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.pem" -days 30 \
  -subj "/CN=$2" -addext "subjectAltName=DNS:$2" 2>/dev/null; }
signed() { openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -out "$1.pem" -days "$3" \
    -extfile <(printf 'subjectAltName=DNS:%s\n' "$2") 2>/dev/null; }
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj '/CN=Authority' 2>/dev/null
signed good good.example.org 30
signed expired expired.example.org -1
selfsigned self self.example.org
cd /
(head -c 300000 /dev/zero | tr '\0' x; echo 'Welcome to my Site'; head -c 10000000 /dev/zero | tr '\0' x) >/srv/site/late.html
(echo 'Welcome to my Site'; head -c 10000000 /dev/zero | tr '\0' x) >/srv/site/early.html
echo 'Welcome to my Site' | gzip >/srv/site/packed.html
head -c 100000000 /dev/zero | gzip >/srv/site/bomb.html
rm -f /etc/nginx/sites-enabled/* /var/log/nginx/*
cat >/etc/nginx/sites-enabled/sites <<'END'
log_format asked '$host|$http_user_agent|$ssl_server_name|$request|$http_accept_encoding';
access_log /var/log/nginx/asked asked;
server { listen 80 default_server; listen [::1]:80 default_server; return 200 "another site"; }
server {
  listen 80; listen [::1]:80; server_name www.mywebsite.com; root /srv/site; default_type text/html;
  location = / { return 200 "<h1>Welcome to my Site</h1>\n"; }
  location = /umlaut { return 200 "Grüße"; }
  location = /error { return 500 "Welcome to my Site"; }
  location = /moved { return 301 https://www.mywebsite.com/; }
  location = /other { return 200 "It works!"; }
  location = /packed.html { add_header Content-Encoding gzip; }
  location = /bomb.html { add_header Content-Encoding gzip; }
  location = /slow { proxy_pass http://127.0.0.1:8111; }
}
server { listen 443 ssl default_server; server_name good.example.org; ssl_certificate /srv/tls/good.pem;
  ssl_certificate_key /srv/tls/good.key; location / { return 200 "page of good"; }
  location = /hang { proxy_pass http://127.0.0.1:8101; } }
server { listen 443 ssl; server_name self.example.org; ssl_certificate /srv/tls/self.pem;
  ssl_certificate_key /srv/tls/self.key; location / { return 200 "page of self"; }
  location = /hang { proxy_pass http://127.0.0.1:8101; }
  location = /drip { proxy_pass http://127.0.0.1:8103; proxy_buffering off; }
  location = /endless { proxy_pass http://127.0.0.1:8112; proxy_max_temp_file_size 0; }
  location = /half { proxy_pass http://127.0.0.1:8109; } }
server { listen 443 ssl; server_name expired.example.org; ssl_certificate /srv/tls/expired.pem;
  ssl_certificate_key /srv/tls/expired.key; return 200 "page of expired"; }
END
nginx
perl ${join(PROJECT, "test/site_servers.pl")}
until curl -s -o /dev/null http://127.0.0.1/ && curl -s -o /dev/null http://127.0.0.1:8106/; do sleep 0.05; done
rm -f /var/log/nginx/asked
nginx -s reopen
until [ -e /var/log/nginx/asked ]; do sleep 0.02; done
`;

/** One look of `site_probe_program.ts`, and what it left open. */
export interface Probed {
  readonly looks: readonly SiteLook[];
  readonly tookMs: number;
  /** Files that are open after it and were not before. */
  readonly leaked: number;
}

/** What the program is asked for. */
export interface ProbeTask {
  readonly url: string;
  readonly text: string;
  readonly address?: string;
  readonly deadlineMs?: number;
  readonly authority?: string;
  readonly times?: number;
  readonly twice?: boolean;
}

/**
 * Probes sites in a world, one after the other, under the permissions of the binary.
 *
 * @param after Run afterwards, as bash
 * @returns A result for each task, and what the script printed afterwards
 */
export async function probeSites(
  tasks: readonly ProbeTask[],
  after = "",
): Promise<{ readonly probed: readonly Probed[]; readonly printed: string }> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-site-" });
  try {
    const program = await writeBundle(await bundleProgram("test/site_probe_program.ts", PROJECT), folder);
    const flags = permissionFlags([
      ...PERMISSIONS,
      { kind: "read", value: "/srv/tls", why: "the authority of this test" },
    ]);
    const command = [Deno.execPath(), "run", "--no-config", ...flags, program].join(" ");
    const output = await inWorldOk(`${SITES}\n${command} '${JSON.stringify(tasks)}'\n${after}`, {
      bind: true,
      share: [folder],
    });
    const lines = output.split("\n");
    return {
      probed: lines.slice(0, tasks.length).map((line) => JSON.parse(line)),
      printed: lines.slice(tasks.length).join("\n"),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
