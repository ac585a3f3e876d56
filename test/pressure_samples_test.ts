/** Samples of pressure on a host with systemd, nginx and php-fpm, by a program that is compiled as the binary is. */

import { NO_METRIC_NAMES } from "../mod/config/pressure_config.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import type { PressurePlan } from "../adapters/pressure/pressure_sampler.ts";
import type { GroupProcess, PoolSample, PressureSample } from "../mod/pressure/sample.ts";
import { maybeValue, whyMissing } from "../mod/reading.ts";
import { compileModule } from "../scripts/compile_module.ts";
import { testNeeding } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { SITE, WEB_NEEDS } from "./web_site.ts";

type Look = PressureSample & { readonly tookMs: number };

const PLAN: PressurePlan = {
  instances: [{
    name: "nginx",
    metrics: { at: { kind: "tcp", host: "127.0.0.1", port: 80 }, path: "/" },
    preset: "auto",
    unit: "",
    pidFile: "/run/nginx.pid",
    cpus: 0,
    loopsCount: 1,
    connectionLimitCount: 0,
    lagBaselineMs: undefined,
    names: NO_METRIC_NAMES,
  }],
  apps: [
    {
      name: "php",
      class: "php",
      unit: "php8.2-fpm.service",
      process: "",
      argument: "",
      cpus: 0,
      queue: { kind: "php-fpm" },
    },
    {
      name: "shop",
      class: "node",
      unit: "",
      process: "shop",
      argument: "600",
      cpus: 0,
      queue: { kind: "none" },
    },
  ],
  tier: {
    tierTemplate: "web@.service",
    tierMetrics: "",
    tierBasePort: 0,
    tierPreset: "auto",
    tierLagBaselineMs: undefined,
  },
};

const PRELUDE = String.raw`${SITE}
# A child that works for a moment, again and again, and is waited for.
cat >/etc/systemd/system/web@.service <<'END'
[Service]
ExecStart=/usr/bin/perl -e 'while (1) { if (!fork) { 1 for 1 .. 3000000; exit } wait; select undef, undef, undef, .05 }'
END
cat >/etc/php/8.2/fpm/pool.d/www.conf <<'END'
[www]
user = www-data
listen = /run/php/php8.2-fpm.sock
listen.owner = www-data
pm = static
pm.max_children = 2
pm.status_path = /fpm-status
END
cp /bin/sleep /tmp/shop
cp /bin/sleep /tmp/shops
mkfifo /tmp/asked /tmp/said
begin() { samples </tmp/asked >/tmp/said & exec 8>/tmp/asked 9</tmp/said; }
look() { echo >&8; IFS= read -r -t 15 line <&9; printf '%s\n' "$line"; }
# Looks until a sample has something, unseen.
until_look() { local end=$((SECONDS + 20))
  until look | grep -qE "$1"; do [ "$SECONDS" -lt "$end" ] || { echo "never: $1"; look; exit 1; }; sleep 0.2; done; }
`;

/** Runs a script; gives the samples that it printed, and the other lines. */
async function onHost(
  script: string,
): Promise<{ readonly looks: readonly Look[]; readonly lines: readonly string[] }> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-samples-" });
  try {
    await compileModule("test/pressure_samples_program.ts", join(folder, "samples"));
    const whole = `samples() { exec ${folder}/samples '${JSON.stringify(PLAN)}'; }\n${PRELUDE}${script}`;
    const all = (await inSystemdWorldOk(whole, { share: [folder] })).trimEnd().split("\n");
    return {
      looks: all.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line)),
      lines: all.filter((line) => !line.startsWith("{")),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The processes of an instance; undefined where it is not there. */
function instanceOf(look: Look | undefined, name: string): readonly GroupProcess[] | undefined {
  return maybeValue(look?.instances.find((instance) => instance.name === name)?.group);
}

function appOf(look: Look | undefined, name: string): readonly GroupProcess[] | undefined {
  return maybeValue(look?.apps.find((app) => app.name === name)?.group);
}

