/** The web tier scaled out and in on a real systemd, with people who start and stop meanwhile, and what fails or hangs. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ScaleOutcome } from "../mod/pressure/sample.ts";
import { testNeeding } from "./needs.ts";
import { inPressureWorld, loadResultOf, PRESSURE_NEEDS } from "./pressure_world.ts";

type Outcome = ScaleOutcome & { readonly tookMs: number };

/** Runs a script; gives the lines that it printed. */
async function linesOf(script: string): Promise<readonly string[]> {
  return (await inPressureWorld(script)).trimEnd().split("\n");
}

function outcomeOf(line: string | undefined): Outcome {
  return JSON.parse(line ?? "{}");
}

/** A line in short: what was done, to which instance; other lines as they are. */
function short(line: string): string {
  if (!line.startsWith('{"action"')) return line;
  const { action, isDone, instance } = outcomeOf(line);
  return `${action} ${instance} ${isDone ? "done" : "not done"}`;
}

testNeeding(PRESSURE_NEEDS, "the tier is scaled between its least and its greatest number", async () => {
  const lines = await linesOf(`tier_up 1
scaler out; scaler out; answers_at 3; scaler out; up_indexes
scaler in; scaler in; scaler in; up_indexes; answers_at 1
scaler in '{"tierDrain":"none"}'
`);
  assertEquals(lines.map(short), [
    "ScaleOut web@2.service done",
    "ScaleOut web@3.service done",
    "ScaleOut web@*.service not done",
    "1 2 3",
    "ScaleIn web@3.service done",
    "ScaleIn web@2.service done",
    "ScaleIn web@*.service not done",
    "1",
    "ScaleIn web@*.service not done",
  ]);
  assertEquals(outcomeOf(lines[2]).text, "not started: 3 instances run, of 3 at most");
  assertEquals(outcomeOf(lines[6]).text, "not stopped: 1 instances run, of 1 at least");
  assertEquals(outcomeOf(lines[8]).text, "not stopped: no drain is configured");
});

testNeeding(PRESSURE_NEEDS, "what people start and stop is seen before each scaling", async () => {
  const lines = await linesOf(`tier_up 1 2 3
systemctl stop web@2
scaler in; up_indexes
systemctl start web@2
scaler out; up_indexes
systemctl stop web@1
scaler out; up_indexes
# One that somebody is starting, and one that somebody is stopping, are left to them.
systemctl stop web@2 web@3
unit_says start '[Service]\\nType=notify\\nTimeoutStartSec=600' 2
systemctl start --no-block web@2
scaler out; scaler in; up_indexes; systemctl is-active web@2 || true
`);
  assertEquals(lines.map(short), [
    "ScaleIn web@3.service done",
    "1",
    "ScaleOut web@3.service done",
    "1 2 3",
    "ScaleOut web@1.service done",
    "1 2 3",
    "ScaleOut web@2.service not done",
    "ScaleIn web@2.service not done",
    "1",
    "activating",
  ]);
});

testNeeding(
  PRESSURE_NEEDS,
  "an instance that fails is stopped again, and no other one is started",
  async () => {
    const lines = await linesOf(`tier_up 1
unit_says start '[Service]\\nExecStart=\\nExecStart=/bin/false' 2
scaler out; up_indexes; systemctl is-active web@2 || true
# It is not started again before the back-off is over; then it is, once.
scaler out; up_indexes
rm -r /etc/systemd/system/web@2.service.d; systemctl daemon-reload
scaler out '{"failureBackoffMs":100}'; up_indexes
`);
    assertEquals(lines.map(short), [
      "ScaleOut web@2.service not done",
      "1",
      "failed",
      "ScaleOut web@2.service not done",
      "1",
      "ScaleOut web@2.service done",
      "1 2",
    ]);
    assertMatch(
      outcomeOf(lines[0]).text,
      /start -- web@2\.service" exited 0 after \d+ ms; it has failed; stopped again: .*exited 0/,
    );
    assertMatch(
      outcomeOf(lines[3]).text,
      /^not started: it failed, \d s ago; started again after 180 s at the earliest$/,
    );
  },
);

