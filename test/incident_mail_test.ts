/** The mails of a whole incident, as the real s-nail hands them to the host's mail system. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

testNeeding(
  [...NEEDS, "/usr/bin/s-nail"],
  "an incident is one thread of mails with evidence, also when the agent is killed in it",
  async () => {
    const output = await onWebHost(
      "sysv",
      `printf '[incident]\\nemail = root@example.org\\nuptime_grace = 0\\n' >>/etc/loadweir/loadweir.ini
cat >/usr/sbin/sendmail <<'MTA'
#!/bin/sh
n=$(ls /tmp/mail-* 2>/dev/null | wc -l)
cat >/tmp/incoming && mv /tmp/incoming "/tmp/mail-$n"
MTA
chmod 755 /usr/sbin/sendmail
agent
play 700
within 20 down
within 20 test -e /tmp/mail-0
# Until it knows that the mail was sent, the next agent would send it again.
within 10 eval '[ -z "$(ls /var/lib/loadweir/mail)" ]'
kill -KILL "$agent_pid"; wait "$agent_pid" || true
agent
sleep 2
refuses 80
play 20
within 20 up
# A minute after the mail before at the earliest.
within 90 test -e /tmp/mail-1
sleep 2
end_agent
ls /tmp/mail-*
for mail in /tmp/mail-0 /tmp/mail-1; do
  echo "=== $mail"
  perl -MMIME::QuotedPrint -0777 -ne '($head, $body) = split /\\n\\n/, $_, 2; print $head, "\\n\\n", decode_qp($body)' "$mail"
done
`,
    );
    const [names, opened = "", resolved = ""] = output.split(/^=== .*\n/m);
    assertEquals(names, "/tmp/mail-0\n/tmp/mail-1\n");
    assertMatch(opened, /^Subject: \[loadweir\] web-1: Web paused: load 700\.0 %/m);
    assertMatch(opened, /^To: root@example\.org$/m);
    assertMatch(opened, /^--- processes by CPU, .* ---$/m);
    assertMatch(opened, /^--- php-fpm, .* ---\npool www: \d+ workers/m);
    assertMatch(opened, /^--- vmstat, .* ---$/m);
    assertMatch(opened, /^--- last 200 lines of the log ---\n.*event=pause-web/m);
    const id = /^Message-ID: (.*)$/mi.exec(opened)?.[1];
    assertMatch(resolved, /^Subject: \[loadweir\] web-1: Resolved after \d+ s$/m);
    assertEquals(/^In-Reply-To: (.*)$/mi.exec(resolved)?.[1], id);
  },
);
