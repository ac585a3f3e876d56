/** An agent whose settings change while its host is out. */

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
