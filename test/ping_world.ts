/**
 * Worlds with a load balancer and a host behind this one, each in a network namespace of its own, that ping as balancers do: with
 * one id for ever, and with fresh ones.
 *
 *     lb 10.9.0.2, fd00:9::2  ──  web 10.9.0.1, fd00:9::1  ──  inner 10.8.0.2, fd00:8::2
 */

import { join } from "node:path";
import { compileModule } from "../scripts/compile_module.ts";
import type { Need } from "./needs.ts";
import { WITHIN } from "./within.ts";
import { inWorldOk } from "./world.ts";

/** What such a test needs. */
export const PING_NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  "/usr/sbin/ip",
  "/usr/bin/ping",
  "/usr/sbin/nft",
  "/usr/sbin/sysctl",
  "/usr/bin/curl",
  "/usr/bin/perl",
];

/** Shell that a script begins with. */
const HOST = String.raw`
fail() { echo "failed: $*" >&2; cat /tmp/agent.log /tmp/agent.err >&2 || true; nft list ruleset >&2 || true; exit 1; }
touch /tmp/agent.log /tmp/agent.err
ip netns add lb; ip netns add inner
ip link add outside type veth peer name eth0 netns lb
ip link add inside type veth peer name eth0 netns inner
at() { ip netns exec "$@"; }
ip addr add 10.9.0.1/24 dev outside; ip -6 addr add fd00:9::1/64 dev outside nodad
ip addr add 10.8.0.1/24 dev inside; ip -6 addr add fd00:8::1/64 dev inside nodad
ip link set outside up; ip link set inside up
for net in lb:9 inner:8; do
  name=${"${net%:*}"} number=${"${net#*:}"}
  at $name ip addr add 10.$number.0.2/24 dev eth0
  at $name ip -6 addr add fd00:$number::2/64 dev eth0 nodad
  at $name ip link set eth0 up; at $name ip link set lo up
  at $name ip route add default via 10.$number.0.1
  at $name ip -6 route add default via fd00:$number::1
done
at lb ip addr add 10.9.0.3/24 dev eth0; at lb ip -6 addr add fd00:9::3/64 dev eth0 nodad
sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1

# A web server for both families.
perl -MIO::Socket::IP -e '
  $server = IO::Socket::IP->new(LocalHost => "::", LocalPort => 80, Listen => 5, ReuseAddr => 1, V6Only => 0) or die;
  exit if fork;
  $SIG{PIPE} = "IGNORE";
  while ($client = $server->accept) { while (<$client>) { last if /^\r?\n/ } print $client "HTTP/1.0 200 OK\r\n\r\nserved\n"; close $client }'
serves() { at lb curl -s -m 3 -o /dev/null "http://$1/"; }

# One ping each, with an id of its own.
fresh() { at lb ping -n -c 1 -W 1 "$@" >/dev/null; }
fresh_both() { fresh 10.9.0.1 && fresh fd00:9::1; }
no_fresh() { ! fresh 10.9.0.1 && ! fresh fd00:9::1; }

# Pings that go on with one id, ten a second.
stream() { at lb ping -n -i 0.1 -I "$2" "$1" >"/tmp/stream-$3" & }
stream 10.9.0.1 10.9.0.2 4; stream fd00:9::1 fd00:9::2 6
replies() { grep -c 'bytes from' "/tmp/stream-$1" || true; }
flows() { local before after; before=$(replies "$1"); sleep 0.6; after=$(replies "$1"); [ "$after" -gt "$before" ]; }
is_dry() { ! flows "$1"; }
both_flow() { flows 4 && flows 6; }
both_dry() { is_dry 4 && is_dry 6; }

${WITHIN}
late() { fail "late"; }

# All that must go on while pings meet silence.
timestamp_answered() { at lb perl -MSocket -e '
  socket(S, AF_INET, SOCK_RAW, getprotobyname("icmp")) or die;
  my $body = pack("C2 S> S> S> N3", 13, 0, 0, 77, 1, 0, 0, 0);
  my $sum = 0; $sum += $_ for unpack("n*", $body); $sum = ($sum & 0xffff) + ($sum >> 16);
  substr($body, 2, 2) = pack("n", ~$sum & 0xffff);
  send(S, $body, 0, sockaddr_in(0, inet_aton("10.9.0.1"))) or die;
  $SIG{ALRM} = sub { exit 1 }; alarm 2;
  while (recv(S, my $reply, 1500, 0)) { exit 0 if unpack("C", substr($reply, 20, 1)) == 14 }'; }
untouched() {
  serves 10.9.0.1 && serves '[fd00:9::1]' || fail "tcp"
  fresh 10.8.0.2 && fresh fd00:8::2 || fail "forwarded pings"
  ping -n -c 1 -W 1 10.9.0.2 >/dev/null && ping -n -c 1 -W 1 fd00:9::2 >/dev/null || fail "own pings"
  # Neighbours are found anew.
  at lb ip neigh flush all; ip neigh flush all
  serves '[fd00:9::1]' && serves 10.9.0.1 || fail "neighbours"
  timestamp_answered || fail "other types of ICMP"
}

# The agent, and what it is told.
mkfifo /tmp/wishes; exec 3<>/tmp/wishes
agent() { "$agent_program" "$@" <&3 >>/tmp/agent.log 2>>/tmp/agent.err & agent_pid=$!; }
want() { echo "$1" >&3; }
is_told() { tail -n 1 /tmp/agent.log | grep -qF -- "$1"; }
told() { within 20 is_told "$1"; }
end_agent() { kill -TERM "$agent_pid"; wait "$agent_pid" || fail "the agent ended with $?"; }
kill_agent() { kill -KILL "$agent_pid"; wait "$agent_pid" || true; }
v4() { sysctl -n net.ipv4.icmp_echo_ignore_all; }
v6() { sysctl -n net.ipv6.icmp.echo_ignore_all; }
within 5 fresh_both
within 5 both_flow
`;

let program: Promise<string> | undefined;

/**
 * Runs a script beside such neighbours. `agent` starts the agent there, compiled as the binary is, with its permissions.
 *
 * @param bind Whether there is a proc root
 * @returns What it printed to standard output
 * @throws {Error} If it exits with another code than 0
 */
export async function besideBalancer(script: string, bind = true): Promise<string> {
  program ??= compileAgent();
  const path = await program;
  const whole = `agent_program=${path}\n${HOST}${script}`;
  return await inWorldOk(whole, { bind, share: [join(path, "..")], deadlineMs: 120_000 });
}

/** Gone with the process that runs the tests: each file of tests compiles it once. */
async function compileAgent(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-pings-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const output = join(folder, "ping_agent");
  await compileModule("test/ping_agent.ts", output);
  return output;
}
