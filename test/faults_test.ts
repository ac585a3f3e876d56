import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

testNeeding(
  NEEDS,
  "one broken php-fpm does not keep nginx down, and is tried again until it starts",
  async () => {
    const output = await onWebHost(
      "sysv",
      `agent
play 700
within 20 down
echo 'broken = yes' >>/etc/php/8.2/fpm/php-fpm.conf
play 20
within 20 eval '! refuses 80'
sed -i '/^broken/d' /etc/php/8.2/fpm/php-fpm.conf
within 30 up
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /ALERT Web does not start again, retrying/);
  },
);

testNeeding(NEEDS, "a torn ledger and one from another boot end with the web up", async () => {
  for (const damage of ["head -c 100", `sed 's/"bootId": "[^"]*"/"bootId": "another"/'`]) {
    await onWebHost(
      "sysv",
      `agent
play 700
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
${damage} /run/loadweir/state/ledger.json >/tmp/damaged
cp /tmp/damaged /run/loadweir/state/ledger.json
play 20
agent
within 20 up
end_agent
`,
    );
  }
});

testNeeding(NEEDS, "a full disk stops nothing, and keeps nothing down", async () => {
  const output = await onWebHost(
    "sysv",
    `mkdir -p /run/loadweir/state
mount -t tmpfs -o size=64k tmpfs /run/loadweir/state
agent
within 5 test -e /run/loadweir/state/ledger.json
head -c 1000000 /dev/zero >/run/loadweir/state/filler 2>/dev/null || true
play 700
sleep 4
up
rm /run/loadweir/state/filler
within 20 down
head -c 1000000 /dev/zero >/run/loadweir/state/filler 2>/dev/null || true
play 20
within 20 up
rm /run/loadweir/state/filler
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /Nothing is stopped, because the ledger cannot be written/);
});

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

testNeeding(
  NEEDS,
  "an LD_PRELOAD in the environment keeps nothing from being stopped and started",
  async () => {
    await onWebHost(
      "sysv",
      `export LD_PRELOAD=/usr/lib/nonexistent.so
agent 2>/dev/null
unset LD_PRELOAD
play 700
within 20 down
play 20
within 20 up
end_agent
`,
    );
  },
);

testNeeding(
  NEEDS,
  "a broken nginx configuration and a port that is taken are waited out at the start",
  async () => {
    const output = await onWebHost(
      "no manager",
      `agent
play 700
within 20 down
echo 'broken on;' >/etc/nginx/conf.d/broken.conf
play 20
within 20 pgrep -x php-fpm8.2
within 20 grep -q 'broken.conf:1' /tmp/agent.log
refuses 80
perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(LocalAddr => "0.0.0.0:80", Listen => 1, ReuseAddr => 1) or die; sleep 600' & taker=$!
rm /etc/nginx/conf.d/broken.conf
within 20 grep -q 'attempt\\|retrying' /tmp/agent.log
sleep 8
kill "$taker"; wait "$taker" || true
within 60 up
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /broken\.conf:1/);
  },
);

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

testNeeding(
  NEEDS,
  "a full disk below logs, mails and journal hinders neither a pause nor its end",
  async () => {
    const output = await onWebHost(
      "sysv",
      `printf '[incident]\\nemail = root@example.org\\nreport = ALL\\nuptime_grace = 0\\n' >>/etc/loadweir/loadweir.ini
printf '#!/bin/sh\\nexit 1\\n' >/usr/bin/s-nail; chmod 755 /usr/bin/s-nail; rm -f /usr/sbin/sendmail /usr/bin/mail
for folder in /var/log/loadweir /var/lib/loadweir; do
  mkdir -p $folder
  mount -t tmpfs -o size=16k tmpfs $folder
  head -c 100000 /dev/zero >$folder/filler 2>/dev/null || true
done
agent
play 700
within 20 down
play 20
within 20 up
sleep 1
rm /var/log/loadweir/filler
sleep 2
end_agent
cat /tmp/agent.log
`,
    );
    for (const file of ["incident.log", "journal.jsonl"]) {
      assertMatch(
        output,
        new RegExp(`Cannot write /var/log/loadweir/${file}: no space left on its file system`),
      );
    }
    assertMatch(output, /Cannot keep a mail in \/var\/lib\/loadweir\/mail: no space left/);
  },
);

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

testNeeding(NEEDS, "the program may be replaced in a pause, and a new one goes on with it", async () => {
  await onWebHost(
    "sysv",
    `printf '[incident]\\nemail = root@example.org\\nuptime_grace = 0\\n' >>/etc/loadweir/loadweir.ini
program=$(readlink -f ${LOADWEIR})
cp "$program" /usr/local/bin/loadweir
agent() { /usr/local/bin/loadweir run >>/tmp/agent.log 2>&1 & agent_pid=$!; }
agent
within 5 test -e /run/loadweir/state/ledger.json
cp "$program" /usr/local/bin/loadweir.new
mv /usr/local/bin/loadweir.new /usr/local/bin/loadweir
play 700
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
cp "$program" /usr/local/bin/loadweir.new
mv /usr/local/bin/loadweir.new /usr/local/bin/loadweir
agent
sleep 1
refuses 80
mv /usr/local/bin/loadweir /usr/local/bin/loadweir.old
play 20
within 20 up
innocents
end_agent
`,
  );
});

const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";

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
