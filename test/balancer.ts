/** A balancer for tests of the probe: a network of its own beside the web host, and words for what it is told. */

import { NEEDS } from "./web_host.ts";
import { PAGE } from "./web_site.ts";

/** What such a test needs. */
export const PROBE_NEEDS = [...NEEDS, "/usr/bin/ping", "/usr/sbin/nft"] as const;

/** An agent that probes its site each second, and words for what each outlet says. */
export const PROBE = String.raw`
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
deadline = 800ms
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
