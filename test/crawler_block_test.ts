import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { type Permission, permissionFlags, PERMISSIONS } from "../mod/permissions.ts";
import { bundleProgram } from "../scripts/bundle.ts";
import { type Need, testNeeding } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { inWorldOk, PROJECT } from "./world.ts";

const NEEDS: readonly Need[] = [
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
const HOST = String.raw`
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
names() { ls /etc/nginx/loadweir; }
hold() { perl -MIO::Socket::INET -e 'exit if fork;
  $s = IO::Socket::INET->new(LocalAddr => "0.0.0.0:$ARGV[0]", Listen => 5) or die;
  sleep 60' "$1"; sleep 0.2; }
`;

/** How nginx is started, by what manages services. */
const MANAGERS = {
  sysv: "service nginx start > /dev/null\n",
  none: "rm -r /etc/init.d\nnginx\n",
  systemd: "systemctl start nginx\n",
} as const;

/** How nginx is reloaded there, as people are told. */
const WAYS = { sysv: "service nginx", none: "SIGHUP to \\d+", systemd: "unit nginx\\.service" } as const;

function needsFor(manager: keyof typeof MANAGERS): readonly Need[] {
  return manager === "systemd" ? [...NEEDS, "/lib/systemd/systemd", "/usr/bin/nsenter"] : NEEDS;
}

/** What a script printed, by lines; those of JSON have a shape that a test knows. */
// deno-lint-ignore no-explicit-any
type Json = any;

interface BlockWorld {
  readonly manager: keyof typeof MANAGERS;
  /** Whether there is a proc root. Default: yes. */
  readonly bind?: boolean;
  /** Done before nginx starts. */
  readonly before?: string;
}

/** Runs a script on a host with nginx; gives its lines, those of JSON read. */
async function onHost(script: string, { manager, bind = true, before = "" }: BlockWorld): Promise<Json[]> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-block-" });
  try {
    await Deno.writeTextFile(
      join(folder, "switch.js"),
      await bundleProgram("test/crawler_block_switch.ts", PROJECT),
    );
    await Deno.writeTextFile(join(folder, "block.conf"), BLOCK_CONF);
    await Deno.writeTextFile(join(folder, "include"), BLOCK_INCLUDE);
    const known = new Set(PERMISSIONS.map(({ kind, value }) => `${kind} ${value}`));
    const flags = permissionFlags([
      ...PERMISSIONS,
      ...GRANTS.filter(({ kind, value }) => !known.has(`${kind} ${value}`)),
    ]);
    const command = [Deno.execPath(), "run", "--no-config", ...flags, join(folder, "switch.js")].join(" ");
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

for (const manager of ["sysv", "none", "systemd"] as const) {
  testNeeding(
    needsFor(manager),
    `setCrawlerBlock() turns crawlers away and serves them again, ${manager}`,
    async () => {
      const [served, on, ...rest] = await onHost(
        `ask "$crawler"
      block on generic
      ask "$crawler"; ask "$crawler" /health; ask "$crawler" /no/such
      ask "$crawler" /robots.txt; ask "$crawler" /.well-known/acme-challenge/a-B_1
      ask "$crawler" /robots.txt/x
      ask "$browser"; ask "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)"
      old=$(workers)
      block on generic
      [ "$old" = "$(workers)" ] && echo same
      block off generic
      ask "$crawler"
      names`,
        { manager },
      );
      assertEquals(served, "200 ");
      assertEquals([on.kind, on.state, on.failure, on.isOurs], ["switched", "on", undefined, true], on.text);
      assertMatch(on.text, new RegExp(`^crawler block on: ${WAYS[manager]}, new workers after \\d+ ms$`));
      assert(on.reloadedAtMs > 0);
      assertEquals(rest.slice(0, 8), [
        "429 120",
        "429 120",
        "429 120",
        "200 ",
        "200 ",
        "429 120",
        "200 ",
        "200 ",
      ]);
      const [again, same, off, ...end] = rest.slice(8);
      assertEquals([again.kind, again.text, same], ["unchanged", "crawler block on already", "same"]);
      assertEquals([off.kind, off.state], ["switched", "off"], off.text);
      assertEquals(end, ["200 ", "nginx_high_load_off.conf"]);
    },
  );
}

testNeeding(NEEDS, "setCrawlerBlock() leaves every other nginx alone", async () => {
  const [on, ...lines] = await onHost(
    `mkdir /srv/own
    printf 'pid /srv/own/pid; error_log /srv/own/log; events {}
      http { access_log off; server { listen 8081; } }' \
      > /srv/own/nginx.conf
    sed 's/8081/8082/; s|/srv/own/pid|/srv/own/other-pid|' /srv/own/nginx.conf > /srv/own/other.conf
    nginx -c /srv/own/nginx.conf
    unshare --pid --fork nginx -c /srv/own/other.conf -g 'daemon off;' 2> /dev/null &
    until curl -s -o /dev/null http://127.0.0.1:8082 && curl -s -o /dev/null http://127.0.0.1:8081
    do sleep 0.1; done
    others() { pgrep -x nginx | grep -v -x -f <(cat /run/nginx.pid; workers | tr ' ' '\n'); }
    old=$(others)
    block on generic
    [ "$(echo "$old" | wc -l)" -ge 4 ] && [ "$old" = "$(others)" ] && echo same
    ask "$crawler"`,
    { manager: "sysv" },
  );
  assertEquals([on.kind, ...lines], ["switched", "same", "429 120"], on.text);
});

testNeeding(NEEDS, "setCrawlerBlock() is called twice at a time and switches once", async () => {
  const [one, other, blocked, served, name] = await onHost(
    `block on generic > /tmp/one & block on generic > /tmp/other; wait
    cat /tmp/one /tmp/other
    ask "$crawler"
    block off generic > /tmp/one & block on generic > /tmp/other; wait
    ask "$crawler"; names`,
    { manager: "none" },
  );
  assertEquals([one.kind, other.kind].sort(), ["switched", "unchanged"]);
  assertEquals(blocked, "429 120");
  // Whichever came last: nginx does what the file says.
  assertEquals(name, served === "200 " ? "nginx_high_load_off.conf" : "nginx_high_load.conf");
});

testNeeding(NEEDS, "setCrawlerBlock() takes a broken file back and says where it is broken", async () => {
  const [on, ...lines] = await onHost(
    `printf '\n\nlimt_req zone=a;\n' > /etc/nginx/loadweir/nginx_high_load_off.conf
    old=$(workers)
    block on generic
    names
    ask "$crawler"
    [ "$old" = "$(workers)" ] && echo same
    cat /run/loadweir/state/nginx.lock`,
    { manager: "sysv" },
  );
  assertEquals([on.kind, on.failure, on.state, on.isOurs], ["failed", "config-refused", "off", false]);
  assertMatch(on.text, /^Cannot switch the crawler block on: "nginx -t" exited 1 after \d+ ms: /);
  assertEquals(
    on.text.split(" ms: ")[1],
    'unknown directive "limt_req" in /etc/nginx/loadweir/nginx_high_load.conf:3; ' +
      "/etc/nginx/loadweir/nginx_high_load_off.conf restored",
  );
  assertEquals(on.reloadedAtMs, undefined);
  assertEquals(lines, ["nginx_high_load_off.conf", "200 ", "same", "settled   "]);
});

for (const manager of ["sysv", "none", "systemd"] as const) {
  testNeeding(
    needsFor(manager),
    `setCrawlerBlock() sees that a busy port kept nginx as it was, ${manager}`,
    async () => {
      const [on, ...lines] = await onHost(
        `hold 8080
      echo 'server { listen 8080; }' > /etc/nginx/conf.d/busy.conf
      old=$(workers)
      block on generic
      names
      ask "$crawler"
      [ "$old" = "$(workers)" ] && echo same
      cat /run/loadweir/state/nginx.lock
      rm /etc/nginx/conf.d/busy.conf
      block on generic
      ask "$crawler"`,
        { manager },
      );
      assertEquals([on.kind, on.failure, on.state], ["failed", "reload-not-taken", "off"]);
      assertStringIncludes(
        on.text,
        "nginx did not take the reload: bind() to 0.0.0.0:8080 failed (98: Address already in use); " +
          "/etc/nginx/loadweir/nginx_high_load_off.conf restored, nginx serves as before",
      );
      const [names, served, same, note, again, blocked] = lines;
      assertEquals([names, served, same, note], ["nginx_high_load_off.conf", "200 ", "same", "settled   "]);
      assertEquals([again.kind, blocked], ["switched", "429 120"], again.text);
    },
  );
}

testNeeding(
  NEEDS,
  "setCrawlerBlock() sees that a changed key of limit_req kept nginx as it was",
  async () => {
    const zone = "/etc/nginx/conf.d/zone.conf";
    const [test, on, ...lines] = await onHost(
      `sed -i 's/binary_remote_addr/server_name/' ${zone}
    nginx -t -q && echo green
    block on generic
    ask "$crawler"
    names`,
      {
        manager: "none",
        before: `echo 'limit_req_zone $binary_remote_addr zone=one:1m rate=1r/s;' > ${zone}`,
      },
    );
    assertEquals([test, on.kind, on.failure, on.state], ["green", "failed", "reload-not-taken", "off"]);
    assertStringIncludes(on.text, `limit_req "one" uses the "$server_name" key while previously it used`);
    assertEquals(lines, ["200 ", "nginx_high_load_off.conf"]);
  },
);

testNeeding(NEEDS, "setCrawlerBlock() is proved by the workers alone where no log can be read", async () => {
  const before = "sed -i 's|^error_log.*|error_log syslog:server=127.0.0.1:514;|' /etc/nginx/nginx.conf";
  const busy = `hold 8080
    echo 'server { listen 8080; }' > /etc/nginx/conf.d/busy.conf`;
  const [on] = await onHost("block on generic", { manager: "none", before });
  assertEquals(on.kind, "switched");
  assertMatch(on.text, /, seen by its workers alone: no log file of it is known$/);
  const [failed, served] = await onHost(`${busy}\nblock on generic watch 3000\nask "$crawler"`, {
    manager: "none",
    before,
  });
  assertEquals([failed.failure, failed.state, served], ["reload-not-taken", "off", "200 "]);
  assertStringIncludes(failed.text, "no new worker within 3000 ms");
});

testNeeding(
  NEEDS,
  "setCrawlerBlock() renames alone while nginx is stopped, and not into a broken start",
  async () => {
    const [on, off, broken, ...lines] = await onHost(
      `service nginx stop > /dev/null
    block on generic
    service nginx start > /dev/null
    ask "$crawler"
    service nginx stop > /dev/null
    block off generic
    echo 'limt_req;' >> /etc/nginx/loadweir/nginx_high_load_off.conf
    block on generic
    service nginx start > /dev/null
    ask "$crawler"`,
      { manager: "sysv" },
    ).then(([on, blocked, off, ...rest]) => [on, off, ...rest, blocked]);
    assertEquals([on.kind, on.state], ["renamed", "on"], on.text);
    assertStringIncludes(on.text, "no nginx of this host runs");
    assertEquals([off.kind, off.state], ["renamed", "off"], off.text);
    assertEquals([broken.kind, broken.failure, broken.state], ["failed", "config-refused", "off"]);
    assertEquals(lines, ["200 ", "429 120"]);
  },
);

for (
  const [moment, victim] of [["before", "-t"], ["before", "reload"], ["within", "reload"], [
    "after",
    "reload",
  ]]
) {
  testNeeding(NEEDS, `setCrawlerBlock() heals what was killed ${moment} ${victim}`, async () => {
    const [exit, ...lines] = await onHost(
      `block on generic ${moment} ${victim}
      names
      block on generic
      ask "$crawler"
      block on generic
      block off generic ${moment} ${victim}
      names
      block off generic
      ask "$crawler"
      block off generic`,
      { manager: "sysv" },
    );
    const [on, healed, blocked, again, offExit, off, offHealed, served, offAgain] = lines;
    assertEquals([exit, on, offExit, off], [
      "exit 9",
      "nginx_high_load.conf",
      "exit 9",
      "nginx_high_load_off.conf",
    ]);
    assertEquals([healed.kind, blocked, again.kind], ["switched", "429 120", "unchanged"], healed.text);
    assertEquals([offHealed.kind, served, offAgain.kind], ["switched", "200 ", "unchanged"], offHealed.text);
  });
}

testNeeding(NEEDS, "setCrawlerBlock() puts off what was killed with a broken file on", async () => {
  const [exit, healed, ...lines] = await onHost(
    `echo 'limt_req;' > /etc/nginx/loadweir/nginx_high_load_off.conf
    block on generic before -t
    block on generic
    names
    block off generic
    nginx -t -q && echo green`,
    { manager: "sysv" },
  );
  assertEquals([exit, healed.failure, healed.state], ["exit 9", "config-refused", "off"]);
  const [names, off, green] = lines;
  // Its reload is due still: nobody has seen what nginx runs.
  assertEquals([names, off.kind, green], ["nginx_high_load_off.conf", "switched", "green"], off.text);
});

testNeeding(NEEDS, "setCrawlerBlock() goes by the service manager alone without a proc root", async () => {
  const [on, blocked] = await onHost(`block on generic\nask "$crawler"`, { manager: "sysv", bind: false });
  assertEquals([on.source, on.kind, blocked], ["kernel-calls", "switched", "429 120"], on.text);
  const [none, served] = await onHost(`block on generic\nask "$crawler"`, { manager: "none", bind: false });
  assertEquals([none.failure, none.state, served], ["no-reload", "off", "200 "], none.text);
});

testNeeding(NEEDS, "setCrawlerBlock() sends a signal where the init script fails", async () => {
  const [on, blocked] = await onHost(
    `printf '#!/bin/sh\necho broken >&2\nexit 3\n' > /etc/init.d/nginx
    block on generic
    ask "$crawler"`,
    { manager: "sysv" },
  );
  assertEquals([on.kind, blocked], ["switched", "429 120"], on.text);
  assertMatch(on.text, /SIGHUP to \d+, since "\/usr\/sbin\/service nginx reload" exited 3: broken/);
});

testNeeding(NEEDS, "setCrawlerBlock() sends a signal where the init script finds no pid file", async () => {
  const [on, blocked] = await onHost(
    `rm /run/nginx.pid
    block on generic
    ask "$crawler"`,
    { manager: "sysv" },
  );
  assertEquals([on.kind, blocked], ["switched", "429 120"], on.text);
  assertMatch(on.text, /SIGHUP to \d+, since service nginx did nothing in 5000 ms/);
});

testNeeding(NEEDS, "setCrawlerBlock() switches also where its note cannot be written", async () => {
  const [on, blocked, ...lines] = await onHost(
    `mkdir -p /run/loadweir/state
    mount -t tmpfs -o size=4k tmpfs /run/loadweir/state
    head -c 4096 /dev/zero > /run/loadweir/state/full
    block on generic
    ask "$crawler"
    rm /run/loadweir/state/full
    block on generic
    block off generic > /dev/null
    head -c 4096 /dev/zero > /run/loadweir/state/full 2> /dev/null || true
    block on generic`,
    { manager: "sysv" },
  );
  assertEquals([on.kind, blocked], ["switched", "429 120"], on.text);
  assertMatch(on.text, /; Cannot write \/run\/loadweir\/state\/nginx\.lock: No space left on device/);
  // A file that holds a note already can be written over.
  const [again, over] = lines;
  assertEquals([again.kind, over.kind], ["unchanged", "switched"]);
  assertEquals(over.text.includes("Cannot write"), false);
});

testNeeding(NEEDS, "setCrawlerBlock() knows the files of a BOA host", async () => {
  const [on, blocked, off, served] = await onHost(
    `block on boa
    ask "$crawler"
    block off boa
    ask "$crawler"`,
    {
      manager: "sysv",
      before: `mkdir -p /data/conf
      mv /etc/nginx/loadweir/nginx_high_load_off.conf /data/conf/
      sed -i 's|/etc/nginx/loadweir/|/data/conf/|' /etc/nginx/sites-enabled/site`,
    },
  );
  assertEquals([on.kind, blocked, off.kind, served], ["switched", "429 120", "switched", "200 "], on.text);
});

testNeeding(
  NEEDS,
  "the block that is shipped takes the place of headers of the http level while it is on",
  async () => {
    const lines = await onHost(
      `headers() { curl -s -D - -o /dev/null -A "$browser" http://127.0.0.1$1 |
      grep -ic '^x-\\(http\\|health\\)' || true; }
    headers /; headers /health
    block on generic > /dev/null
    headers /; headers /health
    block off generic > /dev/null
    headers /`,
      { manager: "sysv", before: "echo 'add_header X-Http yes;' > /etc/nginx/conf.d/header.conf" },
    );
    assertEquals(lines, ["1", "1", "0", "1", "1"]);
  },
);
