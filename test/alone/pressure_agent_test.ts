import { assert, assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "../needs.ts";
import { inPressureWorld, loadResultOf, PRESSURE_NEEDS } from "../pressure_world.ts";
import { LOADWEIR, NEEDS } from "../web_host.ts";

/** What such a test needs: the binary too. */
const AGENT_NEEDS = [...NEEDS, ...PRESSURE_NEEDS];

/**
 * An agent that watches pressure, with windows of a few seconds, and the load of the ladder played: `agent SECTIONS`
 * starts it, `decided FIELD` prints that of each of its evaluations so far, `latest FIELD` the last one.
 */
const AGENT = String.raw`
loadweir() { ${LOADWEIR} "$@"; }
printf '0.10 0.10 0.10 1/100 4242\n' >/tmp/loadavg
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
mkdir -p /etc/loadweir
agent() {
  { echo '[pressure]
window = 5s
samples = 4
warmup = 2s
cooldown_out = 12s
scale_in_window = 10s
cooldown_in = 10s
cooldown_in_after_out = 10s
start_timeout = 10s
cpu_budget = 2'; echo "$1"; } >/etc/loadweir/loadweir.ini
  first ${LOADWEIR} run >>/tmp/agent.log 2>&1 & agent_pid=$!; }
journal=/var/log/loadweir/pressure.jsonl
end_agent() { kill -TERM "$agent_pid"; wait "$agent_pid"; }
latest() { loadweir pressure --json | jq -r "$1"; }
is() { sleep 0.5; [ "$(latest "$1")" = "$2" ]; }
said() { grep -c "$1" /tmp/agent.log; }
decided() { jq -r ".decided.$1" $journal; }
`;

/** The tier of the world, whose CPU is counted as one for each instance. */
const TIER = `mode = active
[tier]
template = web@.service
metrics = http://127.0.0.1:%p/metrics
base_port = 9100
max = 2
drain = unit`;

function play(script: string, deadlineMs: number): Promise<string> {
  return inPressureWorld(`${AGENT}${script}`, deadlineMs);
}

testNeeding(
  AGENT_NEEDS,
  "an agent scales a saturated tier of node out, its latency falls, and scales it in once, drained",
  async () => {
    const output = await play(
      `tier_up 1
load rate 'http://127.0.0.1/?ms=40' 27 8
agent '${TIER}'
load rate 'http://127.0.0.1/?ms=40' 27 60 >/tmp/during & load_pid=$!
within 58 eval 'sleep 0.5; [ "$(up_indexes)" = "1 2" ]'
loadweir status | grep -A1 '^pressure' | cut -c 11-
wait "$load_pid"
load rate 'http://127.0.0.1/?ms=40' 27 8
load rate 'http://127.0.0.1/slow?s=1' 4 40 >/tmp/after & load_pid=$!
within 40 eval 'sleep 0.5; [ "$(up_indexes)" = "1" ]'
wait "$load_pid"
cat /tmp/after
sleep 12
end_agent
decided action | grep -v None | xargs
loadweir explain --pressure 200 | grep -c '^  result   ScaleOut 1 to 2: cpu_lag'
loadweir replay --pressure $journal >/dev/null && echo replayed
grep -o 'Web tier scaled [a-z]*' /tmp/agent.log | xargs
`,
      200_000,
    );
    const lines = output.trimEnd().split("\n");
    const [one, two, after] = lines.filter((line) => line.startsWith("{")).map(loadResultOf);
    assert(one !== undefined && two !== undefined && after !== undefined);
    assert(two.p99Ms < one.p99Ms / 2, `p99 with one instance ${one.p99Ms} ms, with two ${two.p99Ms} ms`);
    assertEquals([one.errors, two.errors], [{}, {}]);
    assertEquals([after.statuses, after.errors], [{ 200: 160 }, {}]);
    const rest = lines.filter((line) => !line.startsWith("{"));
    assertMatch(rest[0] ?? "", /^WebTierSaturated: web tier: 1 instance at CPU (?:0\.[89]|1\.0)\d/);
    assertEquals(rest.slice(-4), [
      "ScaleOut ScaleIn",
      "1",
      "replayed",
      "Web tier scaled out Web tier scaled in",
    ]);
  },
);

/** Applications and the tier of node in one agent; the tier has two instances, so that it could be scaled either way. */
const WITH_PHP = `${TIER}
[app:php]
class = php
unit = php8.2-fpm.service`;

testNeeding(
  AGENT_NEEDS,
  "an agent finds php-fpm to be the bottleneck, says of which pool, and scales nothing",
  async () => {
    const output = await play(
      `systemctl start php8.2-fpm
tier_up 1 2
agent '${WITH_PHP}'
within 20 is .decided.class Unknown
load rate 'http://127.0.0.1/burn.php?ms=100' 40 30 >/tmp/load &
within 25 is .decided.class PhpSaturated
within 10 eval 'loadweir status | grep "php-fpm pool www: 2 of 2 workers busy"'
loadweir status | grep -A1 '^pressure' | cut -c 11-
loadweir pressure | grep '^advice' | cut -c 11-
within 5 grep 'class=PhpSaturated' /tmp/agent.log
up_indexes
end_agent
decided action | sort -u | xargs
`,
      150_000,
    );
    const [status, advice, adviceOfTable, indexes, actions] = output.trimEnd().split("\n");
    assertMatch(
      status ?? "",
      /^PhpSaturated: php-fpm pool www: 2 of 2 workers busy in \d+ of \d+ looks, \d+ waiting; php: CPU /,
    );
    assertMatch(
      advice ?? "",
      /^(?:raise pm\.max_children only if RAM allows: \d+ x \d+ MiB used, |find the slow scripts)/,
    );
    assertMatch(adviceOfTable ?? "", /^(?:raise pm\.max_children|find the slow scripts)/);
    assertEquals([indexes, actions], ["1 2", "None"]);
  },
);

testNeeding(
  AGENT_NEEDS,
  "an agent that is told no figures any more knows nothing of a tier, busy or idle, and scales it in neither direction",
  async () => {
    const output = await play(
      `tier_up 1 2
agent '${TIER}'
within 20 is .decided.class Unknown
for index in 1 2; do kill -USR2 "$(systemctl show --property=MainPID --value "web@$index")"; done
within 20 is .decided.reasonCode stale-endpoint
load rate 'http://127.0.0.1/?ms=40' 60 15 >/tmp/load
loadweir pressure --json | jq -c '[.decided.class, .decided.action, (.decided.score | type), .decided.cpu > 0.7]'
# Longer than an idle tier takes to be scaled in.
sleep 25
loadweir status | grep -A1 '^pressure' | cut -c 11-
up_indexes
end_agent
decided action | sort -u | xargs
`,
      150_000,
    );
    const [busy, idle, advice, indexes, actions] = output.trimEnd().split("\n");
    assertEquals(busy, '["Unknown","None","array",true]');
    assertMatch(
      idle ?? "",
      /^Unknown \(stale-endpoint\): web@1\.service runs at CPU 0\.\d\d and does not answer; web@2/,
    );
    assertMatch(advice ?? "", /^look at the address of its figures/);
    assertEquals([indexes, actions], ["1 2", "None"]);
  },
);

testNeeding(
  AGENT_NEEDS,
  "an agent tells a busy application of node behind an idle nginx from slow clients of that nginx",
  async () => {
    const output = await play(
      `tier_up 1
agent '[instance:nginx]
metrics = http://127.0.0.1:8088/
unit = nginx.service
cpus = 2
connection_limit = 400
[app:shop]
class = node
unit = web@1.service'
within 20 is .decided.class Unknown
load rate 'http://127.0.0.1/?ms=40' 35 15 >/tmp/load & load_pid=$!
within 20 is .decided.class NodeSaturated
loadweir status | grep -A1 '^pressure' | cut -c 11-
wait "$load_pid"
within 20 is .decided.class Unknown
load slow http://127.0.0.1/ 350 20 &
# A window in which they are still coming has more requests in flight than it should before connections are near their limit.
within 20 is '.decided.class == "ConnectionPressure" and .input.connectionsRatio >= 0.8' true
loadweir status | grep -A1 '^pressure' | cut -c 11-
end_agent
decided action | sort -u | xargs
`,
      150_000,
    );
    const [node, nodeAdvice, slow, slowAdvice, actions] = output.trimEnd().split("\n");
    assertMatch(
      node ?? "",
      /^NodeSaturated: shop: CPU (?:0\.9\d|1\.\d\d) of 1 \(1 process\), web tier at 0\.\d\d$/,
    );
    assertMatch(nodeAdvice ?? "", /more web instances would not help$/);
    assertMatch(
      slow ?? "",
      /^ConnectionPressure: nginx: (?:2[89]|3\d)\d in flight, (?:2[89]|3\d)\d of 400 connections, CPU 0\.0\d$/,
    );
    assertMatch(slowAdvice ?? "", /^slow clients or long streams: raise the limit of connections/);
    assertEquals(actions, "None");
  },
);
