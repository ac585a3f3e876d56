/** The probe of a running agent: a host that cannot serve says so, and comes back. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";
import { PAGE } from "./web_site.ts";

const PROBE_NEEDS = [...NEEDS, "/usr/bin/ping", "/usr/sbin/nft"] as const;

/** An agent that probes its site each second, and words for what each outlet says. */
const SETUP = String.raw`
cat >>/etc/loadweir/loadweir.ini <<'END'
[probe]
tick = 1s
min_hold = 4s
[outlets]
icmp = nft
http = 127.0.0.1
agent_check = 127.0.0.1
track_file = -50
[probe www.example.org]
url = http://www.example.org/
text = ${PAGE}
END
# The balancer, in a network of its own: pings over loopback are always answered.
unshare --net sleep 600 & balancer=$!
within 5 eval '[ "$(readlink /proc/$balancer/ns/net)" != "$(readlink /proc/self/ns/net)" ]'
ip link add to-balancer type veth peer name to-host netns "$balancer"
ip addr add 192.0.2.1/24 dev to-balancer; ip addr add 2001:db8::1/64 dev to-balancer nodad; ip link set to-balancer up
there() { nsenter --target "$balancer" --net "$@"; }
there ip addr add 192.0.2.2/24 dev to-host; there ip addr add 2001:db8::2/64 dev to-host nodad
there ip link set to-host up
ping_once() { there ping -c 1 -W 1 -q "$1" >/dev/null; }
line() { timeout 2 bash -c 'exec 3<>/dev/tcp/127.0.0.1/9808; cat <&3'; }
says() { [[ "$(line)" == $1 ]]; }
health() { curl -s -o /dev/null -m 2 -w '%{http_code}' http://127.0.0.1:9807/healthz; }
pinged() { ping_once 192.0.2.1 && ping_once 2001:db8::1; }
silent() { ! ping_once 192.0.2.1 && ! ping_once 2001:db8::1; }
within 10 pinged
is_in() { says 'ready up 100%' && [ "$(health)" = 200 ] && pinged && [ "$(cat /run/loadweir/state/keepalived)" = 0 ]; }
is_out() { says "drain #$1*" && [ "$(health)" = 503 ] && silent && [ "$(cat /run/loadweir/state/keepalived)" = -50 ]; }
`;

testNeeding(
  PROBE_NEEDS,
  "a host whose site fails is out on every outlet, and in again once it is well",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SETUP}
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
      `${SETUP}
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
    `${SETUP}
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
      `${SETUP}
agent
within 10 is_in
loadweir drain "killed in it"
within 3 silent
kill -KILL "$agent_pid"; wait "$agent_pid" || true
within 5 pinged
# One that is started where nothing is probed any more leaves no silence behind.
sed -i '/^\\[probe\\]/,$d' /etc/loadweir/loadweir.ini
agent
within 5 test -e /run/loadweir/state/ledger.json
code=0; loadweir drain "nobody to tell" || code=$?
[ "$code" = 1 ]
end_agent
`,
    );
  },
);
