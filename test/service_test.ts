/** The agent as a unit of a real systemd: revived when it is killed, and nothing held when it is stopped. */

import { assertEquals } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { UNIT_NEEDS, UNITS } from "./service_unit.ts";
import { LOADWEIR, NEEDS, onWebHost } from "./web_host.ts";

/** The unit, started. */
const UNIT = `${UNITS}
systemctl start loadweir
`;

testNeeding(UNIT_NEEDS, "a unit that is killed in a pause is revived and gives back", async () => {
  await onWebHost(
    "systemd",
    `${UNIT}
play 700
within 20 down
first=$(main_pid)
kill -KILL "$first"
within 10 revived "$first"
within 10 refuses 80
play 20
within 20 up
innocents
`,
  );
});

testNeeding(UNIT_NEEDS, "a unit that is stopped in a pause leaves nothing held", async () => {
  const output = await onWebHost(
    "systemd",
    `${UNIT}
play 900
within 20 down
systemctl stop loadweir
up
innocents
systemctl is-active loadweir || true
grep -c '"hold"' /run/loadweir/state/ledger.json || true
`,
  );
  assertEquals(output, "inactive\n0\n");
});

testNeeding(UNIT_NEEDS, "a unit whose agent cannot give back any more has its release do so", async () => {
  await onWebHost(
    "systemd",
    `${UNIT}
play 900
within 20 down
# It is killed, and must not come again: what is left is what runs after it.
sed -i 's/^Restart=.*/Restart=no/' /etc/systemd/system/loadweir.service
systemctl daemon-reload
kill -KILL "$(main_pid)"
within 20 up
innocents
`,
  );
});

testNeeding(
  UNIT_NEEDS,
  "a unit beside an agent that somebody started leaves alone what that one holds",
  async () => {
    await onWebHost(
      "systemd",
      `cp ${LOADWEIR} /usr/local/sbin/loadweir
loadweir print unit >/etc/systemd/system/loadweir.service
systemctl daemon-reload
agent
play 700
within 20 down
[[ "$(loadweir release --left)" == "an agent runs, and keeps what it holds" ]]
systemctl start --no-block loadweir
within 30 eval '[ "$(systemctl show -P NRestarts loadweir)" -ge 2 ]'
down
systemctl stop loadweir
down
play 20
within 20 up
end_agent
`,
    );
  },
);

testNeeding(UNIT_NEEDS, "a pause whose agent is gone for good ends by a timer of systemd", async () => {
  const output = await onWebHost(
    "systemd",
    `printf '[web]\\nmax_hold = 5s\\n' >>/etc/loadweir/loadweir.ini
${UNIT}
# Nothing runs after it, and nobody starts it again.
sed -i 's/^Restart=.*/Restart=no/; /^ExecStopPost=/d' /etc/systemd/system/loadweir.service
systemctl daemon-reload
play 20
sleep 1
systemctl is-active loadweir-release.timer || true
play 900
within 20 down
within 5 systemctl --quiet is-active loadweir-release.timer
kill -KILL "$(main_pid)"
sleep 20
refuses 80
within 30 up
innocents
within 5 eval '! systemctl --quiet is-active loadweir-release.timer loadweir-release.service'
# With an agent that gives back by itself there is none afterwards.
systemctl start loadweir
within 20 down
within 5 systemctl --quiet is-active loadweir-release.timer
play 20
within 20 up
within 5 eval '! systemctl --quiet is-active loadweir-release.timer'
`,
  );
  assertEquals(output, "inactive\n");
});

testNeeding(
  NEEDS,
  "a pause by hand that is asked for anew ends when that ends, and not by the timer of the first",
  async () => {
    await onWebHost(
      "systemd",
      `agent
within 5 test -e /run/loadweir/state/ledger.json
loadweir hold --for 5m "one"
within 10 down
ends_in() { loadweir status | grep -q "ends by itself in $1"; }
timer_in() { systemctl list-timers --no-legend --no-pager loadweir-release.timer | grep -q "$1.* left"; }
within 5 ends_in 4
within 5 timer_in '5min'
loadweir hold --for 2h "two"
within 5 ends_in '1 h 59'
within 5 timer_in '2h'
refuses 80
# The load keeps it beyond what was asked for; then it ends with the load, 30 minutes after it began at the latest.
play 700
within 10 test -e /run/loadweir/state/max_load.pid
loadweir hold --for 2s "three"
within 10 ends_in 29
within 5 timer_in '30min'
refuses 80
play 20
within 20 up
end_agent
`,
    );
  },
);

testNeeding(NEEDS, "the timer of a pause is there before the next pass", async () => {
  await onWebHost(
    "systemd",
    `sed -i 's/100ms/60s/' /etc/loadweir/loadweir.ini
play 700
agent
within 20 down
within 2 systemctl is-active loadweir-release.timer
end_agent
up
`,
  );
});
