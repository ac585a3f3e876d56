/** The metrics of a running agent in an incident: promtool takes each page, and the alerts fire on what it printed. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { BLOCK_CONF, BLOCK_INCLUDE } from "../mod/nginx/block_conf.ts";
import { parseExposition } from "../mod/prom/exposition.ts";
import { PROJECT } from "../scripts/project_files.ts";
import { runToolOk } from "../scripts/run_tool.ts";
import { testNeeding } from "./needs.ts";
import { NEEDS, onWebHost } from "./web_host.ts";

const PROMTOOL = "/usr/bin/promtool";
const FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const METRICS_NEEDS = [...NEEDS, PROMTOOL] as const;

/** Pages without a site; `keep NAME` keeps one under a name, once promtool has nothing to say of it. */
const PAGES = String.raw`
printf '[probe]\ntick = 1s\nmin_hold = 1s\n[outlets]\nicmp = off\nhttp = 127.0.0.1\n' >>/etc/loadweir/loadweir.ini
ini=/etc/loadweir/loadweir.ini
metrics() { curl -s -m 2 --fail http://127.0.0.1:9807/metrics; }
# Whether a series has a value: has NAME-WITH-LABELS VALUE.
has() { metrics >/tmp/now && grep -qxF "$1 $2" /tmp/now; }
keep() { metrics >/tmp/page; said=$(promtool check metrics </tmp/page 2>&1) && [ -z "$said" ] || { echo "$said"; exit 1; }
  echo "=== $1"; cat /tmp/page; }
`;

/** What is told on a page, by its series as it stands there. */
type Page = ReadonlyMap<string, number>;

/** The pages of an output by their names. */
function pagesOf(output: string): ReadonlyMap<string, Page> {
  return new Map(
    output.split("=== ").slice(1).map((part) => {
      const [name = "", ...lines] = part.split("\n");
      const text = lines.join("\n");
      parseExposition(text, "text", name);
      const series = lines.filter((line) => line.startsWith("loadweir_")).map((line): [string, number] => {
        const at = line.lastIndexOf(" ");
        return [line.slice(0, at), Number(line.slice(at + 1))];
      });
      return [name, new Map(series)];
    }),
  );
}

/** Series of a page that are not 0, of those that begin so. */
function nonZero(page: Page | undefined, start: string): Readonly<Record<string, number>> {
  return Object.fromEntries([...page ?? []].filter(([key, value]) => key.startsWith(start) && value !== 0));
}

/**
 * The alerts that fire when a host tells what one page has for five minutes, and then what another one has for a
 * quarter of an hour. What is held goes on being held, and times are those of the test.
 */
async function alertsOf(before: Page, after: Page, expected: readonly string[]): Promise<void> {
  const series = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const value = (page: Page): string => page.has(key) ? `${page.get(key)}` : "_";
    const grows = key === "loadweir_hold_seconds" && (after.get(key) ?? 0) > 0;
    const values = key.endsWith("_timestamp_seconds")
      ? "0+60x20"
      : `${value(before)}x4 ${value(after)}${grows ? "+60" : ""}x15`;
    const labels = key.includes("{") ? `${key.slice(0, -1)},` : `${key}{`;
    return { series: `${labels}job="loadweir",instance="web-1"}`, values };
  });
  const path = await Deno.makeTempFile({ suffix: ".yml" });
  const test = {
    rule_files: [join(PROJECT, "scripts/prometheus/alerts.yml")],
    tests: [{
      interval: "1m",
      input_series: series,
      promql_expr_test: [{
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: "18m",
        exp_samples: expected.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
      }],
    }],
  };
  try {
    // JSON is YAML.
    await Deno.writeTextFile(path, JSON.stringify(test));
    await runToolOk(PROMTOOL, { args: ["test", "rules", path], deadlineMs: 60_000 });
  } finally {
    await Deno.remove(path);
  }
}

