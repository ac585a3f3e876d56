/** The lines of `docs/bare-host.md`, pasted as they are. */

import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { testNeeding } from "./needs.ts";
import { UNIT_NEEDS } from "./service_unit.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";
import { PROJECT } from "./world.ts";

/** The blocks of the document by their names, each a script. */
const BLOCKS = new Map(
  [
    ...Deno.readTextFileSync(join(PROJECT, "docs/bare-host.md"))
      .matchAll(/<!-- test: ([^\n]*) -->\n\n```sh\n(.*?)```/gs),
  ].map(([, name = "", lines = ""]) => [name, lines]),
);

/** What a block says, line by line as a person pastes it: what fails does not keep the next one from being run. */
function pasted(name: string): string {
  const lines = BLOCKS.get(name);
  if (lines === undefined) throw new Error(`There is no block ${name} in docs/bare-host.md`);
  return `{ set +e\n${lines}set -e\n}`;
}

/** A person in a folder with the binary, who may use sudo; a mount of `/proc` is not there. */
const PERSON = String.raw`
umount /run/loadweir/proc/loadavg /run/loadweir/proc
rmdir /run/loadweir/proc /run/loadweir
mount --bind /tmp/loadavg /proc/loadavg
mkdir -p /root/here /etc/logrotate.d /etc/cron.d
cd /root/here
ln -s ${LOADWEIR} loadweir-x86_64
printf '#!/bin/sh\nexec "$@"\n' >/usr/local/bin/sudo
chmod 755 /usr/local/bin/sudo
# Whatever has our name where programs, settings and logs are.
ours() { find /etc /usr/local /var -xdev -name '*loadweir*' -not -path '/etc/loadweir*' -not -path '/var/tmp/*' | sort; }
sums() { ours | while read -r path; do if [ -f "$path" ]; then sha256sum "$path"; fi; done; }
`;

testNeeding(
  UNIT_NEEDS,
  "the lines for systemd install an agent, change nothing when run again, and are undone",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${PERSON}
ours >/tmp/before
${pasted("systemd")} >/tmp/check
systemctl is-enabled loadweir
sums >/tmp/first
${pasted("systemd")} >/tmp/check
sums | diff /tmp/first -
grep -A3 '^files' /tmp/check
play 700
within 20 down
${pasted("systemd undone")}
up
innocents
ours | diff /tmp/before -
`,
    );
    assertEquals(output.split("\n").map((line) => line.slice(10)).slice(0, 4), [
      "",
      "logrotate /etc/logrotate.d/loadweir: as this binary prints it",
      "unit /etc/systemd/system/loadweir.service: as this binary prints it",
      "not installed: audit-unit, nginx-block; `loadweir print NAME` has them",
    ]);
  },
);

testNeeding(UNIT_NEEDS, "the lines for an audit change nothing else, and are undone", async () => {
  const output = await onWebHost(
    "systemd",
    `${PERSON}
ours >/tmp/before
# The units of a host make it no worse.
verdict() { { loadweir check || true; } | tail -1; }
verdict >/tmp/verdict
${pasted("audit")} >/tmp/journal
within 10 eval 'journalctl -u loadweir-audit -o cat | grep -q mode=audit'
{ ours | diff /tmp/before - || true; } | grep '^>'
{ loadweir check || true; } | grep -c 'audit-unit .*: as this binary prints it'
verdict | diff /tmp/verdict -
${pasted("audit undone")}
ours | diff /tmp/before -
up
`,
  );
  assertEquals(output.trim().split("\n"), [
    "> /etc/systemd/system/loadweir-audit.service",
    "> /etc/systemd/system/multi-user.target.wants/loadweir-audit.service",
    "> /usr/local/sbin/loadweir",
    "1",
  ]);
});

testNeeding(
  NEEDS,
  "the lines for sysvinit install an agent, change nothing when run again, and are undone",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PERSON}
ours >/tmp/before
${pasted("sysvinit")} >/dev/null
sums >/tmp/first
${pasted("sysvinit")} >/dev/null
sums | diff /tmp/first -
loadweir check | grep -A3 '^files'
play 700
within 20 down
${pasted("sysvinit undone")} >/dev/null
up
innocents
not pgrep -f '^/usr/local/sbin/loadweir'
ours | diff /tmp/before -
`,
    );
    assertEquals(output.split("\n").map((line) => line.slice(10)).slice(0, 2), [
      "logrotate /etc/logrotate.d/loadweir: as this binary prints it",
      "sysv /etc/init.d/loadweir: as this binary prints it",
    ]);
  },
);
