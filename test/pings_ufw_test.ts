import type { Need } from "./needs.ts";
import { testNeeding } from "./needs.ts";
import { besideBalancer, PING_NEEDS } from "./ping_world.ts";

const NEEDS: readonly Need[] = [...PING_NEEDS, "/usr/sbin/ufw", "/usr/sbin/iptables"];

/** A host that ufw guards, as it is shipped, with its web let in and what it forwards too. */
const UFW = String.raw`
sed -i 's/DEFAULT_FORWARD_POLICY="DROP"/DEFAULT_FORWARD_POLICY="ACCEPT"/' /etc/default/ufw
sed -i 's|^#net/ipv4/ip_forward|net/ipv4/ip_forward|; s|^#net/ipv6/conf/all/forwarding|net/ipv6/conf/all/forwarding|' /etc/ufw/sysctl.conf
ufw allow 80/tcp >/dev/null
ufw --force enable >/dev/null
within 5 fresh_both
cp -a /etc/ufw /tmp/ufw-before
same_rules() { diff -r /tmp/ufw-before /etc/ufw && [ "$(stat -c '%a %u %g %Y' /etc/ufw/before*.rules)" = "$(stat -c '%a %u %g %Y' /tmp/ufw-before/before*.rules)" ]; }
`;

testNeeding(
  NEEDS,
  "pings of ufw: fresh ones meet silence, and the rules come back as they were",
  async () => {
    await besideBalancer(String.raw`
    ${UFW}
    agent ufw 1000; want answered; told '"pings":"answered","mechanism":"ufw","changed":false'
    want silent; told '"pings":"silent","mechanism":"ufw","changed":true'
    no_fresh || fail "fresh pings"
    # As it is documented: ufw accepts what is established before it looks.
    flows 4 || fail "a pinger that goes on is not reached by ufw"
    fresh 10.8.0.2 && fresh fd00:8::2 || fail "forwarded pings"
    ping -n -c 1 -W 1 fd00:9::2 >/dev/null || fail "own pings"
    serves 10.9.0.1 && serves '[fd00:9::1]' || fail "tcp"
    [ "$(diff /tmp/ufw-before/before.rules /etc/ufw/before.rules | grep -c '^[<>]')" = 2 ] || fail "more than a line"
    [ "$(diff /tmp/ufw-before/before6.rules /etc/ufw/before6.rules | grep -c '^[<>]')" = 2 ] || fail "more than a line"
    cmp /etc/ufw/before.rules.loadweir-original /tmp/ufw-before/before.rules || fail "the original"
    [ "$(stat -c '%a %u %g' /etc/ufw/before.rules)" = "640 0 0" ] || fail "owner and mode"
    # What somebody puts back is edited again.
    cp /tmp/ufw-before/before.rules /etc/ufw/before.rules; ufw reload >/dev/null
    told 'somebody had put the rules back, they are edited again'
    within 4 no_fresh
    cp -p /tmp/ufw-before/before.rules /tmp/kept
    want answered; told '"pings":"answered","mechanism":"ufw","changed":true'
    fresh_both || fail "answers"
    diff -r /tmp/ufw-before /etc/ufw || fail "rules"
    [ "$(ls /run/loadweir/state)" = "pings.lock" ] || fail "$(ls /run/loadweir/state)"
  `);
  },
);

testNeeding(
  NEEDS,
  "pings of ufw: owner, mode and times come back, and what others edited meanwhile stays",
  async () => {
    await besideBalancer(String.raw`
    ${UFW}
    agent ufw 1000; want silent; told '"pings":"silent"'
    end_agent
    fresh_both || fail "answers after a clean stop"
    same_rules || fail "not undone exactly"
    : >/tmp/agent.log
    agent ufw 1000; want silent; told '"pings":"silent"'
    sed -i 's/^COMMIT/# a line of somebody else\nCOMMIT/' /etc/ufw/before.rules
    end_agent
    fresh_both || fail "answers"
    grep -q 'a line of somebody else' /etc/ufw/before.rules || fail "their line is gone"
    sed -i '/a line of somebody else/d' /etc/ufw/before.rules
    diff -r /tmp/ufw-before /etc/ufw || fail "rules"
  `);
  },
);

