/** What never returns: a stop, a command line, a mailer, a hook. None of it may hold up a pass or the way back. */

import { assert, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

testNeeding(NEEDS, "passes stay on time while a stop hangs, and the web is down in the end", async () => {
  const output = await onWebHost(
    "sysv",
    `printf '#!/bin/sh\\n[ "$1" = stop ] && sleep 600\\nexit 0\\n' >/etc/init.d/php8.2-fpm
agent
play 700
within 10 grep -q 'action=pause-web' /tmp/agent.log
sleep 5
grep -c 'mode=armed' /tmp/agent.log
within 60 down
play 20
kill -KILL "$agent_pid"; wait "$agent_pid" || true
`,
  );
  // A pass and its re-check take 0.5 s here, with the 0.2 s in which iowait is measured.
  assert(Number(output.trim()) >= 10, `only ${output.trim()} evaluations while the stop hung`);
});

testNeeding(NEEDS, "a unit whose stop hangs is down in the end, and comes back", async () => {
  const output = await onWebHost(
    "systemd",
    `mkdir -p /etc/systemd/system/nginx.service.d
printf '[Service]\\nExecStop=\\nExecStop=/bin/sleep 600\\nTimeoutStopSec=600\\n' >/etc/systemd/system/nginx.service.d/hang.conf
systemctl daemon-reload
agent
play 700
within 10 grep -q 'action=pause-web' /tmp/agent.log
sleep 5
grep -c 'mode=armed' /tmp/agent.log
within 60 down
play 20
within 60 up
innocents
rm -r /etc/systemd/system/nginx.service.d; systemctl daemon-reload
end_agent
`,
  );
  assert(Number(output.trim()) >= 10, `only ${output.trim()} evaluations while the stop hung`);
});

testNeeding(
  NEEDS,
  "a process whose command line cannot be read is no victim, and holds nothing up",
  async () => {
    await onWebHost(
      "sysv",
      `php -r 'sleep(600);' & stuck=$!
mkfifo /tmp/never
exec 9<>/tmp/never # opening it does not wait, reading it does
mount --bind /tmp/never "/run/loadweir/proc/$stuck/cmdline"
agent
play 900
within 30 down
within 10 eval '! kill -0 "$php_pid" 2>/dev/null'
kill -0 "$stuck"
play 20
within 30 up
innocents
end_agent
grep -q 'Runaways ended' /tmp/agent.log
`,
    );
  },
);

testNeeding(NEEDS, "a mailer that hangs keeps nobody waiting, and its mail is kept", async () => {
  const output = await onWebHost(
    "sysv",
    `printf '[incident]\\nemail = root@example.org\\nuptime_grace = 0\\n' >>/etc/loadweir/loadweir.ini
printf '#!/bin/sh\\ntouch /tmp/mailing; sleep 600\\n' >/usr/bin/s-nail; chmod 755 /usr/bin/s-nail
agent
play 700
within 20 down
within 20 test -e /tmp/mailing
play 20
within 20 up
SECONDS=0
end_agent
[ "$SECONDS" -lt 20 ] || { echo "the end took $SECONDS s"; exit 1; }
cat /var/lib/loadweir/mail/*.json
`,
  );
  assertMatch(output, /"to":"root@example\.org","subject":"\[loadweir\] web-1: Web paused/);
});

testNeeding(NEEDS, "hooks that hang keep nobody waiting, and are ended", async () => {
  await onWebHost(
    "sysv",
    `printf '[hooks]\\ndeadline = 2s\\n' >>/etc/loadweir/loadweir.ini
mkdir -p /etc/loadweir/hooks
for hook in pause resume incident fanout proc-control; do
  printf '#!/bin/sh\\necho $$ >>/tmp/hooks.%s; sleep 600\\n' "$hook" >/etc/loadweir/hooks/$hook
  chmod 755 /etc/loadweir/hooks/$hook
done
agent
play 700
within 20 down
play 20
within 20 up
for hook in pause resume incident fanout proc-control; do within 5 test -e "/tmp/hooks.$hook"; done
sleep 3
for pid in $(cat /tmp/hooks.pause /tmp/hooks.resume); do
  ! kill -0 "$pid" 2>/dev/null || { echo "hook $pid still runs"; exit 1; }
done
end_agent
`,
  );
});

testNeeding(NEEDS, "passes of a pause stay on time while systemd does not answer", async () => {
  const output = await onWebHost(
    "systemd",
    `agent
play 700
within 20 down
sleep 1
mv /usr/bin/systemctl /usr/bin/systemctl.real
printf '#!/bin/sh\\nsleep 60\\n' >/usr/bin/systemctl
chmod 755 /usr/bin/systemctl
before=$(grep -c '^ts=' /tmp/agent.log)
sleep 6
after=$(grep -c '^ts=' /tmp/agent.log)
mv /usr/bin/systemctl.real /usr/bin/systemctl
systemctl start nginx php8.2-fpm
within 10 grep -q 'Web started by somebody else' /tmp/agent.log
play 20
within 20 up
end_agent
echo "$((after - before))"
`,
  );
  const passes = Number(output.trim());
  assert(passes >= 6, `${passes} passes in 6 s`);
});

testNeeding(NEEDS, "a stop that hangs while nothing more can be started ends no agent", async () => {
  const output = await onWebHost(
    "sysv",
    `printf '#!/bin/sh\\n[ "$1" = stop ] && sleep 600\\nexit 0\\n' >/etc/init.d/php8.2-fpm
agent
rm /usr/bin/kill
play 700
within 40 grep -q 'Web could not be paused\\|Web paused' /tmp/agent.log
kill -0 "$agent_pid"
play 20
within 30 up
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /gave no answer within 20000 ms/);
});

testNeeding(NEEDS, "an agent that hangs in a pause is ended by a release, which gives back", async () => {
  const output = await onWebHost(
    "sysv",
    `agent
play 700
within 20 down
kill -STOP "$agent_pid"
play 20
loadweir release 2>&1
up
innocents
! kill -0 "$agent_pid" 2>/dev/null || [ "$(ps -o stat= -p "$agent_pid" | cut -c 1)" = Z ]
loadweir release
`,
  );
  assertMatch(output, /the agent did not answer within 15 s; ended pid \d+\n/);
  assertMatch(output, /^given back: .*nginx/m);
  assertMatch(output, /^nothing is held$/m);
});

testNeeding(
  NEEDS,
  "an agent that looks at the load once a minute, or waits minutes for a re-check, is released from at once",
  async () => {
    await onWebHost(
      "sysv",
      `sed -i 's/^interval.*/interval = 60s/; s/^recheck.*/recheck = 300s/' /etc/loadweir/loadweir.ini
agent
within 5 test -e /run/loadweir/state/ledger.json
SECONDS=0
loadweir hold --for 1h "a test"
within 10 down
loadweir release 2>&1
within 20 up
[ "$SECONDS" -lt 15 ] || { echo "it took $SECONDS s"; exit 1; }
play 20
kill -TERM "$agent_pid"; wait "$agent_pid"
# Waiting for its re-check.
play 700
agent
within 10 grep -q 'action=recheck ' /tmp/agent.log
SECONDS=0
loadweir hold --for 1h "a test"
within 10 down
loadweir release 2>&1
within 20 up
[ "$SECONDS" -lt 15 ] || { echo "it took $SECONDS s"; exit 1; }
kill -0 "$agent_pid"
end_agent
`,
    );
  },
);

testNeeding(
  NEEDS,
  "a release waits for another one, and for an agent that gives back to its end",
  async () => {
    const output = await onWebHost(
      "sysv",
      `# The start of nginx takes longer than a request is waited for.
mv /etc/init.d/nginx /etc/init.d/nginx.real
printf '#!/bin/sh\n[ "$1" = start ] && { touch /tmp/starting; sleep 18; }\nexec /etc/init.d/nginx.real "$@"\n' >/etc/init.d/nginx
chmod 755 /etc/init.d/nginx
agent
play 700
within 20 down
play 700
kill -TERM "$agent_pid"
within 10 test -e /tmp/starting
loadweir release 2>&1
wait "$agent_pid" && echo ended well
up
rm /tmp/starting
agent
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
${LOADWEIR} release >/tmp/first 2>&1 & first=$!
within 10 test -e /tmp/starting
loadweir release 2>&1
wait "$first" && cat /tmp/first
up
innocents
`,
    );
    assertMatch(
      output,
      /^loadweir: waiting for pid \d+, `loadweir run, ending`, 180 s at most\nnothing is held\nended well\n/,
    );
    assertMatch(output, /^loadweir: waiting for pid \d+, `loadweir release`, 180 s at most$/m);
    assertMatch(output, /^given back: .*nginx/m);
  },
);

testNeeding(NEEDS, "an agent that hangs in a pause is ended by the timer of the pause", async () => {
  await onWebHost(
    "systemd",
    `printf '[web]\\nmax_hold = 3s\\n' >>/etc/loadweir/loadweir.ini
agent
play 700
within 20 down
within 5 systemctl --quiet is-active loadweir-release.timer
kill -STOP "$agent_pid"
play 20
within 75 up
innocents
`,
  );
});