testNeeding(
  METRICS_NEEDS,
  "metrics follow an incident, and the alerts fire on what was printed",
  async () => {
    const pages = pagesOf(
      await onWebHost(
        "sysv",
        `${PAGES}
agent
within 10 has 'loadweir_tier{tier="normal"}' 1
[ "$(curl -s -o /dev/null -m 2 -w '%{http_code}' http://127.0.0.1:9807/healthz)" = 200 ]
keep normal
play 700
within 20 down
within 10 has 'loadweir_events_total{event="pause-web"}' 1
sleep 1
keep paused
# php-fpm does not start until it is mended.
echo 'broken = yes' >>/etc/php/8.2/fpm/php-fpm.conf
play 20
within 30 eval 'metrics | grep "^loadweir_action_failures_total{action=.resume-web.} [1-9]"'
keep failing
sed -i '/^broken/d' /etc/php/8.2/fpm/php-fpm.conf
within 40 up
within 10 has 'loadweir_web_held{reason="max"}' 0
within 10 has 'loadweir_probe_phase{phase="in"}' 1
keep resumed
chmod 666 "$ini"
kill -HUP "$agent_pid"
within 10 has loadweir_config_usable 0
keep rejected
chmod 644 "$ini"
kill -HUP "$agent_pid"
within 10 has loadweir_config_usable 1
keep mended
: >/tmp/loadavg
within 10 has 'loadweir_sensor_state{sensor="load",state="failed"}' 1
keep lost
play 20
within 10 has 'loadweir_tier{tier="normal"}' 1
end_agent
`,
      ),
    );
    const page = (name: string): Page => pages.get(name) ?? new Map();

    assertEquals(nonZero(page("normal"), "loadweir_decisions_total"), {
      'loadweir_decisions_total{reason="below-spider"}': page("normal").get("loadweir_passes_total") ?? NaN,
    });
    assertEquals(nonZero(page("normal"), "loadweir_tier"), { 'loadweir_tier{tier="normal"}': 1 });
    assertEquals(nonZero(page("normal"), "loadweir_web_held"), {});
    assertEquals(page("normal").get("loadweir_hold_seconds"), 0);
    assertEquals(page("normal").get('loadweir_probe_phase{phase="in"}'), 1);
    assertEquals(page("normal").get('loadweir_load_ratio{window="1m"}'), 0.2);
    assert((page("normal").get("loadweir_process_cpu_seconds_total") ?? 0) > 0);
    assert((page("normal").get("loadweir_process_resident_memory_bytes") ?? 0) > 10_000_000);

    assertEquals(nonZero(page("paused"), "loadweir_web_held"), { 'loadweir_web_held{reason="max"}': 1 });
    assertEquals(page("paused").get("loadweir_pause_latch"), 1);
    assertEquals(page("paused").get('loadweir_actions_total{action="pause-web"}'), 1);
    assertEquals(nonZero(page("paused"), "loadweir_action_failures_total"), {});
    assertEquals(page("paused").get('loadweir_load_ratio{window="1m"}'), 7);
    assertEquals(page("paused").get('loadweir_probe_reason{reason="web-paused"}'), 1);
    assertEquals(page("paused").get('loadweir_sensor_state{sensor="backups",state="ok"}'), 1);
    const [held = 0, left = 0] = ["seconds", "remaining_seconds"].map((name) =>
      page("paused").get(`loadweir_hold_${name}`)
    );
    assert(held >= 1 && held < 60 && Math.abs(held + left - 1_800) < 0.01, `${held} + ${left}`);

    assertEquals(Object.keys(nonZero(page("failing"), "loadweir_action_failures_total")), [
      'loadweir_action_failures_total{action="resume-web"}',
    ]);
    assertEquals(nonZero(page("resumed"), "loadweir_web_held"), {});
    assertEquals(page("resumed").get("loadweir_hold_remaining_seconds"), undefined);
    assert((page("resumed").get("loadweir_held_seconds_total") ?? 0) > held);

    assertEquals(page("rejected").get('loadweir_events_total{event="config-unusable"}'), 1);
    assertEquals(page("mended").get('loadweir_events_total{event="config-mended"}'), 1);
    assertEquals(page("lost").get('loadweir_load_ratio{window="1m"}'), undefined);
    assertEquals(page("lost").get("loadweir_cpus"), undefined);
    assertEquals(page("lost").get('loadweir_tier{tier="unknown"}'), 1);
    assert((page("lost").get('loadweir_sensor_failures_total{sensor="load"}') ?? 0) > 0);

    await alertsOf(page("normal"), page("normal"), []);
    await alertsOf(page("normal"), page("paused"), ["LoadweirHoldNotHelping", "LoadweirWebPaused"]);
    await alertsOf(page("paused"), page("failing"), ["LoadweirActionFailed", "LoadweirWebPaused"]);
    await alertsOf(page("failing"), page("resumed"), []);
    await alertsOf(page("resumed"), page("rejected"), ["LoadweirConfigRejected"]);
    await alertsOf(page("rejected"), page("mended"), []);
    await alertsOf(page("mended"), page("lost"), ["LoadweirSensorFrozen"]);

    // The tests of the rules are about series as an agent prints them.
    const printed = new Set([...pages.values()].flatMap((one) => [...one.keys()]));
    const tested = [
      ...Deno.readTextFileSync(join(PROJECT, "scripts/prometheus/alerts_test.yml")).matchAll(
        /series: (loadweir_\w+)\{job="\w+", instance="[^"]+"(?:, ([^}]*))?\}/g,
      ),
    ].map(([, name, labels]) =>
      labels === undefined ? name ?? "" : `${name}{${labels.replaceAll(", ", ",")}}`
    );
    assert(tested.length > 30);
    assertEquals(tested.filter((key) => !printed.has(key) && !/version="0.2.0"|psi-cpu/.test(key)), []);
  },
);

