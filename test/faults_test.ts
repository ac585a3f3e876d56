import { assert, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { HOST, MANAGERS, NEEDS } from "./web_host.ts";
import { inWorldOk } from "./world.ts";

testNeeding(
  NEEDS,
  "one broken php-fpm does not keep nginx down, and is tried again until it starts",
  async () => {
    const output = await inWorldOk(
      `${HOST}
${MANAGERS.sysv}
within 10 up
agent
play 700
within 20 down
echo 'broken = yes' >>/etc/php/8.2/fpm/php-fpm.conf
play 20
within 20 eval '! refuses 80'
sed -i '/^broken/d' /etc/php/8.2/fpm/php-fpm.conf
within 30 up
kill -TERM "$agent_pid"; wait "$agent_pid"
cat /tmp/agent.log
`,
      { bind: true, deadlineMs: 120_000 },
    );
    assertMatch(output, /ALERT Web does not start again, retrying/);
  },
);

testNeeding(NEEDS, "a torn ledger and one from another boot end with the web up", async () => {
  for (const damage of ["head -c 100", `sed 's/"bootId": "[^"]*"/"bootId": "another"/'`]) {
    await inWorldOk(
      `${HOST}
${MANAGERS.sysv}
within 10 up
agent
play 700
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
${damage} /run/loadweir/state/ledger.json >/tmp/damaged
cp /tmp/damaged /run/loadweir/state/ledger.json
play 20
agent
within 20 up
kill -TERM "$agent_pid"; wait "$agent_pid"
`,
      { bind: true, deadlineMs: 120_000 },
    );
  }
});

testNeeding(NEEDS, "a full disk stops nothing, and keeps nothing down", async () => {
  const output = await inWorldOk(
    `${HOST}
${MANAGERS.sysv}
within 10 up
mkdir -p /run/loadweir/state
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
kill -TERM "$agent_pid"; wait "$agent_pid"
cat /tmp/agent.log
`,
    { bind: true, deadlineMs: 120_000 },
  );
  assertMatch(output, /Nothing is stopped, because the ledger cannot be written/);
});

testNeeding(NEEDS, "a container that sees the load of its host blocks crawlers at most", async () => {
  const output = await inWorldOk(
    `${HOST}
${MANAGERS.sysv}
within 10 up
# Three thousand tasks on the machine, and a few dozen of them in here.
printf '0.40 0.40 0.40 9/3000 4242\\n' >/tmp/loadavg
agent
sleep 2
printf '%s.00 %s.00 %s.00 9/3000 4242\\n' $((20 * $(nproc))) $((20 * $(nproc))) $((20 * $(nproc))) >/tmp/loadavg
sleep 3
up
kill -TERM "$agent_pid"; wait "$agent_pid"
cat /tmp/agent.log
`,
    { bind: true, deadlineMs: 60_000 },
  );
  assertMatch(
    output,
    /the load is that of the host around this container: .*; pausing our web would not lower it/,
  );
  assertMatch(output, /tier=spider phase=recheck load1=2000\.0/);
});

testNeeding(NEEDS, "passes stay on time while a stop hangs, and the web is down in the end", async () => {
  const output = await inWorldOk(
    `${HOST}
${MANAGERS.sysv}
within 10 up
printf '#!/bin/sh\\n[ "$1" = stop ] && sleep 600\\nexit 0\\n' >/etc/init.d/php8.2-fpm
agent
play 700
within 10 grep -q 'action=pause-web' /tmp/agent.log
sleep 5
grep -c 'mode=armed' /tmp/agent.log
within 60 down
play 20
kill -KILL "$agent_pid"; wait "$agent_pid" || true
`,
    { bind: true, deadlineMs: 120_000 },
  );
  // A pass and its re-check take 0.5 s here, with the 0.2 s in which iowait is measured.
  assert(Number(output.trim()) >= 10, `only ${output.trim()} evaluations while the stop hung`);
});

testNeeding(
  NEEDS,
  "an LD_PRELOAD in the environment keeps nothing from being stopped and started",
  async () => {
    await inWorldOk(
      `${HOST}
${MANAGERS.sysv}
within 10 up
export LD_PRELOAD=/usr/lib/nonexistent.so
agent 2>/dev/null
unset LD_PRELOAD
play 700
within 20 down
play 20
within 20 up
kill -TERM "$agent_pid"; wait "$agent_pid"
`,
      { bind: true, deadlineMs: 120_000 },
    );
  },
);

testNeeding(
  NEEDS,
  "a broken nginx configuration and a port that is taken are waited out at the start",
  async () => {
    const output = await inWorldOk(
      `${HOST}
${MANAGERS["no manager"]}
within 10 up
agent
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
kill -TERM "$agent_pid"; wait "$agent_pid"
cat /tmp/agent.log
`,
      { bind: true, deadlineMs: 180_000 },
    );
    assertMatch(output, /broken\.conf:1/);
  },
);

testNeeding(NEEDS, "a load that cannot be read any more gives a pause back after a minute", async () => {
  const output = await inWorldOk(
    `${HOST}
${MANAGERS.sysv}
within 10 up
agent
play 700
within 20 down
: >/tmp/loadavg
sleep 50
refuses 80
within 30 up
kill -TERM "$agent_pid"; wait "$agent_pid"
cat /tmp/agent.log
`,
    { bind: true, deadlineMs: 180_000 },
  );
  assertMatch(output, /reason=load-lost-in-hold alert=load-lost-in-hold/);
});
