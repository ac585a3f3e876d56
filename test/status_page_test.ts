/** The status page of a running agent: who may see it, and what it shows while the web is served, paused and given back. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { PageModel } from "../mod/page/page_model.ts";
import { PROBE, PROBE_NEEDS } from "./balancer.ts";
import { testNeeding } from "./needs.ts";
import { onWebHost } from "./web_host.ts";

/** Words to ask for the page: of this host, and of the balancer in its network. */
const ASK = String.raw`
ask() { curl -s -m 3 "http://127.0.0.1:9807$1"; }
# Unquoted, so that an option can stand before the address.
code() { curl -s -o /dev/null -m 3 -w '%{http_code}' $1; }
there_code() { there curl -s -o /dev/null -m 3 -w '%{http_code}' "http://192.0.2.1:9807$1"; }
there_code6() { there curl -s -o /dev/null -m 3 -w '%{http_code}' "http://[2001:db8::1]:9807$1"; }
is_code() { [ "$($1 "$2")" = "$3" ]; }
shows() { [[ "$(ask /)" == *"$1"* ]]; }
status() { ask /status.json; }
# Whether the status has a piece of JSON.
has() { [[ "$(status)" == *"$1"* ]]; }
`;

/** php-fpm as an application that is watched. */
const PRESSURE = String.raw`
printf '[app:php]\nclass = php\nprocess = php-fpm8.2\n' >>/etc/loadweir/loadweir.ini
`;

/** The statuses among what was printed. */
function modelsOf(output: string): readonly PageModel[] {
  return output.split("\n").filter((line) => line.startsWith('{"format"')).map((line) => JSON.parse(line));
}

testNeeding(
  [...PROBE_NEEDS, "/usr/bin/chromium"],
  "the page shows a host that serves, its pause and its way back, with the probe and pressure",
  async () => {
    const output = await onWebHost(
      "sysv",
      `${PROBE}${ASK}${PRESSURE}
agent
within 10 is_in
within 20 has '"pressure":{'
status
shows 'Nothing is held'
play 700
within 20 down
within 5 has '"phase":"drained"'
within 5 shows 'HOLD: web paused for '
status
# A browser shows it too, after a refresh of its own.
timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \\
  --disable-background-networking --disable-component-update --disable-sync --user-data-dir=/tmp/chromium \\
  --virtual-time-budget=11000 --dump-dom http://127.0.0.1:9807/ >/tmp/dom 2>/tmp/chromium.log ||
  { cat /tmp/chromium.log; exit 1; }
echo "browser shows $(grep -c 'HOLD: web paused for' /tmp/dom), broke $(grep -ci 'security policy' /tmp/chromium.log)"
play 20
within 20 up
within 20 is_in
within 5 shows 'Nothing is held'
status
end_agent
is_code code http://127.0.0.1:9807/ 000
`,
    );
    const [calm, held, back] = modelsOf(output);
    assert(calm !== undefined && held !== undefined && back !== undefined, output);
    assertEquals([calm.tier, calm.hold, calm.host, calm.pass?.isLate], ["normal", null, "web-1", false]);
    assertEquals([calm.load1Percent, calm.probe?.phase, calm.probe?.checks[0]?.standing], [20, "in", "ok"]);
    assertMatch(calm.pressure?.class ?? "", /^\w+/);
    assertEquals(calm.pressure?.apps.rows.map(([name]) => name), ["php"]);

    assertEquals([held.hold?.reason, held.probe?.phase, held.probe?.reason], [
      "max",
      "drained",
      "web-paused",
    ]);
    assertEquals(held.hold?.services.toSorted(), ["nginx", "php8.2-fpm"]);
    assertEquals(held.hold?.waitsFor, "waits for 1m 700.0 % and 5m 700.0 % to fall below 488 %");
    assert(
      held.recent.some(({ about, result }) => about === "ladder" && result.startsWith("pause-web")),
      output,
    );
    assert(held.recent.some(({ about }) => about === "pressure"), output);
    assertMatch(held.actions.map(({ text }) => text).join("\n"), /paused/i);
    assertMatch(output, /^browser shows 1, broke 0$/m);

    assertEquals([back.hold, back.tier], [null, "normal"]);
    // What was in the last hour is still there.
    assertEquals(back.history.loads.some(({ isHeld }) => isHeld), true);
    assertEquals(Math.max(...back.history.loads.map(({ load1Percent }) => load1Percent ?? 0)), 700);
  },
);

testNeeding(
  PROBE_NEEDS,
  "the page is for this host alone, whatever address balancers ask, unless it is to be for everybody",
  async () => {
    await onWebHost(
      "sysv",
      `${PROBE}${ASK}
sed -i 's/^http = .*/http = ::/' /etc/loadweir/loadweir.ini
page_is() { sed -i "/^page/d; s/^http = .*/&\\npage = $1/" /etc/loadweir/loadweir.ini; kill -HUP "$agent_pid"; }
agent
within 10 is_code there_code /healthz 200
for path in / /status.json; do
  within 1 is_code code "http://127.0.0.1:9807$path" 200
  within 1 is_code code "http://[::1]:9807$path" 200
  # From elsewhere there is nothing, in either family, nor by an address of this host that is not its loopback.
  within 1 is_code there_code "$path" 404
  within 1 is_code there_code6 "$path" 404
  within 1 is_code code "http://192.0.2.1:9807$path" 404
  # A name that somebody lets point here is not of this host, but for balancers.
  within 1 is_code code "--resolve rebind.example:9807:127.0.0.1 http://rebind.example:9807$path" 421
  within 1 is_code code "http://localhost:9807$path" 200
done
within 1 is_code code "--resolve rebind.example:9807:127.0.0.1 http://rebind.example:9807/healthz" 200
page_is everywhere
within 10 is_code there_code / 200
within 1 is_code code "--resolve web-3.example:9807:127.0.0.1 http://web-3.example:9807/" 200
within 1 is_code there_code /status.json 200
page_is off
within 10 is_code there_code / 404
within 1 is_code code http://127.0.0.1:9807/ 404
within 1 is_code code http://127.0.0.1:9807/status.json 404
within 1 is_code code http://127.0.0.1:9807/healthz 200
end_agent
`,
    );
  },
);

testNeeding(PROBE_NEEDS, "the page needs no site, and says which setting adds one", async () => {
  const output = await onWebHost(
    "idle",
    `${ASK}
printf '[outlets]\\nhttp = 127.0.0.1\\nicmp = off\\n[probe]\\ntick = 1s\\n' >>/etc/loadweir/loadweir.ini
agent
within 10 shows 'No site is probed'
shows 'Nothing is watched'
status
end_agent
`,
  );
  const [model] = modelsOf(output);
  assertEquals([model?.isPressureWatched, model?.pressure], [false, null]);
  assertEquals(model?.probe?.checks.filter(({ isSite }) => isSite), []);
});
