/** What can go wrong around a pause and its end: broken configurations, a taken port, a torn ledger, another program. */

import { assertMatch } from "@std/assert";
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

testNeeding(
  NEEDS,
  "a pause leaves an nginx running whose configuration is broken on the disk, and stops php-fpm",
  async () => {
    const output = await onWebHost(
      "systemd",
      `echo 'broken on;' >/etc/nginx/conf.d/broken.conf
agent
play 700
within 20 not pgrep -x php-fpm8.2
within 20 grep -q 'Web paused' /tmp/agent.log
pgrep -x nginx >/dev/null
[ "$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1/)" = 502 ]
play 20
within 30 up
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /nginx\.service left running: its configuration is broken, .*broken\.conf:1/);
  },
);

testNeeding(
  NEEDS,
  "a pause leaves such an nginx running also on a host that tests it too slowly",
  async () => {
    const output = await onWebHost(
      "systemd",
      `sed -i 's/^recheck = .*/recheck = 7s/' /etc/loadweir/loadweir.ini
echo 'broken on;' >/etc/nginx/conf.d/broken.conf
# Longer than a pause waits for it.
mv /usr/sbin/nginx /usr/sbin/nginx.real
printf '#!/bin/sh\\ncase "$*" in *-t*) sleep 5 ;; esac\\nexec /usr/sbin/nginx.real "$@"\\n' >/usr/sbin/nginx
chmod 755 /usr/sbin/nginx
agent
play 700
within 30 grep -q 'Web paused' /tmp/agent.log
pgrep -x nginx >/dev/null
rm /etc/nginx/conf.d/broken.conf
play 20
within 30 up
end_agent
cat /tmp/agent.log
`,
    );
    assertMatch(output, /nginx\.service left running: its configuration is broken, .*broken\.conf:1/);
  },
);

testNeeding(NEEDS, "what is bound to nginx comes back with it, also by another agent", async () => {
  await onWebHost(
    "systemd",
    `printf '[Unit]\\nBindsTo=nginx.service\\nAfter=nginx.service\\n[Service]\\nExecStart=/bin/sleep 900\\n' \
  >/etc/systemd/system/shop-cache.service
systemctl daemon-reload
systemctl start shop-cache
agent
play 700
within 20 down
within 10 not systemctl --quiet is-active shop-cache
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
play 20
within 30 up
within 10 systemctl --quiet is-active shop-cache
# Somebody else starts the web in a pause, which starts nothing that was stopped with it.
play 700
within 20 down
within 10 not systemctl --quiet is-active shop-cache
within 20 grep -q 'reason=already-done' /tmp/agent.log
systemctl start nginx php8.2-fpm
within 20 systemctl --quiet is-active shop-cache
play 20
innocents
end_agent
`,
  );
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

testNeeding(NEEDS, "an agent whose output nobody takes any more goes on, and gives back", async () => {
  // A reader that is gone, one that is stuck, and a full disk.
  for (const end of ["kill -KILL $reader", "kill -STOP $reader", "true"]) {
    await onWebHost(
      "sysv",
      `mkfifo /tmp/output
# A pipe of 4 KB, which is full soon.
perl -e 'open F, "<", "/tmp/output"; fcntl F, 1031, 4096; 1 while sysread F, $_, 4096' & reader=$!
${LOADWEIR} run >${end === "true" ? "/dev/full" : "/tmp/output"} 2>&1 & agent_pid=$!
play 700
within 20 down
${end}
sleep 4
kill -0 "$agent_pid"
play 20
within 20 up
end_agent
up
`,
    );
  }
});

testNeeding(NEEDS, "what is held is given back also where nothing can be written any more", async () => {
  await onWebHost(
    "sysv",
    `agent
play 700
within 20 down
kill -KILL "$agent_pid"; wait "$agent_pid" || true
mount --bind /run/loadweir/state /run/loadweir/state
mount -o remount,ro,bind /run/loadweir/state
play 20
loadweir release >/tmp/said 2>&1 || true
up
grep -q '^given back: ' /tmp/said
`,
  );
});
