/** Sensors that fail or lie: a load that is gone or another's, a host without ps, a clock that is set back. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

testNeeding(NEEDS, "a container that sees the load of its host blocks crawlers at most", async () => {
  const output = await onWebHost(
    "sysv",
    `# Three thousand tasks on the machine, and a few dozen of them in here.
printf '0.40 0.40 0.40 9/3000 4242\\n' >/tmp/loadavg
agent
sleep 2
printf '%s.00 %s.00 %s.00 9/3000 4242\\n' $((20 * $(nproc))) $((20 * $(nproc))) $((20 * $(nproc))) >/tmp/loadavg
sleep 3
up
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(
    output,
    /the load is that of the host around this container: .*; pausing our web would not lower it/,
  );
  assertMatch(output, /tier=spider phase=recheck load1=2000\.0/);
});

testNeeding(NEEDS, "a load that cannot be read any more gives a pause back after a minute", async () => {
  const output = await onWebHost(
    "sysv",
    `agent
play 700
within 20 down
: >/tmp/loadavg
sleep 50
refuses 80
within 30 up
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /reason=load-lost-in-hold alert=load-lost-in-hold/);
});

testNeeding(NEEDS, "without ps nothing is stopped, and what was stopped is started", async () => {
  const output = await onWebHost(
    "sysv",
    `printf 'spider = 9000\\nmax = 9001\\ncrit = 9002\\n' >>/etc/loadweir/loadweir.ini
umount /run/loadweir/proc/loadavg
umount -l /run/loadweir/proc
# Without a proc root a script that could end an nginx that is not ours is not run.
kill $(pgrep -f '^nginx: master process nginx -c /srv/second/'); sleep 0.5
tools() { for tool in ps vmstat; do mv "/usr/bin/$tool$1" "/usr/bin/$tool$2"; done; }
tools '' .away
agent
within 5 test -e /run/loadweir/state/ledger.json
loadweir hold --for 10m "a test"
within 10 grep -q 'Cannot see what serves the web' /tmp/agent.log
up
loadweir release
tools .away ''
loadweir hold --for 10m "a test"
within 30 refuses 80
tools '' .away
loadweir release
within 30 up
tools .away ''
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /ALERT Web could not be paused completely/);
});

testNeeding(
  [...NEEDS, FAKETIME],
  "a clock that is set back an hour in a pause neither lengthens it nor shortens it",
  async () => {
    const output = await onWebHost(
      "sysv",
      `printf '[web]\\nmax_hold = 10s\\n' >>/etc/loadweir/loadweir.ini
echo +0 >/tmp/clock
export FAKETIME_TIMESTAMP_FILE=/tmp/clock FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1
export LD_PRELOAD=${FAKETIME}
agent 2>/dev/null
unset LD_PRELOAD
play 700
within 20 down
SECONDS=0
echo -1h >/tmp/clock
cp /bin/bash /tmp/busy; /tmp/busy -c 'while :; do :; done' & busy_pid=$!
sleep 6
refuses 80
within 20 up
[ "$SECONDS" -ge 8 ] || { echo "up after $SECONDS s"; exit 1; }
sleep 2; kill "$busy_pid"
loadweir hold --for 4s "a test"
within 5 down
within 10 up
play 20
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /reason=max-hold-reached alert=max-hold-reached/);
    assertMatch(
      output,
      /ALERT Pause reached its deadline, the web is not the cause.*; busy.* \(pid \d+\): \d+ % of one CPU/,
    );
    const times = [...output.matchAll(/^ts=(\S+) /gm)].map(([, time]) => Date.parse(time ?? ""));
    assertEquals(times.some((time, index) => time < (times[index - 1] ?? 0) - 3_500_000), true);
  },
);
