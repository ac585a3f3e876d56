/** A block that nginx could not take off at first. */

import { assertMatch } from "@std/assert";
import { LADDER_SETUP } from "./ladder_host.ts";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

testNeeding(
  NEEDS,
  "crawlers are served again although nginx refused its configuration at first",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${LADDER_SETUP}
agent
play 300
within 20 crawlers_wait
echo 'a mistake' >>/etc/nginx/nginx.conf
play 20
within 60 grep -q 'Crawler block could not be changed' /tmp/agent.log
crawlers_wait
sed -i '/^a mistake$/d' /etc/nginx/nginx.conf
within 90 crawlers_served
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /INFO Crawler block could not be changed: .*"nginx -t" exited 1 /);
    assertMatch(output, /INFO Crawlers served again/);
  },
);
