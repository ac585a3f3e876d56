/** The lines of `docs/bare-host.md`, pasted as they are. */

import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { CRAWLER_BLOCKS } from "../mod/nginx/crawler_block.ts";
import { PROJECT } from "../scripts/project_files.ts";
import { testNeeding } from "./needs.ts";
import { PERSON, PERSON_NEEDS } from "./person.ts";
import { UNIT_NEEDS } from "./service_unit.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

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
  return `{ as_person "$(cat <<'PASTED'\n${lines}PASTED\n)" || true; }`;
}

/** A person in a folder with the binary; a mount of `/proc` is not there. */
const AT_WORK = String.raw`${PERSON}
umount /run/loadweir/proc/loadavg /run/loadweir/proc
rmdir /run/loadweir/proc /run/loadweir
mount --bind /tmp/loadavg /proc/loadavg
mkdir -p /etc/logrotate.d /etc/cron.d
cp ${LOADWEIR} .
# Whatever has our name where programs, settings and logs are.
ours() { find /etc /usr/local /var -xdev -name '*loadweir*' -not -path '/etc/loadweir*' -not -path '/var/tmp/*' | sort; }
sums() { ours | while read -r path; do if [ -f "$path" ]; then sha256sum "$path"; fi; done; }
`;

testNeeding(
  [...UNIT_NEEDS, ...PERSON_NEEDS],
  "the lines for systemd install an agent, change nothing when run again, and are undone",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${AT_WORK}
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

testNeeding(
  [...UNIT_NEEDS, ...PERSON_NEEDS],
  "the lines for an audit change nothing else, and are undone",
  async () => {
    const output = await onWebHost(
      "systemd",
      `${AT_WORK}
ours >/tmp/before
# The units of a host make it no worse.
verdict() { { loadweir check || true; } | tail -1; }
verdict >/tmp/verdict
${pasted("audit")} >/tmp/journal
grep -q loadweir-audit /tmp/journal
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
  },
);

testNeeding(
  [...NEEDS, ...PERSON_NEEDS],
  "the lines for sysvinit install an agent, change nothing when run again, and are undone",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${AT_WORK}
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

testNeeding(
  [...NEEDS, ...PERSON_NEEDS],
  "the line for cron guards a host with nothing else, and is undone in a pause",
  async () => {
    await onWebHost(
      "no manager",
      `${AT_WORK}
ours >/tmp/before
${pasted("cron")}
sums >/tmp/first
${pasted("cron")}
sums | diff /tmp/first -
sed -n 's/^[*] [*] [*] [*] [*] root //p' /etc/cron.d/loadweir >/tmp/line
pass() { env -i PATH=/usr/bin:/bin /bin/sh /tmp/line; }
pass
up
play 700
pass & pass=$!
within 20 down
${pasted("cron undone")} >/dev/null
up
innocents
wait "$pass"
not pgrep -f '^/usr/local/sbin/loadweir'
ours | diff /tmp/before -
`,
    );
  },
);

testNeeding(
  [...UNIT_NEEDS, ...PERSON_NEEDS],
  "the lines for crawlers let a running agent block them, and are undone",
  async () => {
    await onWebHost(
      "systemd",
      `${AT_WORK}
sed -i 's|listen 80 default_server;|&\\n  ${BLOCK_INCLUDE}|' /etc/nginx/sites-available/default
systemctl reload nginx
[ ! -e /etc/nginx/loadweir ]
${pasted("systemd")} >/dev/null
ours >/tmp/before
code() { curl -s -o /dev/null -m 2 -A "$1" -w '%{http_code}' http://127.0.0.1/; }
blocked() { [ "$(code 'Googlebot/2.1')" = 429 ] && up; }
served() { [ "$(code 'Googlebot/2.1')" = 200 ] && up; }
# Without a restart the folder is read-only for the agent, which says so.
install -d /etc/nginx/loadweir
loadweir print nginx-block >${CRAWLER_BLOCKS.generic.off}
play 300
within 20 eval 'journalctl -u loadweir -o cat | grep -q "Read-only file system.*(restart loadweir, whose sandbox took the folder as it was)"'
served
play 20
rm -r /etc/nginx/loadweir
${pasted("crawlers")}
play 300
within 20 blocked
play 20
within 60 served
${pasted("crawlers")}
play 300
within 20 blocked
${pasted("crawlers undone")}
within 10 served
ours | diff /tmp/before -
`,
    );
  },
);
