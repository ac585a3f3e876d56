/** Up the whole ladder and down again: crawlers wait, runaways end, the web pauses, and all of it is given back. */

import { assertEquals, assertMatch } from "@std/assert";
import { LADDER_SETUP } from "./ladder_host.ts";
import { testNeeding } from "./needs.ts";
import { MANAGERS, NEEDS, onWebHost } from "./web_host.ts";

for (const manager of MANAGERS) {
  testNeeding(NEEDS, `${manager}: SPIDER, MAX, CRIT and back, with hooks and a running backup`, async () => {
    const output = await onWebHost(
      manager,
      `${LADDER_SETUP}
agent
play 300
within 20 crawlers_wait
all_live
play 700
within 20 down
all_live
play 400
within 20 up
play 900
within 40 down
within 10 eval '! lives "$php_pid" && ! lives "$curl_pid"'
lives "$backup_pid" && lives "$(cat /tmp/backup_child)" && innocents
play 20
within 20 up
within 60 crawlers_served
sleep 1
end_agent
up
for hook in spider-on spider-off pause resume kill incident; do echo "=== $hook"; cat /tmp/told-$hook; done
echo "=== log"
cat /var/log/loadweir/incident.log
`,
    );
    const told = Object.fromEntries(
      output.split("=== ").slice(1).map((part) => [part.slice(0, part.indexOf("\n")), part]),
    );
    for (const hook of ["spider-on", "spider-off", "pause", "resume", "kill", "incident"]) {
      assertMatch(told[hook] ?? "", new RegExp(`^\\{"hook":"${hook}","version":1,"host":"[^"]+",`, "m"));
    }
    assertEquals(told["pause"]?.match(/"hook":"pause"/g)?.length, 2);
    assertMatch(told["pause"] ?? "", /"tier":"crit","load1Pct":900,"load5Pct":900,"reason":"confirmed",/);
    assertMatch(
      told["log"] ?? "",
      /event=kill-runaways .*"curl \(pid \d+ of root, \d+ s old, [\d.]+ s of CPU, \d+ KiB\): ended"/,
    );
  });
}
