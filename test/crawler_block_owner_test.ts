/** Whose the crawler block is: ours goes off, also when nobody remembers it; a person's stays. */

import { assertMatch, assertNotMatch } from "@std/assert";
import { BLOCK_MARK } from "../mod/nginx/block_conf.ts";
import { LADDER_SETUP } from "./ladder_host.ts";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

/** Shell words of these tests, on a host whose block has no mark unless `marked` puts it back. */
const SETUP = String.raw`${LADDER_SETUP}
cd /etc/nginx/loadweir
sed -i '1d' nginx_high_load_off.conf
marked() { sed -i '1i ${BLOCK_MARK}' nginx_high_load_off.conf; }
# Old workers take connections for a moment yet, and serve crawlers.
has_let_go() { local pid; for pid in $old; do ! grep -qzxF 'nginx: worker process' "/proc/$pid/cmdline" || return 1; done; }
by_hand_on() {
  old=$(pgrep -P "$(cat /run/nginx.pid)")
  mv nginx_high_load_off.conf nginx_high_load.conf
  kill -HUP "$(cat /run/nginx.pid)"
  within 5 crawlers_wait
  within 5 has_let_go
}
# Passes on which the load was low, and which therefore would serve crawlers again.
quiet() { play 20; within 10 test -e /run/loadweir/state/normal_load.pid; sleep 1; }
blocked() { play 300; within 20 test -e /run/loadweir/state/spider_load.pid; sleep 1; }
`;

testNeeding(NEEDS, "a crawler block that a person switched on stays on", async () => {
  const output = await onWebHost(
    "sysv",
    `${SETUP}
by_hand_on
agent
quiet
crawlers_wait
blocked
quiet
crawlers_wait
end_agent
crawlers_wait
agent
quiet
end_agent
crawlers_wait
loadweir release
crawlers_wait
cat /tmp/agent.log
`,
  );
  assertMatch(output, /crawler block stays on: somebody else has switched it on/);
  assertNotMatch(output, /Crawlers served again/);
});

testNeeding(
  NEEDS,
  "a crawler block without a mark is ours when we switched it on, and goes off",
  async () => {
    await onWebHost(
      "sysv",
      `${SETUP}
agent
blocked
within 20 crawlers_wait
end_agent
within 5 crawlers_served
agent
blocked
within 20 crawlers_wait
kill -KILL "$agent_pid"; wait "$agent_pid" || true
play 20
agent
within 60 crawlers_served
end_agent
`,
    );
  },
);

testNeeding(
  NEEDS,
  "a crawler block of an agent that was killed while it switched it on goes off",
  async () => {
    await onWebHost(
      "sysv",
      `${SETUP}
mv /usr/sbin/service /usr/sbin/service.real
printf '#!/bin/sh\ntouch /tmp/reloading; sleep 2; exec /usr/sbin/service.real "$@" >/dev/null 2>&1\n' >/usr/sbin/service
chmod 755 /usr/sbin/service
agent
play 300
within 20 test -e /tmp/reloading
kill -KILL "$agent_pid"; wait "$agent_pid" || true
within 20 crawlers_wait
play 20
agent
within 60 crawlers_served
end_agent
`,
    );
  },
);

testNeeding(NEEDS, "a crawler block with our mark goes off after a boot, and by a release", async () => {
  await onWebHost(
    "sysv",
    `${SETUP}
marked
by_hand_on
agent
play 20
within 60 crawlers_served
end_agent
by_hand_on
rm /run/loadweir/state/ledger.json
loadweir release
within 5 crawlers_served
# In a load that blocks crawlers it stays until that is over.
by_hand_on
rm /run/loadweir/state/ledger.json
play 300
agent
within 20 grep -q 'reason=already-done' /tmp/agent.log
crawlers_wait
play 20
within 60 crawlers_served
end_agent
`,
  );
});
