/** Runaways that were stopped to be ended: an agent that is killed before it could end them leaves none stopped. */

import { assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

/**
 * Puts a program in the place of `kill`, which waits or fails as files say, and a stopped process of a person beside the
 * one that will be chosen.
 */
const SETUP = String.raw`
mv /usr/bin/kill /usr/bin/kill.real
cat >/usr/bin/kill <<'END'
#!/bin/sh
# What follows a stop fails or not as one, also when the file goes in between.
if [ "$1" = -STOP ]; then
  if [ -e /tmp/fails ]; then touch /tmp/failing; else rm -f /tmp/failing; fi
elif [ -e /tmp/failing ]; then exit 1; fi
if [ -e /tmp/slow ] && [ "$1" = -STOP ]; then touch /tmp/begun; sleep 3; fi
/usr/bin/kill.real "$@"; code=$?
if [ -e /tmp/waits ] && [ "$1" = -STOP ]; then touch /tmp/stopped; sleep 60; fi
exit "$code"
END
chmod 755 /usr/bin/kill
sleep 600 & sleeper_pid=$!
kill -STOP "$sleeper_pid"
state() { sed 's/.*) \(.\).*/\1/' "/proc/$1/stat"; }
is() { [ "$(state "$1")" = "$2" ]; }
gone() { [ ! -e "/proc/$1/stat" ] || is "$1" Z; }
listed() { grep -q "\"pid\": $php_pid," /run/loadweir/state/stopped.json; }
unlisted() { [ ! -e /run/loadweir/state/stopped.json ]; }
# Kills the agent after it has stopped its runaways, and before it has ended them.
killed_between() {
  touch /tmp/waits
  agent
  play 900
  within 20 test -e /tmp/stopped
  kill -KILL "$agent_pid"; wait "$agent_pid" || true
  rm /tmp/waits
  play 20
  is "$php_pid" T
  # Started since then, and none of them was chosen.
  php -r 'sleep(600);' & later_pid=$!
  php -r 'sleep(600);' & paused_pid=$!
  within 5 is "$later_pid" S
  kill -STOP "$paused_pid"
}
others_stay() { is "$sleeper_pid" T && is "$paused_pid" T && is "$later_pid" S && innocents; }
`;

testNeeding(NEEDS, "what an agent has stopped that was killed then is ended by the next one", async () => {
  const output = await onWebHost(
    "sysv",
    `${SETUP}
killed_between
agent
within 10 gone "$php_pid"
within 10 unlisted
others_stay
end_agent
others_stay
echo "pid $php_pid"
cat /tmp/agent.log
`,
  );
  const [, pid] = /^pid (\d+)$/m.exec(output) ?? [];
  assertMatch(output, new RegExp(`ALERT Runaways ended; .*pid ${pid}, which had been left stopped: ended`));
});

testNeeding(NEEDS, "what is stopped only after its agent was killed is ended by the next one", async () => {
  await onWebHost(
    "sysv",
    `${SETUP}
touch /tmp/slow
agent
play 900
within 20 test -e /tmp/begun
kill -KILL "$agent_pid"; wait "$agent_pid" || true
rm /tmp/slow
play 20
is "$php_pid" S
agent
sleep 1
is "$php_pid" S
within 10 gone "$php_pid"
within 10 unlisted
is "$sleeper_pid" T
innocents
end_agent
`,
  );
});

testNeeding(NEEDS, "what an agent has stopped that was killed then is ended by a release", async () => {
  await onWebHost(
    "sysv",
    `${SETUP}
killed_between
loadweir release
gone "$php_pid"
unlisted
others_stay
`,
  );
});

testNeeding(NEEDS, "what is stopped and can get no further signal is tried until it has ended", async () => {
  const output = await onWebHost(
    "sysv",
    `${SETUP}
touch /tmp/fails
agent
play 900
within 20 is "$php_pid" T
play 20
within 20 up
within 10 listed
within 10 grep -q 'still stopped, and tried again' /tmp/agent.log
is "$php_pid" T
rm /tmp/fails
within 20 gone "$php_pid"
within 10 unlisted
is "$sleeper_pid" T
innocents
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /ALERT Runaways could not all be ended/);
});
