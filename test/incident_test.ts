import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { MANAGERS, NEEDS, onWebHost } from "./web_host.ts";

for (const manager of MANAGERS) {
  testNeeding(
    NEEDS,
    `${manager}: an armed agent pauses the web and gives it back, and the innocent go on`,
    async () => {
      const output = await onWebHost(
        manager,
        `agent
play 700
within 20 down
innocents
kill -0 "$php_pid"
within 10 grep -q '"phase": "held"' /run/loadweir/state/ledger.json
cat /run/loadweir/state/ledger.json
ls /run/loadweir/state
sleep 1
loadweir status
play 400
within 20 up
innocents
kill -0 "$php_pid"
play 20
end_agent
echo "---"
cat /tmp/agent.log
`,
      );
      const [state = "", log = ""] = output.split("---\n");
      assertMatch(state, /"phase": "held"/);
      const managers = [...state.matchAll(/"manager": "(.*)"/g)].map(([, name]) => name);
      assertEquals(managers, Array(2).fill(manager === "no manager" ? "none" : manager));
      assertMatch(state, /^max_load\.pid$/m);
      assertMatch(state, /^HOLD +web paused for \d+ s: load 1m 700\.0 %, 5m 700\.0 % over 610 %$/m);
      assertMatch(state, /^ +stopped, and will be started: .*nginx/m);
      assertMatch(log, /action=pause-web reason=confirmed mode=armed/);
      assertMatch(log, /ALERT Web paused: load 700\.0 % \(1-minute\) over 610\.0 %; /);
      assertMatch(log, /ALERT Web paused: .*not ours: nginx \(pid \d+\), in a container/);
      assertMatch(log, /INFO Web given back/);
    },
  );

  testNeeding(NEEDS, `${manager}: SIGTERM during a pause gives everything back`, async () => {
    await onWebHost(
      manager,
      `agent
play 900
within 20 down
end_agent
up
innocents
`,
    );
  });

  testNeeding(
    NEEDS,
    `${manager}: an agent that is killed in a pause is followed by one that gives back`,
    async () => {
      await onWebHost(
        manager,
        `agent
play 700
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
sleep 1
refuses 80
agent
sleep 2
refuses 80 # the load is still high: the pause goes on
play 20
within 20 up
end_agent
loadweir release
`,
      );
    },
  );
}

testNeeding(NEEDS, "SIGTERM while runaways are being ended leaves nothing paused afterwards", async () => {
  const output = await onWebHost(
    "sysv",
    `mkdir -p /etc/loadweir/hooks
printf '#!/bin/sh\\nsleep 30\\n' >/etc/loadweir/hooks/fanout
# On an overloaded host each signal takes its time.
mv /usr/bin/kill /usr/bin/kill.real
printf '#!/bin/sh\\nsleep 1\\nexec /usr/bin/kill.real "$@"\\n' >/usr/bin/kill
chmod 755 /usr/bin/kill /etc/loadweir/hooks/fanout
agent
play 900
within 10 grep -q 'action=kill-runaways,pause-web' /tmp/agent.log
end_agent
sleep 2
up
innocents
cat /tmp/agent.log
`,
  );
  assertMatch(output, /ALERT Runaways ended: .*; php \(pid \d+ of root, .*\): ended/);
});

testNeeding(NEEDS, "systemd: units that require nginx or are part of it go on in a pause", async () => {
  await onWebHost(
    "systemd",
    `for dependence in Requires PartOf; do
  printf '[Unit]\\n%s=nginx.service\\nAfter=nginx.service\\n[Service]\\nExecStart=/bin/sleep 600\\n' "$dependence" \\
    >"/etc/systemd/system/app-$dependence.service"
done
systemctl daemon-reload
systemctl start app-Requires app-PartOf
pids() { systemctl show --value -p MainPID app-Requires app-PartOf; }
before=$(pids)
agent
play 700
within 20 down
[ "$(pids)" = "$before" ]
play 20
within 20 up
[ "$(pids)" = "$before" ]
end_agent
`,
  );
});

/** Each service of the web, and shell that finds its master. */
const MASTERS = {
  "nginx": "pgrep -f '^nginx: master process /usr/sbin/nginx$'",
  "php8.2-fpm": "pgrep -f '^php-fpm: master process'",
} as const;

for (const [stopped, other] of [["nginx", "php8.2-fpm"], ["php8.2-fpm", "nginx"]] as const) {
  testNeeding(NEEDS, `a ${stopped} that a person had stopped before a pause stays stopped`, async () => {
    await onWebHost(
      "sysv",
      `stopped() { ${MASTERS[stopped]}; }
other() { ${MASTERS[other]}; }
service ${stopped} stop >/dev/null
within 10 eval '! stopped'
agent
play 700
within 20 eval '! other'
play 20
within 20 other
sleep 1
not stopped
end_agent
not stopped
`,
    );
  });
}

testNeeding(NEEDS, "what somebody starts in a pause stays up until MAX is confirmed anew", async () => {
  const output = await onWebHost(
    "sysv",
    `sed -i 's/200ms/4s/' /etc/loadweir/loadweir.ini
agent
play 700
within 20 down
service php8.2-fpm start >/dev/null; service nginx start >/dev/null
up
sleep 1
up
within 20 down
play 20
within 20 up
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /ALERT Web started by somebody else during a pause; nginx/);
});
