/** What a real nginx did not take is undone, and what was killed on its way is healed. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { NEEDS, needsFor, onHost } from "./crawler_block_world.ts";
import { testNeeding } from "./needs.ts";

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

testNeeding(NEEDS, "setCrawlerBlock() takes a block back that a site includes twice", async () => {
  const [on, ...lines] = await onHost(
    `block on generic
    names
    ask "$crawler"; ask "$browser"
    nginx -t -q && echo green`,
    { manager: "sysv", before: "sed -i 's/^  include .*/&\\n&/' /etc/nginx/sites-enabled/site" },
  );
  assertEquals([on.kind, on.failure, on.state], ["failed", "config-refused", "off"], on.text);
  assertMatch(
    on.text,
    /ms: duplicate location "\/\.loadweir-crawler-block" in \/etc\/nginx\/loadweir\/nginx_high_load\.conf:\d+;/,
  );
  assertEquals(lines, ["nginx_high_load_off.conf", "200 ", "200 ", "green"]);
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