testNeeding(
  PRESSURE_NEEDS,
  "an instance that was started too often is left alone, and so is its count",
  async () => {
    const lines = await linesOf(`tier_up 1
unit_says start '[Service]\\nExecStart=\\nExecStart=/bin/false' 2
for _ in 1 2 3 4 5; do systemctl start web@2; within 5 systemctl --quiet is-failed web@2; done
scaler out '{"failureBackoffMs":1}'; up_indexes
scaler out; up_indexes
if systemctl start web@2 2>/dev/null; then echo started; else echo refused; fi
`);
    assertEquals(lines.map(short), [
      "ScaleOut web@2.service not done",
      "1",
      "ScaleOut web@2.service not done",
      "1",
      "refused",
    ]);
    assertMatch(outcomeOf(lines[0]).text, /exited 1 after .*; it did not start; stopped again: /);
    assertMatch(outcomeOf(lines[2]).text, /^not started: it failed, \d s ago; /);
  },
);

testNeeding(
  PRESSURE_NEEDS,
  "an instance that never answers is stopped again when its time is over",
  async () => {
    const lines = await linesOf(`tier_up 1
unit_says start '[Service]\\nExecStart=\\nExecStart=/bin/sleep 600' 2
scaler out '{"startTimeoutMs":2000}'; up_indexes; systemctl is-active web@2 || true
# One that ends again and again is no different.
unit_says start '[Service]\\nExecStart=\\nExecStart=/bin/false\\nRestart=always\\nRestartSec=1' 2
scaler out '{"startTimeoutMs":2000}'; up_indexes; systemctl is-active web@2 || true
# One that systemd does not know how to start.
unit_says start '[Service]\\nExecStart=' 2
scaler out; up_indexes
`);
    assertEquals(lines.map(short), [
      "ScaleOut web@2.service not done",
      "1",
      "inactive",
      "ScaleOut web@2.service not done",
      "1",
      "inactive",
      "ScaleOut web@2.service not done",
      "1",
    ]);
    assertMatch(outcomeOf(lines[0]).text, /; it gives no figures within 2000 ms; stopped again: /);
    assertMatch(outcomeOf(lines[3]).text, /; stopped again: /);
    assertMatch(outcomeOf(lines[6]).text, /exited [1-9]\d* after .*; it did not start; stopped again: /);
  },
);

testNeeding(
  PRESSURE_NEEDS,
  "nobody sees a scale-in: requests under way are answered, and others go elsewhere",
  async () => {
    const lines = await linesOf(`tier_up 1 2
load rate 'http://127.0.0.1/?ms=2' 60 8 >/tmp/load & load_pid=$!
curl --silent --max-time 20 --write-out '%{http_code}\\n' 'http://127.0.0.1:9102/slow?s=4' >/tmp/slow & slow_pid=$!
within 5 serves 2 1; within 5 has_served 1 20
scaler in
wait "$slow_pid" "$load_pid"; cat /tmp/slow /tmp/load
up_indexes
`);
    const [scaled, instance, status, load, indexes] = lines;
    assertEquals(short(scaled ?? ""), "ScaleIn web@2.service done");
    assert(outcomeOf(scaled).tookMs >= 2_000, "it was stopped under the request");
    assertEquals([instance, status, indexes], ["instance 2", "200", "1"]);
    const { sent, statuses, errors } = loadResultOf(load);
    assertEquals({ sent, statuses, errors }, { sent: 480, statuses: { 200: 480 }, errors: {} });
  },
);

testNeeding(PRESSURE_NEEDS, "a scaling whose agent dies goes on by itself", async () => {
  const lines = await linesOf(`tier_up 1 2
curl --silent --max-time 20 --write-out '%{http_code}\\n' 'http://127.0.0.1:9102/slow?s=4' >/tmp/slow & slow_pid=$!
within 5 serves 2 1
is_stopping() { [ "$(systemctl is-active web@2)" = deactivating ]; }
$scaler_program in & scaler_pid=$!
within 5 is_stopping
kill -KILL "$scaler_pid"
is_stopping
wait "$slow_pid"; cat /tmp/slow
within 5 eval '! systemctl --quiet is-active web@2'
# One that was being started is left running, where the agent is ended too.
for signal in KILL TERM; do
  unit_says start '[Service]\\nExecStart=\\nExecStart=/bin/sleep 600' 2
  $scaler_program out & scaler_pid=$!
  within 5 systemctl --quiet is-active web@2
  kill -0 "$scaler_pid"
  kill "-$signal" "$scaler_pid"; wait "$scaler_pid" || true
  up_indexes
  systemctl stop web@2
done
`);
  assertEquals(lines, [
    "instance 2",
    "200",
    "1 2",
    "1 2",
  ]);
});

