/** The Ansible role under a real systemd, from a host without loadweir to one without it again. */

import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { parse } from "npm:yaml@2.9.1";
import { ANSIBLE_DEADLINE_MS, ANSIBLE_NEEDS, FLEET, PLAYBOOKS, withRelease } from "./ansible_world.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

testNeeding(
  ANSIBLE_NEEDS,
  "the role audits, arms, configures, upgrades in a hold, goes back and goes",
  () =>
    withRelease("0.1.1", async (release) => {
      const output = await onWebHost(
        "systemd",
        String.raw`manager=auto
${FLEET}
main_pid() { systemctl show --value -p MainPID loadweir; }
unharmed() { [ "$(main_pid)" = "$pid" ]; up; innocents; sha256sum --check --quiet /tmp/sums; }
remember() { pid=$(main_pid); sha256sum /etc/loadweir/loadweir.ini /usr/local/sbin/loadweir >/tmp/sums; }

# A fresh host: what would be done, and nothing of it.
fleet install --check --diff -e loadweir_mode=armed
said '^+interval = 100ms'
left_nothing

# An audit, where facts are not gathered by themselves.
ANSIBLE_GATHERING=explicit fleet install
systemctl is-active loadweir-audit
fleet install
# One that dies again and again ends the rollout.
mkdir /run/systemd/system/loadweir-audit.service.d
printf '[Service]\nExecStart=\nExecStart=/usr/local/sbin/loadweir run --dry-run --nothing\n' >/run/systemd/system/loadweir-audit.service.d/dies.conf
systemctl daemon-reload
systemctl restart loadweir-audit
refused install --tags loadweir_binary
said 'The audit does not go on'
rm -r /run/systemd/system/loadweir-audit.service.d
systemctl daemon-reload
systemctl restart loadweir-audit

# Armed. With --check the mode is a difference, and stays as it is.
fleet install --check -e loadweir_mode=armed
systemctl is-active loadweir-audit
settings 'loadweir_mode: armed' 'loadweir_config_host: {probe www.example.org: {url: "http://127.0.0.1/", text: "made by; \"php\" #42 ", action: warn}}'
fleet install
systemctl is-active loadweir
not systemctl --quiet is-active loadweir-audit
grep '^text' /etc/loadweir/loadweir.ini
{ loadweir check || true; } >/tmp/check
sed -n 's|^files  *||p; s|^          unit |unit |p' /tmp/check
fleet install

# Settings alone: the same agent reads them again.
remember
settings 'loadweir_mode: armed' 'loadweir_config_host: {ladder: {max: 3}}'
fleet install --tags loadweir_config
said 'See that the agent watches'
said 'Go on when the agent watches and the web is up'
[ "$(main_pid)" = "$pid" ]
play 400
within 20 down
# Nothing else is changed before the web is up again.
refused install --tags loadweir_binary -e loadweir_gate_retries=1
said 'FAILED.*Go on when the agent watches and the web is up\|RETRYING.*Go on when'
play 20
within 20 up
remember

# Settings that it does not understand, and binaries that do not belong here: all stays as it was.
settings 'loadweir_mode: armed' 'loadweir_config_host: {ladder: {max: lots, spider_: 2}}'
refused install --tags loadweir_config
said 'Cannot use these settings, nothing was changed'
said 'max is ..lots.., expected a number above 0'
said 'spider_: unknown key, did you mean spider?'
unharmed
settings 'loadweir_mode: armed' 'loadweir_config_host: {ladder: {max: 3}}'
refused install --tags loadweir_binary -e loadweir_architecture=arm64
said 'loadweir-aarch64'
said 'Exec format error'
unharmed
mkdir /tmp/torn
head -c 1000 ${release}/loadweir-x86_64 >/tmp/torn/loadweir-x86_64
cp ${release}/SHA256SUMS /tmp/torn
refused install --tags loadweir_binary -e loadweir_binary_dir=/tmp/torn
said 'its SHA-256 is .*, expected .* as in SHA256SUMS'
unharmed

# An upgrade while the web is held: it comes back, and the next agent goes on.
play 700
within 20 down
since=$(date +%s)
{ within 60 eval '[ "$(main_pid)" != "$pid" ] && [ "$(main_pid)" != 0 ] && down'; play 20; } &
fleet install -e loadweir_binary_dir=${release}
wait $!
within 20 up
innocents
# By the stop, and by the next agent when the load was gone.
journalctl -u nginx -o cat --since "@$since" | grep -c '^Started'
/usr/local/sbin/loadweir --version | cut -d' ' -f2
/usr/local/sbin/loadweir.previous --version | cut -d' ' -f2

# And back, from the release that is in place, once.
fleet rollback
said 'the binary in place is not the one of .*/dist'
/usr/local/sbin/loadweir --version | cut -d' ' -f2
fleet rollback -e loadweir_binary_dir=${release}
said 'Go on when the agent watches and the web is up'
/usr/local/sbin/loadweir --version | cut -d' ' -f2
systemctl is-active loadweir
fleet rollback -e loadweir_binary_dir=${release}
said 'there is no version before'

# Nothing is left, not even what is held.
play 700
within 20 down
fleet uninstall
up
innocents
left_nothing
fleet uninstall
`,
        ANSIBLE_DEADLINE_MS,
      );
      assertEquals(output.trim().split("\n"), [
        ...["install changed=some", "install changed=some", "active", "install changed=0"],
        ...["install changed=some", "active", "install changed=some", "active"],
        `text = 'made by; "php" #42 '`,
        "logrotate /etc/logrotate.d/loadweir: as this binary prints it",
        "unit /etc/systemd/system/loadweir.service: as this binary prints it",
        ...["install changed=0", "install changed=some"],
        ...["install changed=some", "2", "0.1.1", "0.1.0"],
        ...["rollback changed=0", "0.1.1"],
        ...["rollback changed=some", "0.1.0", "active", "rollback changed=0"],
        ...["uninstall changed=some", "uninstall changed=0"],
      ]);
    }),
);

Deno.test("rollback.yml goes from host to host as install.yml does", () => {
  const [install, rollback] = ["install.yml", "rollback.yml"].map((name) => {
    const [play] = parse(Deno.readTextFileSync(join(PLAYBOOKS, name)));
    const [{ tags: _tags, when: _when, ...gate }] = play.post_tasks;
    return { serial: play.serial, max_fail_percentage: play.max_fail_percentage, gate };
  });
  assert(install?.serial.length > 1);
  assertEquals(rollback, install);
});
