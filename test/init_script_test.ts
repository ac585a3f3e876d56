/** The printed init script on a host without systemd. */

import { assertEquals } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

/** The script in place, and no mount of `/proc` but the one that it makes. */
const SCRIPT = String.raw`
umount /run/loadweir/proc/loadavg /run/loadweir/proc
rmdir /run/loadweir/proc /run/loadweir
mount --bind /tmp/loadavg /proc/loadavg
ln -s ${LOADWEIR} /usr/local/sbin/loadweir
loadweir print sysv >/etc/init.d/loadweir
chmod 755 /etc/init.d/loadweir
lw() { local code=0; service loadweir "$@" >/tmp/said 2>&1 || code=$?; echo "$1 $code"; }
agent_pid() { cat /run/loadweir/state/agent.pid; }
ln -s /var/log/loadweir/agent.log /tmp/agent.log
`;

testNeeding(
  NEEDS,
  "the init script starts, tells, reloads and stops, and a stop in a pause gives back",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SCRIPT}
lw status
lw stop
lw start
lw start
lw status
loadweir status | grep -c 'bind mount'
not eval 'echo x 2>/dev/null >/run/loadweir/proc/self/comm'
pgrep -fc '^/usr/local/sbin/loadweir run'
echo 'max = 3' >>/etc/loadweir/loadweir.ini
play 400
sleep 1
up
lw reload
within 20 down
first=$(agent_pid)
sed -i '/^max/d' /etc/loadweir/loadweir.ini
lw restart
[ "$(agent_pid)" != "$first" ]
within 10 up
play 700
within 20 down
lw stop
up
lw status
/etc/init.d/loadweir revive
not pgrep -f '^/usr/local/sbin/loadweir run'
innocents
lw frobnicate
`,
    );
    assertEquals(
      output.trim().split("\n"),
      [
        ...["status 3", "stop 0", "start 0", "start 0", "status 0", "1", "1"],
        ...["reload 0", "restart 0", "stop 0", "status 3", "frobnicate 2"],
      ],
    );
  },
);

testNeeding(NEEDS, "an agent of the init script that dies in a pause is revived and goes on", async () => {
  const output = await onWebHost(
    "sysv",
    `${SCRIPT}
lw start
play 700
within 20 down
first=$(agent_pid)
kill -KILL "$first"
within 5 eval '! kill -0 "$first"'
lw status
/etc/init.d/loadweir revive
lw status
[ "$(agent_pid)" != "$first" ]
down
play 20
within 20 up
innocents
lw stop
`,
  );
  assertEquals(output, "start 0\nstatus 1\nstatus 0\nstop 0\n");
});

testNeeding(
  NEEDS,
  "an agent of the init script that hangs is killed by a stop, and the web given back",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SCRIPT}
sed -i 's/^STOP_TIMEOUT=.*/STOP_TIMEOUT=2/' /etc/init.d/loadweir
lw start
play 700
within 20 down
first=$(agent_pid)
kill -STOP "$first"
lw stop
not kill -0 "$first" 2>/dev/null
up
innocents
# A pid file whose pid is somebody else's by now.
sleep 300 & other=$!
echo "$other" >/run/loadweir/state/agent.pid
lw status
lw stop
kill -0 "$other"
`,
    );
    assertEquals(output, "start 0\nstop 0\nstatus 1\nstop 0\n");
  },
);

/** Shell words that have each agent end at once from now on, or live again. Verbs by hand work. */
const PROGRAM = String.raw`
dies() { rm /usr/local/sbin/loadweir
  printf '#!/bin/sh\n[ "$1" != run ] || exit 1\nexec %s "$@"\n' "${LOADWEIR}" >/usr/local/sbin/loadweir
  chmod 755 /usr/local/sbin/loadweir; }
lives() { ln -sf ${LOADWEIR} /usr/local/sbin/loadweir; }
end() { local pid; pid=$(agent_pid); kill -KILL "$pid"; within 5 not kill -0 "$pid"; } 2>/dev/null
`;

testNeeding(
  NEEDS,
  "where no agent of the init script stays alive the web is given back, and one is tried until it lives",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SCRIPT}${PROGRAM}
lw start
play 700
within 20 down
end
dies
lw revive
cat /tmp/said
up
lw status
lw revive
cat /tmp/said
lw status
up
lives
lw revive
lw status
within 20 down
# This one was revived, and dies as well.
end
lines=$(grep -c '^given back: .*nginx' /tmp/agent.log)
lw revive
[ "$(grep -c '^given back: .*nginx' /tmp/agent.log)" = "$((lines + 1))" ]
lw status
play 20
within 20 up
innocents
lw stop
`,
    );
    assertEquals(
      output.trim().split("\n"),
      [
        ...[
          "start 0",
          "revive 1",
          "loadweir does not start, see /var/log/loadweir/agent.log; trying each minute",
        ],
        ...["status 1", "revive 1", "status 1", "revive 0", "status 0", "revive 0", "status 0", "stop 0"],
      ],
    );
  },
);

testNeeding(
  NEEDS,
  "the init script forgets an agent that cannot be started, and keeps one that is slow",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${SCRIPT}${PROGRAM}
dies
lw start
cat /tmp/said
lw status
lives
# Its log cannot be written, and the host is so slow that the program begins after seconds.
rm -f /var/log/loadweir/agent.log
mkdir -p /var/log/loadweir/agent.log
mv /usr/bin/setsid /usr/bin/setsid.real
printf '#!/bin/sh\nsleep 4\nexec /usr/bin/setsid.real "$@"\n' >/usr/bin/setsid
chmod 755 /usr/bin/setsid
lw start
lw status
play 700
within 20 down
lw stop
up
`,
    );
    assertEquals(
      output.trim().split("\n"),
      [
        ...["start 1", "loadweir did not start, see /var/log/loadweir/agent.log", "status 3"],
        ...["start 0", "status 0", "stop 0"],
      ],
    );
  },
);
