/** What becomes of an armed agent and of the web when its configuration breaks. */

import { assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

/** What a script begins with: MAX at 300 %, where the default is 610 %, and words for what the incident log says. */
const OWN = String.raw`
ini=/etc/loadweir/loadweir.ini kept=/var/lib/loadweir/config/last-good.ini
echo 'max = 3' >>"$ini"
crash() { kill -KILL "$agent_pid"; wait "$agent_pid" || true; }
told() { grep -c "event=$1 .*text=\"Configuration" /var/log/loadweir/incident.log || true; }
`;

/** Ways in which a file cannot be used any more. */
const DAMAGES = {
  "is no settings file": `echo 'max = 3' >"$ini"`,
  "may be written by others": `chmod 666 "$ini"`,
};

for (const [name, damage] of Object.entries(DAMAGES)) {
  testNeeding(
    NEEDS,
    `an agent killed in a pause goes on by the last good file when its own ${name}`,
    async () => {
      const output = await onWebHost(
        "sysv",
        `${OWN}
agent
play 400
within 20 down
within 5 test -e "$kept"
stat -c %a "$kept"
crash
${damage}
agent
sleep 2
down
play 20
within 20 up
play 400
within 20 down
play 20
within 20 up
innocents
loadweir status 2>&1 | grep 'configuration unusable'
{ loadweir check || true; } | grep 'the last good settings'
code=0; loadweir ok-tasks || code=$?; echo "$code"
loadweir run --dry-run --once 2>&1 | grep 'configuration unusable'
told config-unusable
end_agent
up
grep -c event=incident-resolved /var/log/loadweir/incident.log || true
`,
      );
      const lines = output.trim().split("\n");
      assertEquals(lines[0], "600");
      const applies = /the last good settings of \S+Z apply until/;
      for (const index of [1, 2, 5]) assertMatch(lines[index] ?? "", applies);
      assertMatch(lines[3] ?? "", /^tasks ok/);
      // The pause of this agent was resolved with it, once; that of the one before was never its own.
      assertEquals(lines.slice(6), ["1", "1"]);
    },
  );
}

testNeeding(
  NEEDS,
  "without a last good file an agent gives the web back and blocks crawlers at most",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${OWN}
agent
play 400
within 20 down
crash
rm -rf /var/lib/loadweir/config
echo 'max = 3' >"$ini"
agent
play 20
within 20 up
play 2000
within 20 grep -q 'tier=spider phase=recheck load1=2000' /tmp/agent.log
sleep 2
up
told config-unusable
test ! -e "$kept"
end_agent
grep -o 'no load is more than SPIDER[^;"]*' /var/log/loadweir/incident.log
`,
    );
    assertEquals(output.trim(), "1\nno load is more than SPIDER");
  },
);

testNeeding(
  NEEDS,
  "SIGHUP with a broken file changes nothing and raises one ALERT until it is mended",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${OWN}
agent
within 5 test -e "$kept"
cp "$ini" /tmp/good.ini
echo nonsense >"$ini"
for count in 1 2 3; do
  kill -HUP "$agent_pid"
  within 5 eval '[ "$(grep -c "configuration not read again" /tmp/agent.log)" = '"$count"' ]'
done
play 400
within 20 down
play 20
within 20 up
sleep 1
told config-unusable; told config-mended; grep -c event=incident-resolved /var/log/loadweir/incident.log || true
sed 's/^max = .*/max = 5/' /tmp/good.ini >"$ini"
kill -HUP "$agent_pid"
within 5 grep -q 'configuration read again' /tmp/agent.log
within 5 grep -q '^max = 5$' "$kept"
within 5 grep -q event=incident-resolved /var/log/loadweir/incident.log
told config-unusable; told config-mended
play 400
sleep 2
up
end_agent
`,
    );
    assertEquals(output.trim().split("\n"), ["1", "0", "0", "1", "1"]);
  },
);

testNeeding(NEEDS, "a start that finds the file mended says so", async () => {
  const output = await onWebHost(
    "sysv",
    `${OWN}
cp "$ini" /tmp/good.ini
echo nonsense >"$ini"
agent
within 5 eval '[ "$(told config-unusable)" = 1 ]'
crash
cp /tmp/good.ini "$ini"
agent
within 5 eval '[ "$(told config-mended)" = 1 ]'
end_agent
told config-unusable
`,
  );
  assertEquals(output.trim(), "1");
});

testNeeding(
  NEEDS,
  "a named file that breaks in a pause ends with the web up, and other verbs with 2",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${OWN}
named=/etc/loadweir/named.ini
mv "$ini" "$named"
agent() { ${LOADWEIR} "\${1:-run}" --config "$named" >>/tmp/agent.log 2>&1 & agent_pid=$!; }
for verb in run enforce; do
  agent
  play 400
  within 20 down
  within 5 test -e "$kept"
  crash
  cp "$named" /tmp/good.ini
  echo nonsense >"$named"
  agent "$verb"
  sleep 2
  down
  play 20
  within 20 up
  if [ "$verb" = run ]; then end_agent; else wait "$agent_pid"; fi
  up
  cp /tmp/good.ini "$named"
done
echo nonsense >"$named"
code=0; loadweir status --config "$named" 2>/dev/null || code=$?; echo "$code"
code=0; loadweir run --dry-run --once --config "$named" 2>/dev/null || code=$?; echo "$code"
`,
    );
    assertEquals(output.trim(), "2\n2");
  },
);

testNeeding(
  NEEDS,
  "single passes of cron tell once, and a full disk keeps none of them from acting",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${OWN}
mkdir -p /var/lib/loadweir
mount -t tmpfs -o size=16k,mode=755 tmpfs /var/lib/loadweir
head -c 100000 /dev/zero >/var/lib/loadweir/filler 2>/dev/null || true
agent
play 400
within 20 down
play 20
within 20 up
end_agent
grep -c 'no space left' /tmp/agent.log
echo nonsense >"$ini"
for pass in 1 2 3; do loadweir enforce >/dev/null 2>&1; done
told config-unusable
# Of the pause alone: nobody has mended the file.
grep -c event=incident-resolved /var/log/loadweir/incident.log
`,
    );
    assertEquals(output.trim().split("\n"), ["1", "1", "1"]);
  },
);

testNeeding(NEEDS, "SIGHUP keeps the settings of standard input, which cannot be read twice", async () => {
  await onWebHost(
    "sysv",
    `${OWN}
${LOADWEIR} run --config - <"$ini" >>/tmp/agent.log 2>&1 & agent_pid=$!
within 5 test -e "$kept"
kill -HUP "$agent_pid"
within 5 grep -q 'not read again' /tmp/agent.log
play 400
within 20 down
play 20
within 20 up
grep -q '^max = 3$' "$kept"
end_agent
`,
  );
});
