/** A BOA host: its settings, its markers, its log, and watchdogs that start the web. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

testNeeding(
  NEEDS,
  "on a BOA host the agent marks a pause and leaves the start to the watchdogs",
  async () => {
    const output = await onWebHost(
      "sysv",
      `mkdir -p /var/log/boa
printf '_CPU_SPIDER_RATIO="2"\\n_CPU_MAX_RATIO="5"\\n_CPU_CRIT_RATIO="8"\\n' >/root/.barracuda.cnf
chmod 600 /root/.barracuda.cnf
printf '[web]\\nresume = watchdog\\n' >>/etc/loadweir/loadweir.ini
# A stop that takes its time, during which others must not heal anything.
sed -i 's/^do_stop()/do_stop() { sleep 1; stop_it; }\\nstop_it()/' /etc/init.d/php8.2-fpm
agent
play 550
within 20 test -e /run/boa_second_auto_healing.pid
test -e /run/max_load.pid
within 20 down
within 5 test ! -e /run/boa_second_auto_healing.pid
ls /run/*_load.pid; ls /run/loadweir/state | grep -c _load.pid || true
# The watchdog of the host: it heals unless a marker says that the pause is wanted.
watchdog() { [ -e /run/max_load.pid ] || [ -e /run/critical_load.pid ] || {
  service php8.2-fpm start >/dev/null; service nginx start >/dev/null; }; }
watchdog
refuses 80
play 300
within 20 test ! -e /run/max_load.pid
sleep 2
refuses 80
# Until it is seen to run it is not forgotten.
grep -q '"hold"' /run/loadweir/state/ledger.json
watchdog
within 10 up
within 10 not grep -q '"hold"' /run/loadweir/state/ledger.json
sleep 2
up
end_agent
up
ls /run/*_load.pid 2>/dev/null || true
cat /var/log/boa/high.load.incident.log
`,
    );
    const [marker, count, ...log] = output.split("\n");
    assertEquals([marker, count], ["/run/max_load.pid", "0"]);
    assertMatch(log[0] ?? "", /^ts=\S+ level=ALERT event=pause-web /);
    assertMatch(log.join("\n"), /started by others/);
  },
);

testNeeding(
  NEEDS,
  "on a BOA host a guard that a killed agent left keeps no watchdog from starting the web",
  async () => {
    await onWebHost(
      "sysv",
      `touch /root/.barracuda.cnf; chmod 600 /root/.barracuda.cnf
printf '[web]\\nresume = watchdog\\n' >>/etc/loadweir/loadweir.ini
sed -i 's/^do_stop()/do_stop() { sleep 3; stop_it; }\\nstop_it()/' /etc/init.d/php8.2-fpm
for next in "loadweir release" "agent"; do
  agent
  play 700
  within 20 test -e /run/boa_second_auto_healing.pid
  kill -KILL "$agent_pid"; wait "$agent_pid" || true
  # Whatever is left of that stop has ended by then.
  sleep 5
  sed -i 's/"phase": "stopping"/"phase": "starting"/' /run/loadweir/state/ledger.json
  play 20
  $next
  within 10 test ! -e /run/boa_second_auto_healing.pid
  service php8.2-fpm start >/dev/null; service nginx start >/dev/null
  within 10 up
done
end_agent
`,
    );
  },
);
