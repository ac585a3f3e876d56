import { assertEquals } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onOutletHost } from "./outlets_world.ts";

/** HAProxy at the balancer: one server by agent-check, one by the page, one by a HEAD that strict servers refuse. */
const HAPROXY = String.raw`
cat >/tmp/haproxy.cfg <<END
global
  stats socket /tmp/haproxy.sock level admin
defaults
  mode http
  timeout connect 2s
  timeout client 5s
  timeout server 5s
backend by-agent
  server web 10.77.0.1:80 weight 100 check port 9807 inter 200ms agent-check agent-port 9808 agent-inter 200ms agent-send "web-1\n"
backend by-page
  option httpchk GET /healthz
  http-check expect status 200
  server web 10.77.0.1:80 check port 9807 inter 200ms fall 1 rise 1
backend by-page-of-ipv6
  option httpchk
  http-check send meth HEAD uri /healthz ver HTTP/1.0 hdr Content-Length -1x
  http-check expect status 200
  server web [fd00:77::1]:80 check port 9807 inter 200ms fall 1 rise 1
END
balancer haproxy -q -db -f /tmp/haproxy.cfg >/tmp/haproxy.log 2>&1 & haproxy_pid=$!
ask() { perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new("/tmp/haproxy.sock") or exit 1; print $s "$ARGV[0]\n"; print <$s>' "$1"; }
status() { ask 'show stat' | awk -F, -v b="$1" '$1 == b && $2 == "web" { split($18, word, " "); print word[1], $19 }'; }
is() { [ "$(status "$1")" = "$2" ]; }
`;

testNeeding(
  [...NEEDS, "/usr/sbin/haproxy"],
  "outlets move a server of a real HAProxy to DRAIN and back, and give it half of the visitors",
  async () => {
    const output = await onOutletHost(String.raw`${HAPROXY}
play in
outlets :: 10.77.0.1
all_up() { is by-agent 'UP 100' && is by-page 'UP 1' && is by-page-of-ipv6 'UP 1'; }
within 10 all_up
play drained
within 5 is by-agent 'DRAIN 100'
within 5 is by-page 'DOWN 1'
within 5 is by-page-of-ipv6 'DOWN 1'
play in block
within 5 is by-agent 'UP 50'
within 5 is by-page 'UP 1'
play late
within 5 is by-page 'DOWN 1'
within 5 is by-agent 'UP 100'
play drained
within 5 is by-agent 'DRAIN 100'
# An agent that is late takes no drain back.
play late
sleep 1
is by-agent 'DRAIN 100'
# One that is ended does.
kill -TERM "$outlets_pid"; wait "$outlets_pid"
within 5 is by-agent 'DOWN 100' # Its own check connects to the port that is closed now.
ask 'show servers state by-agent' | awk '$4 == "web" { print "admin state", $7 }'
kill "$haproxy_pid"
cat /tmp/told`);
    assertEquals(output, "admin state 0\nclosed\n");
  },
);

testNeeding(
  [...NEEDS, "/usr/sbin/haproxy"],
  "outlets answer a real HAProxy while hundreds hold connections open, and go on when files run out",
  async () => {
    // As HAProxy asks by default: every 2 s, waiting as long, but one failure is one too many here.
    const haproxy = HAPROXY.replaceAll("inter 200ms fall 1", "inter 2s fastinter 500ms fall 1");
    const output = await onOutletHost(String.raw`${haproxy}
# Connections that say nothing, and are made again when they are closed.
hold() { exec ip netns exec balancer perl -MIO::Socket::INET -MIO::Select -e '
  sub more { $select->add(IO::Socket::INET->new(PeerAddr => "10.77.0.1", PeerPort => $_[0], Timeout => 2) // return) }
  $select = IO::Select->new; more($ARGV[0]) for 1 .. $ARGV[1];
  for (;;) { for ($select->can_read(1)) { $select->remove($_); $port = $_->peerport; close $_; more($port) } }' "$@"; }
play in
outlets :: 10.77.0.1
up() { is by-agent 'UP 100' && is by-page 'UP 1' && is by-page-of-ipv6 'UP 1'; }
within 10 up
hold 9807 300 & one=$!
hold 9808 300 & two=$!
# One failure is one too many for HAProxy here, and a machine that is busy may cost one.
ups=0; for second in 1 2 3 4 5; do sleep 1; if up; then ups=$((ups + 1)); fi; done
[ "$ups" -ge 4 ] || { status by-agent; status by-page; exit 1; }
told 'HTTP on [::]:9807: 128 connections that do not end, the oldest are closed for new ones'
kill "$one" "$two"
few_files() { [ "$(ls "/proc/$outlets_pid/fd" | wc -l)" -lt 60 ]; }
within 10 few_files
# Peers that are gone before their turn.
kill -STOP "$outlets_pid"
balancer perl -MIO::Socket::INET -MSocket -e 'for (1 .. 50) { $s = IO::Socket::INET->new("10.77.0.1:9807") or die;
  setsockopt $s, SOL_SOCKET, SO_LINGER, pack("ii", 1, 0); close $s }'
kill -CONT "$outlets_pid"
within 10 up
prlimit --pid "$outlets_pid" --nofile=60:60
hold 9807 100 & one=$!
within 5 told 'HTTP on [::]:9807: cannot take a connection: Too many open files'
kill "$one"
within 10 up
grep -e HTTP /tmp/told`);
    // Each once, however often it came and went.
    assertEquals(output.trim().split("\n").sort(), [
      "loadweir: HTTP on [::]:9807: 128 connections that do not end, the oldest are closed for new ones",
      "loadweir: HTTP on [::]:9807: cannot take a connection: Too many open files (os error 24); trying again",
    ]);
  },
);

