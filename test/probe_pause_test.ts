/** A pause of the web as the balancer hears of it. */

import { assertEquals, assertMatch } from "@std/assert";
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

testNeeding(
  PROBE_NEEDS,
  "a single pass moves no balancer, but takes the host out while it holds a pause",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
agent
within 10 is_in
# What a person wanted of an agent that goes on is for the next one of that kind.
loadweir drain --for 10m "new disk"
within 3 is_out drained-by-hand
end_agent
within 5 pinged
[ "$(cat /run/loadweir/state/keepalived)" = 0 ]
there ping -i 0.05 -w 3 -q 192.0.2.1 >/tmp/pings & pings=$!
inode=$(stat -c %i /run/loadweir/state/keepalived)
for pass in 1 2 3; do loadweir enforce >/dev/null 2>&1; done
[ "$(stat -c %i /run/loadweir/state/keepalived)" = "$inode" ]
wait "$pings"
grep -q ' 0% packet loss' /tmp/pings || { cat /tmp/pings; exit 1; }
play 700
loadweir enforce >/tmp/agent.log 2>&1 & agent_pid=$!
within 20 down
is_out drained-by-hand
code=0; loadweir undrain "of no use" || code=$?
[ "$code" = 1 ]
play 20
within 20 up
wait "$agent_pid"
pinged
[ "$(cat /run/loadweir/state/keepalived)" = 0 ]
`,
    );
  },
);

testNeeding(
  PROBE_NEEDS,
  "a host whose agent is stopped in a pause is out until its services run",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
agent
within 10 is_in
play 700
within 20 down
within 5 is_out web-paused
# Longer than silence lasts by itself.
sed -i 's/^do_start()/do_start() { sleep 6; start_it; }\\nstart_it()/' /etc/init.d/nginx /etc/init.d/php8.2-fpm
kill -TERM "$agent_pid"
within 20 pinged
up && echo up || echo down
wait "$agent_pid"
`,
    );
    assertEquals(output, "up\n");
  },
);

testNeeding(
  PROBE_NEEDS,
  "a host on which a pause finds nothing that may be stopped serves on, and stays in",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
# A page without php-fpm, of an nginx that would not start again.
service php8.2-fpm stop >/dev/null
echo 'server { listen 80 default_server; location / { return 200 plain; } }' >/etc/nginx/sites-available/default
service nginx reload >/dev/null
within 10 answers 80 plain
echo 'broken on;' >/etc/nginx/conf.d/broken.conf
sed -i 's/^text = .*/text = plain/' /etc/loadweir/loadweir.ini
agent
within 10 says 'ready up 100%'
play 700
within 20 grep -q 'Web paused' /tmp/agent.log
within 15 is_in
pgrep -x nginx >/dev/null
sleep 6
is_in
play 20
within 10 grep -q 'action=resume-web' /tmp/agent.log
is_in
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /nginx left running: its configuration is broken/);
  },
);
