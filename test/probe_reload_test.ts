/** An agent that gets new settings, or another agent after it, while its host is out. */

import { assertEquals } from "@std/assert";
import { PROBE, PROBE_NEEDS } from "./balancer.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  PROBE_NEEDS,
  "pings that are silenced by sysctl are answered again, also after new settings and a kill",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
sed -i 's/^icmp = nft/icmp = sysctl/' /etc/loadweir/loadweir.ini
agent
within 10 is_in
loadweir drain --for 10m "new disk"
within 3 is_out drained-by-hand
# Silence lasts for ticks, so that a new tick makes a new switch.
sed -i 's/^tick = 1s/tick = 2s/' /etc/loadweir/loadweir.ini
kill -HUP "$agent_pid"
within 5 grep -q 'configuration read again' /tmp/agent.log
sleep 6
silent
kill -KILL "$agent_pid"; wait "$agent_pid" || true
# The next agent knows of no drain.
rm /run/loadweir/state/ledger.json
agent
within 5 pinged
within 10 is_in
end_agent
`,
    );
  },
);

testNeeding(
  PROBE_NEEDS,
  "new settings of the outlets put no host back that is out, and leave no balancer without an answer",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
agent
within 10 is_in
loadweir drain --for 10m "new disk"
within 3 is_out drained-by-hand
watch() { while :; do printf '%s %s %s\\n' "$(line)" "$(health)" "$(cat /run/loadweir/state/keepalived)"; sleep 0.05; done; }
watch >/tmp/watched & watch_pid=$!
sed -i 's/^track_file.*/track_file = -60\\ncrawler_block_weight = 40/; s/^http = .*/&, 192.0.2.1/' /etc/loadweir/loadweir.ini
kill -HUP "$agent_pid"
within 5 eval '[ "$(curl -s -o /dev/null -m 2 -w "%{http_code}" http://192.0.2.1:9807/healthz)" = 503 ]'
sleep 6
# All addresses are also the one of before.
sed -i 's/^agent_check = .*/agent_check = 0.0.0.0/' /etc/loadweir/loadweir.ini
kill -HUP "$agent_pid"
within 8 eval '[[ $(timeout 2 bash -c "exec 3<>/dev/tcp/192.0.2.1/9808; cat <&3") == drain* ]]'
kill "$watch_pid"
end_agent
grep -v '^ ' /tmp/watched | sort | uniq | sed 's/ new disk//'
`,
    );
    assertEquals(
      output.split("\n").slice(1),
      ["drain #drained-by-hand: 503 -50", "drain #drained-by-hand: 503 -60", ""],
    );
  },
);

testNeeding(
  PROBE_NEEDS,
  "a host that a person took out answers no ping while its agent is killed and revived",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
# A look takes its time.
sed -i 's/^tick = 1s/tick = 2s/; s/^deadline = .*/deadline = 1500ms/' /etc/loadweir/loadweir.ini
echo '<?php sleep(5);' >/var/www/html/index.php
agent
within 5 eval 'pinged && says "100%"'
loadweir drain --for 10m "new disk"
within 3 is_out drained-by-hand
there ping -i 0.1 -w 5 -q 192.0.2.1 >/tmp/pings & pings=$!
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
wait "$pings" || true
grep -q ' 0 received' /tmp/pings || { cat /tmp/pings; exit 1; }
end_agent
`,
    );
  },
);

testNeeding(
  PROBE_NEEDS,
  "release lets pings be answered that an agent has silenced which is gone for good",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
sed -i 's/^icmp = nft/icmp = sysctl/' /etc/loadweir/loadweir.ini
agent
within 10 is_in
loadweir drain --for 10m "killed in it"
within 3 silent
kill -KILL "$agent_pid"; wait "$agent_pid" || true
sleep 4
silent
loadweir release "gone for good"
pinged
loadweir release "once more"
`,
    );
    assertEquals(output.split("\n").slice(1), [
      "nothing is held",
      "pings are answered again",
      "nothing is held",
      "",
    ]);
  },
);

testNeeding(
  [...PROBE_NEEDS, "/usr/sbin/ufw", "/usr/sbin/iptables"],
  "an agent that is stopped lets no reload of ufw end half-way, which would close the host",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
sed -i 's/^icmp = nft/icmp = ufw/' /etc/loadweir/loadweir.ini
ufw --force enable >/dev/null
cp /usr/sbin/ufw /srv/ufw
cat >/srv/slow <<'END'
#!/bin/sh
if [ "$1" = reload ]; then echo >>/tmp/begun; sleep 10; fi
/srv/ufw "$@" || exit
if [ "$1" = reload ]; then echo >>/tmp/done; fi
END
chmod +x /srv/slow
mount --bind /srv/slow /usr/sbin/ufw
agent
within 10 is_in
loadweir drain --for 10m "new disk"
within 5 test -e /tmp/begun
end_agent
cmp /tmp/begun /tmp/done
[ "$(wc -l </tmp/done)" = 2 ]
pinged
`,
    );
  },
);