testNeeding(
  NEEDS,
  "pings of ufw: one that is killed, and a reboot, are taken up by the next agent",
  async () => {
    await besideBalancer(String.raw`
    ${UFW}
    agent ufw 1000; want silent; told '"pings":"silent"'
    kill_agent
    no_fresh || fail "silence outlives its agent"
    rm -r /run/loadweir/state
    # Another mode next time, as after the configuration was changed.
    : >/tmp/agent.log
    agent nft 1000; want answered; told '"pings":"answered"'
    fresh_both || fail "answers"
    same_rules || fail "rules"
    end_agent
    # Put back, and killed before ufw has loaded it.
    agent ufw 1000; want silent; told '"pings":"silent"'
    kill_agent
    for file in before.rules before6.rules; do mv /etc/ufw/$file.loadweir-original /etc/ufw/$file; done
    : >/tmp/agent.log
    agent ufw 1000; want answered; told '"pings":"answered"'
    fresh_both || fail "answers"
    same_rules || fail "rules"
  `);
  },
);

testNeeding(NEEDS, "pings of ufw: nothing is loaded that could close the host", async () => {
  await besideBalancer(String.raw`
    ${UFW}
    # Somebody's mistake, not loaded yet: a reload would leave the host half closed.
    sed -i 's/^COMMIT/-A ufw-after-input --no-such-thing\nCOMMIT/' /etc/ufw/after.rules
    agent ufw 1000; want silent
    told 'Cannot reload ufw: /etc/ufw/after.rules does not pass its test'
    fresh_both && serves 10.9.0.1 && curl -s -m 2 -o /dev/null http://127.0.0.1/ || fail "host"
    cp -p /tmp/ufw-before/after.rules /etc/ufw/after.rules
    told '"pings":"silent"'
    # A mistake comes in while the host is silent: the files are put back, and loaded when it is mended.
    sed -i 's/^COMMIT/-A ufw-after-input --no-such-thing\nCOMMIT/' /etc/ufw/after.rules
    want answered
    told 'Cannot let pings be answered again'
    serves 10.9.0.1 && curl -s -m 2 -o /dev/null http://127.0.0.1/ || fail "host"
    cp -p /tmp/ufw-before/after.rules /etc/ufw/after.rules
    told '"pings":"answered"'
    fresh_both || fail "answers"
    same_rules || fail "rules"
    end_agent
    ufw disable >/dev/null
    : >/tmp/agent.log
    agent ufw 1000; want silent; told 'Cannot use ufw: it is off'
    fresh_both || fail "off"
    [ ! -e /etc/ufw/before.rules.loadweir-original ] || fail "edited for nothing"
  `);
});

testNeeding(NEEDS, "pings of ufw: a host found silent stays silent", async () => {
  await besideBalancer(String.raw`
    ${UFW}
    sed -ri 's/^(-A ufw6?-before-input .*echo-request -j) ACCEPT/\1 DROP/' /etc/ufw/before.rules /etc/ufw/before6.rules
    ufw reload >/dev/null
    within 4 no_fresh
    cp -a /etc/ufw /tmp/ufw-found
    agent ufw 1000; want silent; told '"pings":"found-silent"'
    want answered; told "ufw's rules drop echo requests, which was not set here"
    end_agent
    : >/tmp/agent.log
    agent auto 1000; want answered; told '"pings":"found-silent"'
    end_agent
    no_fresh || fail "silence of somebody else was ended"
    diff -r /tmp/ufw-found /etc/ufw || fail "rules"
  `);
});

for (const mode of ["auto", "sysctl"]) {
  testNeeding(NEEDS, `pings of ${mode}: a reload of ufw ends no silence for more than a tick`, async () => {
    await besideBalancer(String.raw`
      ${UFW}
      agent ${mode} 1000; want silent; within 4 both_dry
      ufw reload >/dev/null
      sleep 2
      both_dry && no_fresh || fail "silence after a reload"
      ufw disable >/dev/null; ufw --force enable >/dev/null
      sleep 2
      both_dry && no_fresh || fail "silence after ufw was off and on"
      serves 10.9.0.1 || fail "tcp"
      want answered; within 4 fresh_both
      both_flow || fail "one id"
      diff -r /tmp/ufw-before /etc/ufw || fail "rules"
    `);
  });
}

testNeeding(
  NEEDS,
  "pings of ufw: an edit that fails leaves nothing behind, and is made once it can be",
  async () => {
    await besideBalancer(String.raw`
    ${UFW}
    mkdir -p /etc/ufw/before.rules.loadweir-new/in-the-way
    agent ufw 1000; want silent; told 'Directory not empty'
    sleep 2
    [ ! -e /etc/ufw/before.rules.loadweir-original ] || fail "an original of what was not edited"
    fresh_both || fail "answers"
    rm -r /etc/ufw/before.rules.loadweir-new
    told '"pings":"silent","mechanism":"ufw"'
    no_fresh || fail "fresh pings"
    end_agent
    same_rules || fail "not undone exactly"
  `);
  },
);