testNeeding(PRESSURE_NEEDS, "a hook drains before the stop, and is told which instance", async () => {
  const lines = await linesOf(`tier_up 1 2
hook scale-in <<'END'
read -r line; echo "$line" >/tmp/told; systemctl is-active web@2 >>/tmp/told
END
scaler in '{"tierDrain":"hook"}'; cat /tmp/told; up_indexes
hook scale-out <<'END'
read -r line; echo "$line" >/tmp/told; systemctl is-active web@2 >>/tmp/told
END
scaler out '{"tierDrain":"hook"}'; cat /tmp/told
`);
  const [scaledIn, drained, before, indexes, scaledOut, used, after] = lines;
  assertEquals([scaledIn, scaledOut].map((line) => short(line ?? "")), [
    "ScaleIn web@2.service done",
    "ScaleOut web@2.service done",
  ]);
  for (const [line, hook] of [[drained, "scale-in"], [used, "scale-out"]] as const) {
    const told = JSON.parse(line ?? "{}");
    assertEquals([told.hook, told.instance], [hook, "web@2.service"]);
  }
  assertEquals([before, indexes, after], ["active", "1", "active"]);
});

testNeeding(
  PRESSURE_NEEDS,
  "a drain that fails, or others that stop meanwhile, keep the instance in use",
  async () => {
    const lines = await linesOf(`tier_up 1 2
by_hook() { scaler in '{"tierDrain":"hook"}'; up_indexes; }
by_hook
printf 'cat >/dev/null; echo in use again >>/tmp/used' | hook scale-out
printf 'cat >/dev/null; echo cannot drain; exit 3' | hook scale-in
by_hook; cat /tmp/used
# While one is drained, somebody stops the other: it is the last one.
printf 'cat >/dev/null; systemctl stop web@1' | hook scale-in
by_hook; cat /tmp/used; answers_at 2
# While one is drained, somebody starts one above it.
systemctl start web@1
printf 'cat >/dev/null; systemctl start web@3' | hook scale-in
by_hook
`);
    assertEquals(lines.map(short), [
      "ScaleIn web@2.service not done",
      "1 2",
      "ScaleIn web@2.service not done",
      "1 2",
      "in use again",
      "ScaleIn web@2.service not done",
      "2",
      "in use again",
      "in use again",
      "ScaleIn web@2.service not done",
      "1 2 3",
    ]);
    assertEquals(outcomeOf(lines[0]).text, "not stopped: there is no hook scale-in");
    assertEquals(
      outcomeOf(lines[2]).text,
      "not stopped: hook scale-in exited 3: cannot drain; put to use by hook scale-out",
    );
    assertMatch(outcomeOf(lines[5]).text, /^not stopped: 1 instances run, of 1 at least; put to use/);
    assertMatch(outcomeOf(lines[9]).text, /^not stopped: web@3\.service is the highest now; put to use/);
  },
);

testNeeding(PRESSURE_NEEDS, "a systemctl that hangs meets its deadline", async () => {
  const lines = await linesOf(`tier_up 1
mv /usr/bin/systemctl /usr/bin/systemctl.real
fake() { printf '#!/bin/sh\\n%s\\nexec /usr/bin/systemctl.real "$@"\\n' "$1" >/usr/bin/systemctl; chmod 755 /usr/bin/systemctl; }
fake 'sleep 60'
scaler out
fake '[ "$1" != start ] || sleep 60'
scaler out '{"startTimeoutMs":1000}'
up_indexes
fake 'echo "web@1.service loaded"; exit 0'
scaler out
`);
  assertEquals(lines.map(short), [
    "ScaleOut  not done",
    "ScaleOut web@2.service not done",
    "1",
    "ScaleOut  not done",
  ]);
  const [unlisted, unstarted, , torn] = lines.map((line) =>
    line.startsWith("{") ? outcomeOf(line) : undefined
  );
  assertMatch(unlisted?.text ?? "", /^Cannot list web@\*\.service: .* gave no answer within 5000 ms$/);
  assert((unlisted?.tookMs ?? Infinity) < 20_000);
  assertMatch(
    unstarted?.text ?? "",
    /gave no answer within 1000 ms; it did not start; stopped again: .* exited 0/,
  );
  assertMatch(torn?.text ?? "", /^Cannot parse "systemctl list-units" line 1: /);
});
