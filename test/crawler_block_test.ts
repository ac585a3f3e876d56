/** Switching the crawler block of a real nginx, on every kind of host. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NEEDS, needsFor, onHost } from "./crawler_block_world.ts";
import { testNeeding } from "./needs.ts";

/** How nginx is reloaded, as people are told. */
const WAYS = { sysv: "service nginx", none: "SIGHUP to \\d+", systemd: "unit nginx\\.service" } as const;

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

testNeeding(NEEDS, "setCrawlerBlock() goes by the service manager alone without a proc root", async () => {
  const [on, blocked] = await onHost(`block on generic\nask "$crawler"`, { manager: "sysv", bind: false });
  assertEquals([on.source, on.kind, blocked], ["kernel-calls", "switched", "429 120"], on.text);
  const [none, served] = await onHost(`block on generic\nask "$crawler"`, { manager: "none", bind: false });
  assertEquals([none.failure, none.state, served], ["no-reload", "off", "200 "], none.text);
});

testNeeding(
  [...NEEDS, "/usr/bin/strace"],
  "setCrawlerBlock() takes no worker that waits for its name for a master or a new worker",
  async () => {
    const [on, blocked] = await onHost(
      `master=$(cat /run/nginx.pid)
    # Each worker is held up for three seconds before it takes its title, as by a host without a free CPU.
    strace -f -qq -o /dev/null -e trace=prctl -e inject=prctl:delay_enter=3s:when=1 -p "$master" &
    traced() { ! grep -q '^TracerPid:.0$' "/proc/$master/status"; }
    within 5 traced
    kill -KILL $(workers)
    named_alike() { [ "$(pgrep -fc '^nginx: master process')" -gt 1 ]; }
    within 5 named_alike
    # Without it any of them could be the master.
    rm /run/nginx.pid
    block on generic
    ask "$crawler"`,
      { manager: "sysv" },
    );
    assertEquals([on.kind, blocked], ["switched", "429 120"], on.text);
    assertMatch(
      on.text,
      /SIGHUP to \d+, since service nginx did nothing in 5000 ms, new workers after \d{4,5} ms/,
    );
  },
);

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

testNeeding(NEEDS, "setCrawlerBlock() switches a block of an earlier version as it is", async () => {
  const [on, blocked, served, off, again] = await onHost(
    `block on generic
    ask "$crawler"; ask "$browser"
    block off generic
    ask "$crawler"`,
    {
      manager: "sysv",
      before: `cat > /etc/nginx/loadweir/nginx_high_load_off.conf <<'END'
# loadweir: managed crawler block
set $loadweir_wait "";
if ($http_user_agent ~* "Googlebot|bingbot") { set $loadweir_wait 120; }
if ($loadweir_wait) { return 429; }
add_header Retry-After $loadweir_wait always;
END`,
    },
  );
  assertEquals([on.kind, on.isOurs, blocked, served], ["switched", true, "429 120", "200 "], on.text);
  assertEquals([off.kind, off.isOurs, again], ["switched", true, "200 "], off.text);
});
