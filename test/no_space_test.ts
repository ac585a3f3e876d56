/** Full disks: nothing is stopped that could not be remembered, and nothing stays down. */

import { assertMatch, assertNotMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

testNeeding(NEEDS, "a full disk stops nothing, and keeps nothing down", async () => {
  const output = await onWebHost(
    "sysv",
    `mkdir -p /run/loadweir/state
mount -t tmpfs -o size=64k tmpfs /run/loadweir/state
agent
within 5 test -e /run/loadweir/state/ledger.json
head -c 1000000 /dev/zero >/run/loadweir/state/filler 2>/dev/null || true
play 700
sleep 4
up
rm /run/loadweir/state/filler
within 20 down
head -c 1000000 /dev/zero >/run/loadweir/state/filler 2>/dev/null || true
play 20
within 20 up
rm /run/loadweir/state/filler
end_agent
cat /tmp/agent.log
`,
  );
  assertMatch(output, /Nothing is stopped, because the ledger cannot be written/);
  assertNotMatch(output, /started by somebody else/);
});

testNeeding(
  NEEDS,
  "a full disk below logs, mails and journal hinders neither a pause nor its end",
  async () => {
    const output = await onWebHost(
      "sysv",
      `printf '[incident]\\nemail = root@example.org\\nreport = ALL\\nuptime_grace = 0\\n' >>/etc/loadweir/loadweir.ini
printf '#!/bin/sh\\nexit 1\\n' >/usr/bin/s-nail; chmod 755 /usr/bin/s-nail; rm -f /usr/sbin/sendmail /usr/bin/mail
for folder in /var/log/loadweir /var/lib/loadweir; do
  mkdir -p $folder
  mount -t tmpfs -o size=16k tmpfs $folder
  head -c 100000 /dev/zero >$folder/filler 2>/dev/null || true
done
agent
play 700
within 20 down
play 20
within 20 up
sleep 1
rm /var/log/loadweir/filler
sleep 2
end_agent
cat /tmp/agent.log
`,
    );
    for (const file of ["incident.log", "journal.jsonl"]) {
      assertMatch(
        output,
        new RegExp(`Cannot write /var/log/loadweir/${file}: no space left on its file system`),
      );
    }
    assertMatch(output, /Cannot keep a mail in \/var\/lib\/loadweir\/mail: no space left/);
  },
);
