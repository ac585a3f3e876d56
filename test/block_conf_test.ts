/** The crawler block that is shipped, on a real nginx with sites of all kinds. */

import { assert, assertEquals } from "@std/assert";
import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { CRAWLER_BLOCKS } from "../mod/nginx/crawler_block.ts";
import { type Need, testNeeding } from "./needs.ts";
import { inWorldOk } from "./world.ts";

const NEEDS: readonly Need[] = ["root", "namespaces", "/usr/sbin/nginx", "/usr/bin/curl"];

/** A site that could come in the way of the block, or the block in its way. */
interface Site {
  readonly name: string;
  /** What its server block holds beside its port and its folder; BLOCK stands for the line of the block. */
  readonly conf: string;
  readonly listen?: string;
}

const SITES: readonly Site[] = [
  { name: "static", conf: "BLOCK location / { try_files $uri /index.html; }" },
  { name: "a prefix before regular expressions", conf: "location ^~ / { } BLOCK" },
  { name: "regular expressions", conf: String.raw`location ~ /\. { deny all; } location ~ .* { } BLOCK` },
  { name: "a place for each path", conf: "location = / { return 200 a; } location / { return 204; } BLOCK" },
  { name: "a page for 429", conf: "BLOCK error_page 429 /index.html;" },
  {
    name: "a page for 429 that is 200",
    conf: "BLOCK error_page 429 = @slow; location @slow { return 200 s; }",
  },
  { name: "a page for 429, recursive", conf: "BLOCK error_page 429 /index.html; recursive_error_pages on;" },
  { name: "a password", conf: "BLOCK auth_basic x; auth_basic_user_file /etc/nginx/mime.types;" },
  { name: "closed", conf: "BLOCK deny all;" },
  {
    name: "closed or a password",
    conf: "BLOCK satisfy any; deny all; auth_basic x; auth_basic_user_file /x;",
  },
  { name: "limits of its own", conf: "BLOCK limit_req zone=one;" },
  {
    name: "headers of its own",
    conf: "add_header X-Own yes; location /d { add_header X-D d; return 200 d; } BLOCK",
  },
  { name: "a redirect of all", conf: "BLOCK return 301 https://example.org$request_uri;" },
  { name: "try_files for all", conf: "BLOCK try_files $uri $uri/ =404;" },
  { name: "a proxy", conf: "BLOCK location / { proxy_pass http://127.0.0.1:1; proxy_intercept_errors on; }" },
  { name: "small uploads", conf: "BLOCK client_max_body_size 10;" },
  { name: "a rewrite after it", conf: "BLOCK rewrite ^ /index.html last;" },
  { name: "HTTP/2", conf: "BLOCK", listen: "http2" },
];

/** The site at 0 has this port, the others those that follow. */
const FIRST_PORT = 8001;

const server = ({ conf, listen = "" }: Site, index: number): string =>
  `server { listen ${FIRST_PORT + index} ${listen}; root /var/www/html; ${
    conf.replace("BLOCK", BLOCK_INCLUDE)
  } }`;

const HTTP2_PORT = FIRST_PORT + SITES.findIndex(({ listen }) => listen === "http2");

/** All sites, below headers and limits of the http level. What is asked of each goes with it. */
const HOST = String.raw`
mkdir -p /etc/nginx/loadweir /var/www/html
rm -f /etc/nginx/sites-enabled/* /var/www/html/*
echo hello > /var/www/html/index.html
echo robots > /var/www/html/robots.txt
cat > /etc/nginx/conf.d/http.conf <<'END'
add_header Strict-Transport-Security max-age=63072000 always;
limit_req_zone $binary_remote_addr zone=one:1m rate=1r/m;
limit_req_status 429;
${SITES.map(server).join("\n")}
END
cat > /tmp/block.conf <<'END'
${BLOCK_CONF}
END
crawler='Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
browser='Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0'
# Runs it for the port of each site.
each() { local port; for port in $(seq ${FIRST_PORT} ${
  FIRST_PORT + SITES.length - 1
}); do "$@" "$port"; done; }
# What a client gets for a path of a port; curl may be told more. One site speaks HTTP/2 and nothing else.
ask() {
  local client=$1 path=$2 port=$3 version=--http1.1; shift 3
  [ "$port" != ${HTTP2_PORT} ] || version=--http2-prior-knowledge
  curl --silent --max-time 5 $version --user-agent "$client" "$@" "http://127.0.0.1:$port$path"
}
# An upload, but over HTTP/2: curl sees the end of an answer before that of its own body now and then.
upload() { [ "$3" = ${HTTP2_PORT} ] || ask "$@" --data "$(printf '%3000s' x)"; }

turned_away() {
  local path brief='%{http_code} %{http_version} %header{retry-after},'
  for path in / /d/x.php '/?a=b' /.loadweir-crawler-block; do
    ask "$crawler" "$path" "$1" --output /dev/null --write-out "$brief"
  done
  ask "$crawler" / "$1" --head --output /dev/null --write-out "$brief"
  upload "$crawler" / "$1" --output /dev/null --write-out "$brief"
  echo
}
# All that people get, and a crawler that asks for what is free; the second time a limit is over.
served() {
  local path
  echo "port $1"
  for path in / / /d /missing.php; do ask "$browser" "$path" "$1" --include; done
  ask "$browser" / "$1" --head
  upload "$browser" / "$1" --include
  for path in /robots.txt /.well-known/acme-challenge/a; do ask "$crawler" "$path" "$1" --include; done
}
named() { ask "$browser" /.loadweir-crawler-block "$1" --output /dev/null --write-out '%{http_code}\n'; }
up() { nginx -t -q; nginx; }
down() { nginx -s quit; while [ -e /run/nginx.pid ]; do sleep 0.05; done; }
`;

testNeeding(
  NEEDS,
  "BLOCK_CONF turns crawlers away from every site, and people get what they got",
  async () => {
    const output = await inWorldOk(
      `${HOST}
up
each served | grep -avi '^date:' > /tmp/off
down
cp /tmp/block.conf ${CRAWLER_BLOCKS.generic.on}
up
each served | grep -avi '^date:' > /tmp/on
each turned_away
each named
grep -aci '^strict-transport-security' /tmp/on || true
diff -a /tmp/off /tmp/on || true`,
      { bind: true },
    );
    const lines = output.trimEnd().split("\n");
    const away = lines.slice(0, SITES.length);
    const named = lines.slice(SITES.length, 2 * SITES.length);
    const [headers, ...changed] = lines.slice(2 * SITES.length);
    assertEquals(
      SITES.map(({ name }, index) => [name, away[index]]),
      SITES.map(({ name, listen }) => [
        name,
        listen === "http2" ? "429 2 120,".repeat(5) : "429 1.1 120,".repeat(6),
      ]),
    );
    // Where a site redirects or rewrites everything, that comes first.
    assertEquals([named[0], named.includes("429")], ["404", false]);
    assertEquals(changed, []);
    assert(Number(headers) > SITES.length, `only ${headers} headers of the http level`);
  },
);
