/** The probe of a running agent: a host that cannot serve says so, and comes back. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { PROBE, PROBE_NEEDS } from "./balancer.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  PROBE_NEEDS,
  "a host whose site fails is out on every outlet, and in again once it is well",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
agent
within 10 is_in
echo broken >/var/www/html/index.php
within 15 is_out 'check-failed: site:www.example.org'
loadweir status | grep -A1 '^probe'
echo '<?php echo "made by php ", 6 * 7;' >/var/www/html/index.php
within 20 is_in
end_agent
pinged
cat /tmp/agent.log
`,
    );
    assertMatch(output, /^probe +DRAINED for \d+ s: a check has failed \(site:www\.example\.org: /m);
    assertMatch(output, /ALERT Host drained; a check has failed; site:www\.example\.org: /);
    assertMatch(output, /INFO Host takes visitors again/);
  },
);

testNeeding(
  PROBE_NEEDS,
  "a pause takes the host out before the first service stops, and is no failure",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
# A stop that takes its time.
sed -i 's/^do_stop()/do_stop() { sleep 3; stop_it; }\\nstop_it()/' /etc/init.d/php8.2-fpm
agent
within 10 is_in
play 700
within 10 says 'drain #web-paused'
pgrep -x php-fpm8.2 >/dev/null
within 30 down
is_out web-paused
play 20
within 20 up
within 20 is_in
end_agent
grep -c 'Host drained; a check' /tmp/agent.log || true
`,
    );
    assertEquals(output, "0\n");
  },
);

testNeeding(PROBE_NEEDS, "a person takes the host out and puts it back, also over a restart", async () => {
  const output = await onWebHost(
    "sysv",
    `${PROBE}
agent
within 10 is_in
loadweir drain --for 10m "new disk"
within 3 is_out 'drained-by-hand: new disk'
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
within 5 is_out 'drained-by-hand: new disk'
loadweir undrain --for 3s "checked"
within 5 is_in
echo broken >/var/www/html/index.php
sleep 2
is_in
within 20 is_out check-failed
end_agent
pinged
`,
  );
  assertMatch(output, /^this host is being taken out; it ends by itself in 10 m$/m);
});

testNeeding(
  PROBE_NEEDS,
  "a host whose agent is killed while it is out answers pings again within three ticks",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
agent
within 10 is_in
loadweir drain "killed in it"
within 3 silent
kill -KILL "$agent_pid"; wait "$agent_pid" || true
within 5 pinged
# One that is started where nothing is probed any more leaves no silence behind.
sed -i '/^\\[probe\\]/,$d' /etc/loadweir/loadweir.ini
: >/tmp/agent.log
agent
within 5 grep -q '^ts=' /tmp/agent.log
code=0; loadweir drain "nobody to tell" || code=$?
[ "$code" = 1 ]
end_agent
`,
    );
  },
);

testNeeding(PROBE_NEEDS, "a single pass of cron answers no balancer and takes nobody out", async () => {
  await onWebHost(
    "sysv",
    `${PROBE}
echo broken >/var/www/html/index.php
sed -i 's/^interval = .*/interval = 2s/' /etc/loadweir/loadweir.ini
SECONDS=0
loadweir enforce
[ "$SECONDS" -lt 5 ] || { echo "a pass took $SECONDS s"; exit 1; }
pinged
[ ! -e /run/loadweir/state/keepalived ]
`,
  );
});

testNeeding(
  PROBE_NEEDS,
  "a host stays in while too many of its peers are out, however ill it is",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}
# The one peer is the balancer, where no agent answers.
sed -i 's/^tick = 1s/&\\npeers = 192.0.2.2\\ndrain_limit = 1/' /etc/loadweir/loadweir.ini
agent
within 10 is_in
echo broken >/var/www/html/index.php
within 10 eval "loadweir status | grep -q 'as many of the peers as may be are out already'"
sleep 2
pinged
sed -i '/^drain_limit/d' /etc/loadweir/loadweir.ini
kill -HUP "$agent_pid"
within 10 is_out check-failed
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /configuration read again/);
  },
);

testNeeding(
  [...PROBE_NEEDS, "/usr/sbin/haproxy"],
  "a real HAProxy sends a host that drains nobody any more, and again when it is back",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}
cat >/tmp/haproxy.cfg <<'END'
global
  stats socket ipv4@127.0.0.1:9999 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 5s
  timeout server 5s
frontend visitors
  bind 127.0.0.1:8000
  default_backend web
backend web
  default-server check inter 500ms agent-check agent-port 9808 agent-inter 500ms
  server web-1 127.0.0.1:80 weight 100
END
agent
within 10 is_in
haproxy -D -f /tmp/haproxy.cfg
state() { timeout 2 bash -c 'exec 3<>/dev/tcp/127.0.0.1/9999; echo show stat >&3; cat <&3' |
  awk -F, '$1 == "web" && $2 == "web-1" { print $18 }'; }
is() { [[ "$(state)" == $1* ]]; }
within 10 is UP
curl -s -m 2 http://127.0.0.1:8000/ | grep -q 'made by php 42'
loadweir drain --for 10m "new disk"
within 5 is DRAIN
[ "$(curl -s -o /dev/null -m 5 -w '%{http_code}' http://127.0.0.1:8000/)" = 503 ]
loadweir undrain --for 1s "done"
within 10 is UP
echo broken >/var/www/html/index.php
within 15 is DRAIN
echo '<?php echo "made by php ", 6 * 7;' >/var/www/html/index.php
within 20 is UP
play 700
within 10 is DRAIN
# An agent that ends leaves nobody drained.
end_agent
within 5 is UP
curl -s -m 2 http://127.0.0.1:8000/ | grep -q 'made by php 42'
`,
    );
  },
);
