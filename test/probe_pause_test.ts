/** A pause of the web as the balancer hears of it. */

import { assertEquals } from "@std/assert";
import { PROBE, PROBE_NEEDS } from "./balancer.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  PROBE_NEEDS,
  "a host is out after a pause until its services run, also where no site is probed",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
sed -i '/^\\[probe www/,$d; s/^min_hold.*/min_hold = 1s/' /etc/loadweir/loadweir.ini
# A start that takes its time.
sed -i 's/^do_start()/do_start() { sleep 4; start_it; }\\nstart_it()/' /etc/init.d/nginx /etc/init.d/php8.2-fpm
agent
within 10 says 'ready up 100%'
play 700
within 20 down
within 5 says 'drain #web-paused'
sleep 2
play 20
within 30 says 'ready up 100%'
up && echo up || echo down
within 20 up
end_agent
grep -c 'Host drained; a check' /tmp/agent.log || true
`,
    );
    assertEquals(output, "up\n0\n");
  },
);