testNeeding(METRICS_NEEDS, "metrics have each tier of the ladder, up and down again", async () => {
  const pages = pagesOf(
    await onWebHost(
      "sysv",
      `${PAGES}
mkdir -p /etc/nginx/loadweir
cat >/etc/nginx/loadweir/nginx_high_load_off.conf <<'END'
${BLOCK_CONF}
END
sed -i 's|listen 80 default_server;|&\\n  ${BLOCK_INCLUDE}|' /etc/nginx/sites-available/default
kill -HUP "$(cat /run/nginx.pid)"
agent
play 300
within 20 has 'loadweir_events_total{event="crawler-block-on"}' 1
keep spider
play 900
within 40 down
within 10 has 'loadweir_events_total{event="pause-web"}' 1
keep crit
play 400
within 20 up
within 10 has 'loadweir_web_held{reason="crit"}' 0
keep after
play 20
within 60 has 'loadweir_events_total{event="crawler-block-off"}' 1
keep normal
end_agent
`,
    ),
  );
  const tiers = [...pages].map(([name, page]) => [name, Object.keys(nonZero(page, "loadweir_tier"))]);
  assertEquals(tiers, [
    ["spider", ['loadweir_tier{tier="spider"}']],
    ["crit", ['loadweir_tier{tier="crit"}']],
    ["after", ['loadweir_tier{tier="spider"}']],
    ["normal", ['loadweir_tier{tier="normal"}']],
  ]);
  assertEquals([...pages.values()].map((page) => page.get("loadweir_crawler_block")), [1, 1, 1, 0]);
  assertEquals(nonZero(pages.get("crit"), "loadweir_web_held"), { 'loadweir_web_held{reason="crit"}': 1 });
  const actions = Object.keys(nonZero(pages.get("normal"), "loadweir_actions_total"));
  assertEquals(actions.map((key) => /"(.*)"/.exec(key)?.[1]), [
    "recheck",
    "crawler-block-on",
    "crawler-block-off",
    "kill-runaways",
    "pause-web",
    "resume-web",
  ]);
});

testNeeding(
  METRICS_NEEDS,
  "metrics have pressure of instances and applications, whatever they are called",
  async () => {
    const pages = pagesOf(
      await onWebHost(
        "sysv",
        `${PAGES}
cat >>"$ini" <<'END'
[instance:the "first" żółw]
pid_file = /run/nginx.pid
[app:a\\b]
class = php
process = php-fpm8.2
END
agent
within 20 eval 'metrics | grep "^loadweir_pressure_app_cpu_used"'
keep watched
end_agent
`,
      ),
    );
    const page = pages.get("watched") ?? new Map<string, number>();
    const instance = String.raw`web_instance="the \"first\" \\u017c\\u00f3\\u0142w"`;
    const app = String.raw`app="a\\b",class="php"`;
    assertEquals(page.get(`loadweir_pressure_instance_standing{${instance},standing="counts"}`), 1);
    assert((page.get(`loadweir_pressure_instance_resident_memory_bytes{${instance}}`) ?? 0) > 1_000_000);
    assert((page.get(`loadweir_pressure_app_processes{${app}}`) ?? 0) >= 2);
    // The instance has no page, so that its lag is not known; an idle CPU alone makes cpu_lag small.
    assertEquals(
      [...page.keys()].filter((key) => /_component_ratio\{.*"(lag|inflight|score)"\}$/.test(key)),
      [],
    );
    assert(page.has('loadweir_pressure_score_bound_ratio{bound="high"}'));
    const counts = Object.values(nonZero(page, "loadweir_pressure_evaluations_total"));
    assert(counts.reduce((sum, count) => sum + count, 0) >= 1);
    assertEquals(Object.values(nonZero(page, "loadweir_pressure_class")), [1]);
  },
);

