import { testNeeding } from "./needs.ts";
import { besideBalancer, PING_NEEDS } from "./ping_world.ts";

/** Rules of somebody else, which accept what is known before they look at anything. */
const OTHER_RULES = String.raw`
nft -f - <<'END'
table inet filter {
  chain input {
    type filter hook input priority 0; policy accept;
    ct state established,related accept
    tcp dport 9 drop
  }
}
table ip others {
  chain out {
    type filter hook output priority 0; policy accept;
    udp dport 9 drop
  }
}
END
nft list ruleset >/tmp/rules-before
`;

for (const [mode, mechanism] of [["auto", "nft"], ["nft", "nft"], ["sysctl", "sysctl"]] as const) {
  testNeeding(
    PING_NEEDS,
    `pings of ${mode}: silence within a tick and answers again, and all else goes on`,
    async () => {
      await besideBalancer(String.raw`
      ${OTHER_RULES}
      agent ${mode} 1000; want answered; sleep 2
      both_flow && fresh_both || fail "answers"
      told '"pings":"answered","mechanism":"${mechanism}","changed":false'
      want silent; sleep 2
      both_dry || fail "pings with one id"; no_fresh || fail "fresh pings"
      untouched
      sleep 4
      both_dry || fail "still no pings with one id"; no_fresh || fail "still no fresh pings"
      told '"pings":"silent","mechanism":"${mechanism}","changed":false'
      want answered; sleep 2
      both_flow || fail "pings with one id again"; fresh_both || fail "fresh pings again"
      want silent; within 3 both_dry
      end_agent
      fresh_both && both_flow || fail "answers after a clean stop"
      nft list ruleset | diff /tmp/rules-before - || fail "rules of others, or a table that stayed"
      [ "$(v4) $(v6)" = "0 0" ] || fail "switches"
      [ "$(ls /run/loadweir/state | grep -v lock || true)" = "" ] || fail "$(ls /run/loadweir/state)"
      [ ! -s /tmp/agent.err ] || fail "errors"
    `);
    },
  );
}

testNeeding(PING_NEEDS, "pings of nft: a killed agent leaves silence for three ticks at most", async () => {
  await besideBalancer(String.raw`
    agent nft 5000; want silent; within 8 both_dry
    kill_agent
    start=$SECONDS
    no_fresh || fail "silence ends with its agent"
    within 15 fresh_both
    # The kernel counts the ticks, however busy the machine is; the last ping may have waited for a second.
    [ $((SECONDS - start)) -le 17 ] || fail "silence for $((SECONDS - start)) s"
    both_flow || fail "pings with one id"
    nft list table inet loadweir | grep -q 'elements' && fail "elements"
    # The next one takes away what is left.
    agent nft 1000; want answered
    gone() { ! nft list table inet loadweir >/dev/null 2>&1; }
    within 5 gone
  `);
});

testNeeding(
  PING_NEEDS,
  "pings of nft: rules that are flushed or changed by others are there again at the next tick",
  async () => {
    await besideBalancer(String.raw`
    agent nft 1000; want silent; within 5 both_dry
    for what in 'flush ruleset' 'delete table inet loadweir' 'flush chain inet loadweir input' \
      'flush set inet loadweir silent' 'add table inet loadweir { flags dormant; }'; do
      nft "$what"
      sleep 2
      both_dry && no_fresh || fail "$what"
    done
    grep -q 'somebody had removed table inet loadweir' /tmp/agent.log || fail "not told"
    end_agent; fresh_both || fail "answers"
  `);
  },
);

testNeeding(PING_NEEDS, "pings of nft: a scope silences its addresses alone", async () => {
  await besideBalancer(String.raw`
    agent nft 1000 10.9.0.2/32 fd00:9::2; want silent; within 5 both_dry
    sleep 2
    ! fresh -I 10.9.0.2 10.9.0.1 && ! fresh -I fd00:9::2 fd00:9::1 || fail "the balancer"
    fresh -I 10.9.0.3 10.9.0.1 && fresh -I fd00:9::3 fd00:9::1 || fail "others"
    end_agent
    : >/tmp/agent.log
    agent nft 1000 10.9.0.0/28; want silent; within 5 is_dry 4
    flows 6 && fresh -I fd00:9::2 fd00:9::1 || fail "a family without address in the scope"
    end_agent
    agent sysctl 1000 10.9.0.2; want silent; within 5 both_dry
    told 'for everybody, since sysctl knows no scope'
  `);
});

