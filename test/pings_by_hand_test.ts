import { BINARIES } from "./binaries.ts";
import type { Need } from "./needs.ts";
import { testNeeding } from "./needs.ts";
import { besideBalancer, PING_NEEDS } from "./ping_world.ts";

const [binary] = BINARIES;
const NEEDS: readonly Need[] = [...PING_NEEDS, ...binary?.needs ?? []];

/** What a verb printed and how it ended must be this, to the letter. */
const SAYS = String.raw`
says() { # EXIT STDOUT STDERR-PATTERN VERB...
  local code=0 want_code=$1 want_out=$2 want_err=$3; shift 3
  ${binary?.command} "$@" >/tmp/out 2>/tmp/err || code=$?
  [ "$code" = "$want_code" ] || fail "$*: exit $code: $(cat /tmp/out /tmp/err)"
  [ "$(cat /tmp/out)" = "$want_out" ] || fail "$*: said $(cat /tmp/out)"
  grep -qE -- "^$want_err$" <(cat /tmp/err; [ -s /tmp/err ] || echo) || fail "$*: complained $(cat /tmp/err)"
}
blocked='ICMP ping requests are now being blocked.'
allowed='ICMP ping requests are now allowed.'
`;

for (const mode of ["auto", "nft", "sysctl", "ufw"]) {
  const needs: readonly Need[] = mode === "ufw" ? [...NEEDS, "/usr/sbin/ufw", "/usr/sbin/iptables"] : NEEDS;
  testNeeding(needs, `block-pings and allow-pings by ${mode} say what they change, once`, async () => {
    await besideBalancer(String.raw`
      ${SAYS}
      # The first reload of ufw gives other rules than its start.
      if [ ${mode} = ufw ]; then ufw --force enable >/dev/null; ufw reload >/dev/null; fi
      nft list ruleset >/tmp/rules-before
      says 0 '' '' allow-pings --mode ${mode}
      says 0 "$blocked" '' block-pings --mode ${mode}
      no_fresh || fail "fresh pings"
      [ ${mode} = ufw ] || both_dry || fail "pings with one id"
      says 0 '' '' block-pings --mode ${mode}
      no_fresh || fail "fresh pings, said twice"
      # Whichever way it was done, it is ended.
      says 0 "$allowed" '' allow-pings
      within 4 fresh_both
      both_flow || fail "pings with one id"
      says 0 '' '' allow-pings
      nft list ruleset | sed 's/counter packets.*bytes [0-9]*//' >/tmp/rules-after
      sed -i 's/counter packets.*bytes [0-9]*//' /tmp/rules-before
      diff /tmp/rules-before /tmp/rules-after || fail "rules"
      [ "$(ls /run/loadweir/state | grep -v lock || true)" = "" ] || fail "$(ls /run/loadweir/state)"
    `);
  });
}

testNeeding(NEEDS, "block-pings without end outlives all that an agent's silence does not", async () => {
  await besideBalancer(String.raw`
    ${SAYS}
    says 0 "$blocked" '' block-pings --mode nft
    sleep 5
    both_dry && no_fresh || fail "it has ended by itself"
    says 0 "$blocked" '' block-pings --mode sysctl
    [ "$(v4) $(v6)" = "1 1" ] && ! nft list table inet loadweir_by_hand 2>/dev/null || fail "one way at a time"
    says 0 "$allowed" '' allow-pings
    says 0 "$blocked" '' block-pings --mode nft --for 2s
    no_fresh || fail "for a time"
    within 4 fresh_both
    says 0 '' '' allow-pings
    says 0 "$blocked" '' block-pings --mode nft --for 1h
    both_dry || fail "for an hour"
    says 0 "$allowed" '' allow-pings
  `);
});

testNeeding(NEEDS, "block-pings and an agent leave each other's silence alone", async () => {
  await besideBalancer(String.raw`
    ${SAYS}
    for mode in nft sysctl; do
      : >/tmp/agent.log
      agent $mode 1000; want answered; told '"pings":"answered"'
      says 0 "$blocked" '' block-pings --mode $mode
      sleep 4; no_fresh || fail "the agent ended what was done by hand, by $mode"
      # Both: each ends its own.
      want silent; sleep 2; want answered; sleep 2
      no_fresh || fail "by hand is ended by the agent, by $mode"
      want silent; sleep 2
      ${binary?.command} allow-pings --mode $mode >/dev/null 2>&1 || fail "allow-pings"
      no_fresh || fail "the agent's is ended by hand, by $mode"
      want answered; within 4 fresh_both
      # By hand while the agent is silent, and the agent goes.
      want silent; within 4 no_fresh
      ${binary?.command} block-pings --mode $mode >/dev/null 2>&1
      end_agent
      no_fresh || fail "by hand ended with the agent, by $mode"
      says 0 "$allowed" '' allow-pings
      fresh_both || fail "answers"
      [ "$(v4) $(v6)" = "0 0" ] || fail "switches"
    done
  `);
});

testNeeding(NEEDS, "block-pings and allow-pings need root and a mode that there is", async () => {
  await besideBalancer(String.raw`
    ${SAYS}
    for verb in block-pings allow-pings; do
      code=0
      setpriv --reuid 65534 --regid 65534 --clear-groups ${binary?.command} $verb >/tmp/out 2>/tmp/err || code=$?
      [ "$code $(cat /tmp/out /tmp/err)" = "1 This script must be run by root." ] || fail "$code $(cat /tmp/out /tmp/err)"
      says 2 '' 'loadweir: --mode is "off", expected auto, nft, sysctl, ufw' $verb --mode off
      says 2 '' 'loadweir: unexpected "now" after .*' $verb now
    done
    says 2 '' 'loadweir: --for needs --mode nft: nothing else ends by itself' block-pings --for 5m
    says 2 '' 'loadweir: --for is "soon", expected .*' block-pings --mode nft --for soon
    fresh_both || fail "something was done"
    # One that cannot is told, and nothing stays half done.
    mv /usr/sbin/nft /usr/sbin/nft.gone
    says 1 '' 'loadweir: Cannot stop answering pings, by nft: "/usr/sbin/nft .*" could not be started: .*' block-pings --mode nft
    says 1 '' 'loadweir: Cannot stop answering pings, by ufw: Cannot use ufw: it is off, .*' block-pings --mode ufw
    says 0 "$blocked" '' block-pings
    [ "$(v4) $(v6)" = "1 1" ] || fail "sysctl stands in"
    says 0 "$allowed" '' allow-pings
    # A host that somebody else has silenced.
    sysctl -q -w net.ipv4.icmp_echo_ignore_all=1
    says 0 '' 'loadweir: pings are not answered, and that is not ours to end; net.ipv4.icmp_echo_ignore_all is 1, which was not set here' allow-pings
    [ "$(v4)" = 1 ] || fail "ended"
  `);
});
