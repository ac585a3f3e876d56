import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

testNeeding(NEEDS, "a pause by hand ends by itself, and nothing but the web is touched", async () => {
  const output = await onWebHost(
    "sysv",
    `status_says() { loadweir status 2>/dev/null | grep -q "$1"; }
agent
within 5 test -e /run/loadweir/state/ledger.json
loadweir hold --for 3s "a test"
within 10 down
within 20 up
innocents
loadweir hold --for 10m "another"
within 10 down
within 5 status_says 'Web paused by hand; '
loadweir resume --for 10m "enough"
within 20 up
within 10 status_says 'Web given back by hand; '
play 900
sleep 3
# At CRIT a curl is a runaway, that of a look at the site too.
within 2 up
# The next agent keeps it up as well, after whatever end of this one.
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
sleep 3
within 2 up
status_says '^ *agent  *pid '
kill -TERM "$agent_pid"; wait "$agent_pid"
status_says '^ *agent  *ended at '
agent
sleep 3
up
loadweir release
end_agent
up
grep -qF 'text="release: no reason given (uid 0)"' /var/log/loadweir/incident.log
`,
  );
  assertMatch(output, /^the web is being paused; it ends by itself in 3 s$/m);
});

testNeeding(
  NEEDS,
  "what is asked for by hand ends in time although who asks and the agent are told other times since boot",
  async () => {
    await onWebHost(
      "sysv",
      `agent
within 5 test -e /run/loadweir/state/ledger.json
# As in a container, where who asks is told how long the host around is up: for months.
echo '9000000.00 1.00' >/tmp/uptime
mount --bind /tmp/uptime /run/loadweir/proc/uptime
loadweir hold --for 3s "a test"
within 10 down
within 20 up
play 700
loadweir resume --for 4s "another"
sleep 2
within 2 up
within 20 down
play 20
within 20 up
innocents
end_agent
`,
    );
  },
);

testNeeding(
  NEEDS,
  "what a person starts in a pause by hand stays up, until a pause is asked for again",
  async () => {
    await onWebHost(
      "sysv",
      `agent
within 5 test -e /run/loadweir/state/ledger.json
loadweir hold --for 10m "one"
within 10 down
sleep 1
service php8.2-fpm start >/dev/null; service nginx start >/dev/null
sleep 2
up
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
sleep 2
up
loadweir hold --for 10m "another"
within 10 down
loadweir release
within 20 up
end_agent
`,
    );
  },
);

testNeeding(NEEDS, "a web that is given back while no agent runs is kept up by the next one", async () => {
  const output = await onWebHost(
    "sysv",
    `play 900
loadweir resume --for 6s "a test"
agent
sleep 2
within 2 up
within 20 down
play 20
within 20 up
end_agent
`,
  );
  assertEquals(output, "nothing is held\nan agent that starts within 6 s keeps the web up\n");
});

testNeeding(NEEDS, "a second agent says who holds the lock, and does nothing", async () => {
  const output = await onWebHost(
    "idle",
    `agent
within 5 test -e /run/loadweir/state/ledger.json
code=0; loadweir run 2>/tmp/second || code=$?
code2=0; loadweir enforce 2>>/tmp/second || code2=$?
echo "$code $code2"
grep -c "another agent runs: pid $agent_pid, .loadweir run. since " /tmp/second
end_agent
`,
  );
  assertEquals(output, "1 1\n2\n");
});

testNeeding(NEEDS, "a lock that a killed agent left to a program is waited for", async () => {
  const output = await onWebHost(
    "idle",
    `mkdir -p /run/loadweir/state
true & gone=$!; wait "$gone"
left_by() { echo '{"pid":'"$1"',"startedWallMs":1,"what":"run"}' >/run/loadweir/state/lock; }
is_locked() { not flock --nonblock /run/loadweir/state/lock true; }
flock /run/loadweir/state/lock sleep 4 & within 5 is_locked
left_by "$$"
code=0; loadweir enforce 2>/dev/null || code=$?
left_by "$gone"
loadweir enforce >/dev/null
echo "$code"
`,
  );
  assertEquals(output, "1\n");
});

testNeeding(
  NEEDS,
  "enforce stays for as long as it holds the web, and leaves when it is given back",
  async () => {
    await onWebHost(
      "sysv",
      `loadweir enforce
up
play 700
${LOADWEIR} enforce >>/tmp/agent.log 2>&1 & agent_pid=$!
within 20 down
kill -0 "$agent_pid"
play 20
within 20 up
wait "$agent_pid"
`,
    );
  },
);

testNeeding(
  NEEDS,
  "run-tasks runs its hook when the load allows it, and says 75 when it does not",
  async () => {
    const output = await onWebHost(
      "idle",
      `mkdir -p /etc/loadweir/hooks
printf '#!/bin/sh\\nread -r input; echo "ran with $input" | cut -c1-40\\n' >/etc/loadweir/hooks/tasks
chmod 755 /etc/loadweir/hooks/tasks
loadweir run-tasks
play 400
code=0; loadweir run-tasks || code=$?
echo "$code"
play 20
chmod 777 /etc/loadweir/hooks/tasks
code=0; loadweir run-tasks || code=$?
echo "$code"
`,
    );
    assertMatch(output, /^ran with \{"hook":"tasks","version":1,.*\n75\n2\n$/);
  },
);