testNeeding(
  [...METRICS_NEEDS, FAKETIME, "/usr/bin/perl"],
  "metrics say of a load that has stood still for ten minutes on busy CPUs that it is frozen",
  async () => {
    const pages = pagesOf(
      await onWebHost(
        "sysv",
        `${PAGES}
# CPUs that work all the time, whatever this machine does: a file whose ticks grow, rewritten in place.
cat /proc/stat >/tmp/stat
mount --bind /tmp/stat /run/loadweir/proc/stat
perl -e 'open F, "+<", "/tmp/stat"; @lines = <F>; for ($ticks = 1e9;; $ticks++) {
  $lines[0] = sprintf "cpu  %s 0 0 0 0 0 0 0 0 0\\n", $ticks;
  sysseek F, 0, 0; syswrite F, join "", @lines; select undef, undef, undef, 0.02 }' & stat_pid=$!
echo +0 >/tmp/clock
export FAKETIME_TIMESTAMP_FILE=/tmp/clock FAKETIME_NO_CACHE=1 LD_PRELOAD=${FAKETIME}
agent 2>/dev/null
unset LD_PRELOAD
within 10 has 'loadweir_sensor_state{sensor="load",state="ok"}' 1
sleep 1
keep moving
echo +11m >/tmp/clock
within 30 has 'loadweir_sensor_state{sensor="load",state="frozen"}' 1
keep frozen
kill "$stat_pid"
end_agent
`,
      ),
    );
    const [moving = new Map<string, number>(), frozen = new Map<string, number>()] = pages.values();
    assertEquals(frozen.get('loadweir_tier{tier="unknown"}'), 1);
    assertEquals(frozen.get('loadweir_load_ratio{window="1m"}'), undefined);
    assert((frozen.get('loadweir_sensor_failures_total{sensor="load"}') ?? 0) >= 1);
    await alertsOf(moving, frozen, ["LoadweirSensorFrozen"]);
  },
);

testNeeding(
  METRICS_NEEDS,
  "metrics are also a file of node_exporter, whole and as long as the agent runs",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PAGES}
folder=/var/lib/prometheus/node-exporter file=/var/lib/prometheus/node-exporter/loadweir.prom
sed -i '/^http/d' "$ini"
printf 'metrics_textfile = yes\\n' >>"$ini"
agent
within 10 grep -q 'Cannot write .*loadweir.prom' /tmp/agent.log
end_agent
mkdir -p "$folder"
: >/tmp/agent.log
agent
within 10 test -s "$file"
stat -c '%a %U' "$file"
ls "$folder"
promtool check metrics <"$file"
grep '^loadweir_build_info' "$file"
# Nothing listens.
refuses 9807
inode=$(stat -c %i "$file")
within 20 eval '[ "$(stat -c %i "$file")" != "$inode" ]'
kill -KILL "$agent_pid"; wait "$agent_pid" || true
test -s "$file"
sed -i '/^metrics_textfile/d' "$ini"
agent
within 10 eval '! [ -e "$file" ]'
printf 'metrics_textfile = yes\\n' >>"$ini"
kill -HUP "$agent_pid"
within 20 test -s "$file"
end_agent
ls "$folder"
grep -c 'Cannot write' /tmp/agent.log || true
`,
    );
    assertMatch(output, /^644 root\nloadweir\.prom\nloadweir_build_info\{version="[^"]+"\} 1\n0\n$/);
  },
);

testNeeding(
  METRICS_NEEDS,
  "a file of metrics that cannot be written is told once, and delays no pass",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PAGES}
printf 'metrics_textfile = yes\\n' >>"$ini"
agent
within 10 has 'loadweir_tier{tier="normal"}' 1
sleep 17
[ "$(metrics | awk '/^loadweir_passes_total/ { print ($2 >= 100) }')" = 1 ]
end_agent
grep -c 'Cannot write .*loadweir.prom: its folder is not there, make it' /tmp/agent.log
`,
    );
    assertEquals(output, "1\n");
  },
);