for (const bind of [true, false]) {
  const name = bind ? "with" : "without";
  testNeeding(
    PING_NEEDS,
    `pings of sysctl: what others set back is set again, ${name} a proc root`,
    async () => {
      await besideBalancer(
        String.raw`
      agent sysctl 1000; want silent; within 5 both_dry
      sysctl -q -w net.ipv4.icmp_echo_ignore_all=0
      within 2 is_dry 4
      sysctl -q -w net.ipv6.icmp.echo_ignore_all=0
      within 2 is_dry 6
      grep -q '"changed":true,"text":"pings are not answered, by sysctl; somebody had set it back' /tmp/agent.log ||
        fail "not told"
      # One that is killed leaves it, and whoever comes next takes it up.
      kill_agent
      both_dry || fail "silence outlives its agent"
      agent sysctl 1000; want silent; told '"pings":"silent","mechanism":"sysctl","changed":false'
      kill_agent
      agent nft 1000; want answered
      within 10 fresh_both
      [ "$(v4) $(v6)" = "0 0" ] || fail "switches"
      end_agent
    `,
        bind,
      );
    },
  );
}

testNeeding(PING_NEEDS, "pings of sysctl: a host found silent stays silent", async () => {
  await besideBalancer(String.raw`
    sysctl -q -w net.ipv4.icmp_echo_ignore_all=1
    for mode in sysctl auto nft off; do
      : >/tmp/agent.log
      agent $mode 1000; want answered; told '"pings":"found-silent"'
      want silent; sleep 2
      if [ $mode = off ]; then fresh fd00:9::1 || fail "off"; else ! fresh fd00:9::1 || fail "silence of $mode"; fi
      want answered; within 10 fresh fd00:9::1
      end_agent
      [ "$(v4) $(v6)" = "1 0" ] || fail "$mode left $(v4) $(v6)"
      told 'net.ipv4.icmp_echo_ignore_all is 1, which was not set here'
    done
    # Claims of another boot are none.
    echo '{"version":1,"boot":"another","sysctl":["ipv4"],"ufw":false}' >/run/loadweir/state/pings-agent.json
    agent sysctl 1000; want answered; sleep 2; end_agent
    [ "$(v4)" = 1 ] || fail "taken for ours"
    # What nobody can read may be ours.
    echo 'torn' >/run/loadweir/state/pings-agent.json
    agent sysctl 1000; want answered; within 20 fresh 10.9.0.1
  `);
});

testNeeding(PING_NEEDS, "pings of auto: sysctl where nft does not work, or works no more", async () => {
  await besideBalancer(String.raw`
    agent auto 1000; want answered; told '"mechanism":"nft"'
    mv /usr/sbin/nft /usr/sbin/nft.gone
    want silent; within 4 both_dry
    told '"mechanism":"sysctl"'; told 'nft cannot now'
    want answered; within 10 fresh_both
    end_agent
    agent auto 1000; want silent; within 4 both_dry
    told 'nft cannot: \"/usr/sbin/nft -f -\" could not be started'
    # While it lasts, that is not asked again; a new agent has it back.
    mv /usr/sbin/nft.gone /usr/sbin/nft
    kill_agent
    agent auto 1000; want silent; told '"mechanism":"nft"'
    [ "$(v4) $(v6)" = "0 0" ] || fail "both ways at once"
    both_dry || fail "silence from one way to the other"
    end_agent; fresh_both || fail "answers"
  `);
});

testNeeding(PING_NEEDS, "pings of sysctl: where it cannot be remembered or set, it is not done", async () => {
  await besideBalancer(String.raw`
    mkdir -p /run/loadweir/state
    mount -t tmpfs -o size=8k tmpfs /run/loadweir/state
    touch /run/loadweir/state/pings.lock
    cat /dev/zero >/run/loadweir/state/filler 2>/dev/null || true
    agent sysctl 1000; want silent
    told 'no space left on its file system, make room there; pings go on'
    fresh_both || fail "nobody would know who did it"
    rm /run/loadweir/state/filler
    within 3 both_dry
    end_agent; fresh_both || fail "answers"
    umount /run/loadweir/state
    mount -o remount,bind,ro /proc/sys/net
    agent sysctl 1000; want silent; told 'net.ipv4.icmp_echo_ignore_all is not 1'
    [ ! -e /run/loadweir/state/pings-agent.json ] || fail "claimed all the same"
    mount -o remount,bind,rw /proc/sys/net
    within 3 both_dry
  `);
});