testNeeding(
  [...NEEDS, "/usr/bin/curl"],
  "outlets answer from elsewhere over both families, and outlive ports in use and addresses that come late",
  async () => {
    const output = await onOutletHost(String.raw`
perl -MIO::Socket::INET -e 'exit if fork;
  $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:9808", Listen => 5) or die; sleep 3'
play in
outlets ::,2001:db8::1,localhost 10.77.0.1,127.0.0.1,10.77.0.9,::1
code() { balancer curl -s -m 3 -o /dev/null -w '%{http_code} ' "$@"; }
within 5 code http://10.77.0.1:9807/healthz >/dev/null
code http://10.77.0.1:9807/healthz; code 'http://[fd00:77::1]:9807/healthz'; code -I http://10.77.0.1:9807/livez
code http://10.77.0.1:9807/; code -X POST -d x=y http://10.77.0.1:9807/healthz; code -0 'http://10.77.0.1:9807/healthz?x'
code http://10.77.0.1:9807/healthz -H "X: $(head -c 30000 /dev/zero | tr '\0' x)"; echo
balancer curl -s http://10.77.0.1:9807/livez; 
raw ::1 9808
# Whoever closes with something unread resets the connection, which may cost a peer the reply.
balancer perl -MIO::Socket::IP -e 'for (9807, 9808) { $s = IO::Socket::IP->new("10.77.0.1:$_") or die;
  print $s "x" x 50000; $s->flush; print substr(<$s>, 0, 13), "\n" }'
awk '$1 == "TcpExt:" { if (!n) { for (i = 2; i <= NF; i++) if ($i == "TCPAbortOnClose") n = i } else print "resets:", $n }' /proc/net/netstat
told '127.0.0.1:9808: another program listens there'
told '10.77.0.9:9808: this host does not have the address now'
ip addr add 10.77.0.9/32 dev lo
line() { [ "$(raw "$1" 9808)" = 'ready up 100%' ]; }
within 10 line 10.77.0.9
within 10 line 127.0.0.1
kill -TERM "$outlets_pid"; wait "$outlets_pid"
sort /tmp/told`);
    assertEquals(output.split("\n"), [
      "200 200 200 404 405 200 200 ",
      '{"status":"pass","ageMs":0}',
      "ready up 100%",
      "HTTP/1.1 414 ",
      "ready up 100%",
      "resets: 0",
      "closed",
      'loadweir: HTTP on [2001:db8::1]:9807: "2001:db8::1" cannot be listened on, of IPv6 only :: (all addresses) and ::1 can',
      'loadweir: HTTP on localhost:9807: "localhost" is no IP address, expected one such as 127.0.0.1, 0.0.0.0 (all of IPv4) or ::',
      "loadweir: agent-check on 10.77.0.9:9808: this host does not have the address now; trying again",
      "loadweir: agent-check on 10.77.0.9:9808: well again",
      "loadweir: agent-check on 127.0.0.1:9808: another program listens there, look at ss -ltnp; trying again",
      "loadweir: agent-check on 127.0.0.1:9808: well again",
      "",
    ]);
  },
);

/** keepalived on the host and on a second one; the host has the greater priority. */
const KEEPALIVED = String.raw`
mkdir /tmp/keepalived
conf() { cat <<END
track_file loadweir {
  file "$1"
}
vrrp_instance web {
  state BACKUP
  interface $2
  virtual_router_id 7
  priority $3
  advert_int 0.1
  version 3
  virtual_ipaddress {
    10.77.0.9/32
  }
  track_file {
    loadweir
  }
}
END
}
begin() { local name=$1; shift
  "$@" keepalived -n -l -D -f /tmp/keepalived/$name.conf -p /tmp/keepalived/$name.pid -r /tmp/keepalived/$name.vrrp \
    -c /tmp/keepalived/$name.check >/tmp/keepalived/$name.log 2>&1 & }
echo 0 >/tmp/keepalived/track
conf /run/loadweir/state/keepalived to-balancer 150 >/tmp/keepalived/host.conf
conf /tmp/keepalived/track to-host 100 >/tmp/keepalived/other.conf
has() { case $1 in host) ip -br addr show to-balancer ;; other) balancer ip -br addr show to-host ;; esac | grep -q 10.77.0.9; }
at() { local there=host not=other; [ "$1" = host ] || { there=other not=host; }; has $there && ! has $not; }
priority() { grep -o 'effective priority from .*' /tmp/keepalived/host.log; }
`;

testNeeding(
  [...NEEDS, "/usr/sbin/keepalived"],
  "outlets have a real keepalived move the address away and back, and keep it where all hosts are out",
  async () => {
    const output = await onOutletHost(String.raw`${KEEPALIVED}
play in
outlets
within 5 test -s /run/loadweir/state/keepalived
begin host env; host_pid=$!
begin other ip netns exec balancer; other_pid=$!
within 15 at host
play drained
within 10 at other
play in
within 10 at host
play drained
within 10 at other
# What is not known moves nothing.
play late
sleep 1
at other
# When all are out, one has the address all the same.
echo -253 >/tmp/keepalived/track
sleep 2
has host || has other
echo 0 >/tmp/keepalived/track
# A clean end gives the address back.
kill -TERM "$outlets_pid"; wait "$outlets_pid"
within 10 at host
kill "$host_pid" "$other_pid"
priority`);
    assertEquals(
      output,
      [150, 1, 150, 1, 150].map((from, index, all) => {
        const to = all[index + 1];
        return to === undefined ? "" : `effective priority from ${from} to ${to}\n`;
      }).join(""),
    );
  },
);