function reapedOf(group: readonly GroupProcess[] | undefined): number {
  return (group ?? []).reduce((sum, { reapedTicks }) => sum + reapedTicks, 0);
}

testNeeding(
  ["root", "namespaces", "/lib/systemd/systemd", "/usr/bin/perl", ...WEB_NEEDS],
  "take() follows units, names and pools of a real host",
  async () => {
    const { looks, lines } = await onHost(String.raw`
systemctl start php8.2-fpm nginx; within 10 up
systemctl start web@1
begin
until_look '"busyCount":[01]'
until_look '"web@1.service"'
look
systemctl start web@2
# It becomes the program after it was seen as a shell, and one of another name or argument never does.
bash -c 'sleep 1.5; exec /tmp/shop 600' & shop=$!
/tmp/shops 600 & /tmp/shop 601 &
until_look '"web@2.service"'
until_look "\"pid\":$shop,"
look
echo "$(systemctl show -P MainPID web@1) $(systemctl show -P MainPID web@2) $shop"
reaped() { cut -d ' ' -f 16 "/proc/$(systemctl show -P MainPID web@2)/stat"; }
before=$(reaped)
has_reaped() { [ "$(reaped)" -gt "$before" ]; }
within 10 has_reaped
systemctl stop web@1; kill "$shop"; wait "$shop" || true
look
echo '<?php sleep(600);' >/var/www/html/index.php
for i in 1 2 3 4; do curl --silent --max-time 600 http://127.0.0.1/ >/dev/null & done
until_look '"busyCount":2,"waitingCount":[2-9]'
look
systemctl stop php8.2-fpm nginx
look
`);
    const [one, two, stopped, full, down] = looks;
    const [web1, web2, shop] = (lines[0] ?? "").split(" ").map(Number);

    assertEquals(instanceOf(one, "web@1.service")?.some(({ pid }) => pid === web1), true);
    assertEquals([instanceOf(one, "web@2.service"), appOf(one, "shop")], [undefined, []]);
    assertEquals(instanceOf(two, "web@2.service")?.some(({ pid }) => pid === web2), true);
    assertEquals(appOf(two, "shop")?.map(({ pid }) => pid), [shop]);
    assertEquals([instanceOf(stopped, "web@1.service"), appOf(stopped, "shop")], [undefined, []]);
    assertEquals(instanceOf(stopped, "web@2.service")?.some(({ pid }) => pid === web2), true);
    assert(reapedOf(instanceOf(stopped, "web@2.service")) > reapedOf(instanceOf(two, "web@2.service")));

    // A master and its workers, each of them.
    assert((instanceOf(one, "nginx")?.length ?? 0) >= 2);
    assertEquals(appOf(one, "php")?.length, 3);
    const idle = one?.apps[0]?.pools[0];
    assertEquals([idle?.name, idle?.maxCount, idle?.waitingCount], ["www", 2, 0]);
    // At this moment one of them may make the page of nginx.
    assert((idle?.busyCount ?? Infinity) <= 1);
    assert((one?.apps[0]?.allowedCpus ?? 0) > 0);
    assert((instanceOf(one, "nginx")?.[0]?.rssKib ?? 0) > 1_000);
    assertEquals(maybeValue(one?.instances[0]?.metrics)?.requestsTotal, "made by php 42".length);

    const pool = full?.apps[0]?.pools[0];
    assertEquals([pool?.maxCount, pool?.busyCount], [2, 2]);
    assert((pool?.waitingCount ?? 0) >= 2);
    const late = full?.instances[0]?.metrics;
    assertMatch(late === undefined ? "" : whyMissing(late) ?? "", /no whole page within 750 ms|is left out/);

    assertEquals([instanceOf(down, "nginx"), appOf(down, "php")], [[], []]);
    // What should run has its pools, of which nothing is told.
    assertEquals(down?.apps[0]?.pools, [{ name: "www", maxCount: 2 } as PoolSample]);
    for (const { tookMs } of looks) assert(tookMs < 5_000, `${tookMs} ms`);
  },
);
