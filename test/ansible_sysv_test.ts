/** The Ansible role on hosts without systemd, and on one that cannot be guarded. */

import { assertEquals } from "@std/assert";
import { ANSIBLE_DEADLINE_MS, ANSIBLE_NEEDS, FLEET, withRelease } from "./ansible_world.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  ANSIBLE_NEEDS,
  "the role does the same with an init script, and waits for a hold to end",
  () =>
    withRelease("0.1.1", async (release) => {
      const output = await onWebHost(
        "sysv",
        String.raw`manager=auto
${FLEET}
agent_pid() { cat /run/loadweir/state/agent.pid; }
program_of() { readlink "/proc/$1/exe"; }
# Nothing rotates here, and cron is to come.
rm -r /etc/logrotate.d /etc/cron.d

# An audit, which cron starts again.
fleet install
within 10 grep -q mode=audit /var/log/loadweir/agent.log
fleet install
first=$(cat /run/loadweir-audit.pid)
kill -KILL "$first"
within 5 eval '! kill -0 "$first"'
sed -n 's/^\* \* \* \* \* root //p' /etc/cron.d/loadweir-audit >/tmp/line
sh /tmp/line
audit=$(cat /run/loadweir-audit.pid)
within 5 eval '[ "$(program_of "$audit")" = /usr/local/sbin/loadweir ]'
sh /tmp/line
pgrep -fc '^/usr/local/sbin/loadweir run'
# One that cannot go on ends the rollout.
kill -KILL "$audit"
within 5 eval '! kill -0 "$audit"'
refused install --tags loadweir_binary
said 'The audit does not go on'
sh /tmp/line
audit=$(cat /run/loadweir-audit.pid)
within 5 eval '[ "$(program_of "$audit")" = /usr/local/sbin/loadweir ]'
# A setting makes it begin again, still as an audit.
settings 'loadweir_config_host: {ladder: {max: 4}}'
fleet install --tags loadweir_config
within 5 eval '! kill -0 "$audit"'
pgrep -fa '^/usr/local/sbin/loadweir run' | cut -d' ' -f2-

# Armed.
settings 'loadweir_mode: armed'
fleet install
pgrep -fa '^/usr/local/sbin/loadweir run' | cut -d' ' -f2-
ls /etc/rc2.d | grep -c loadweir
cat /etc/cron.d/loadweir
{ loadweir check || true; } | sed -n 's|^files  *||p; s|^          sysv |sysv |p'
fleet install
innocents

# Settings alone.
pid=$(agent_pid)
settings 'loadweir_mode: armed' 'loadweir_config_host: {ladder: {max: 3}}'
fleet install --tags loadweir_config
[ "$(agent_pid)" = "$pid" ]
play 400
within 20 down

# An upgrade that waits until nothing is held: the load goes after a while, and only then the agent is another.
{ within 60 pgrep -f 'loadweir[.]new'; sleep 8; [ "$(agent_pid)" = "$pid" ] && play 20; } &
fleet install -e loadweir_binary_dir=${release} -e loadweir_wait_for_hold=true -e loadweir_gate_retries=6
wait $!
up
[ "$(agent_pid)" != "$pid" ]
program_of "$(agent_pid)"
/usr/local/sbin/loadweir --version | cut -d' ' -f2
grep 'Web given back' /var/log/loadweir/agent.log | tail -1 | grep -c 'load 20.0 %'

# An upgrade that was cut off before its restart is brought to its end.
cp /usr/local/sbin/loadweir /usr/local/sbin/copy
mv /usr/local/sbin/copy /usr/local/sbin/loadweir
program_of "$(agent_pid)"
fleet install -e loadweir_binary_dir=${release}
program_of "$(agent_pid)"

# Nothing is left, not even what is held.
play 700
within 20 down
fleet uninstall
up
innocents
not pgrep -f '^/usr/local/sbin/loadweir'
left_nothing
fleet uninstall
`,
        ANSIBLE_DEADLINE_MS,
      );
      assertEquals(output.trim().split("\n"), [
        ...["install changed=some", "install changed=0", "1"],
        ...["install changed=some", "/usr/local/sbin/loadweir run --dry-run"],
        ...["install changed=some", "/usr/local/sbin/loadweir run", "1"],
        "* * * * * root /etc/init.d/loadweir revive",
        "logrotate /etc/logrotate.d/loadweir: as this binary prints it",
        "sysv /etc/init.d/loadweir: as this binary prints it",
        ...["install changed=0", "install changed=some"],
        ...["install changed=some", "/usr/local/sbin/loadweir", "0.1.1", "1"],
        ...["/usr/local/sbin/loadweir (deleted)", "install changed=some", "/usr/local/sbin/loadweir"],
        ...["uninstall changed=some", "uninstall changed=0"],
      ]);
    }),
);

testNeeding(ANSIBLE_NEEDS, "the role tells of a host that cannot be guarded, or refuses it", async () => {
  const output = await onWebHost(
    "idle",
    String.raw`manager=sysv
${FLEET}
rm /usr/sbin/nginx /usr/sbin/php-fpm* /etc/init.d/nginx /etc/init.d/php* /lib/systemd/system/nginx* /lib/systemd/system/php*
refused install -e loadweir_on_unguardable=fail
said 'This host cannot be guarded: neither nginx nor php-fpm is installed or runs'
ours | diff /tmp/before - || true
fleet install --tags loadweir_binary
said 'This host cannot be guarded: neither nginx nor php-fpm is installed or runs'
`,
    ANSIBLE_DEADLINE_MS,
  );
  assertEquals(output, "0a1\n> /usr/local/sbin/loadweir.new\ninstall changed=some\n");
});
