import { assert, assertEquals } from "@std/assert";
import { testNeeding } from "../needs.ts";
import { inPressureWorld, loadResultOf, PRESSURE_NEEDS } from "../pressure_world.ts";

testNeeding(
  PRESSURE_NEEDS,
  "inPressureWorld() has a tier, an application, and a load that tells what came",
  async () => {
    const output = await inPressureWorld(`tier_up 1 3
for _ in 1 2 3 4; do page 80; done | sort -u | xargs
# Half of what is asked for: the rest of it may be time in which others had the CPU.
load rate 'http://127.0.0.1:9101/?ms=5' 50 2
metrics 1 | awk '/^process_cpu_seconds_total/ { print ($2 >= 0.25) }'
systemctl start php8.2-fpm
within 5 curl --silent --fail http://127.0.0.1/burn.php
ticks() { awk '{ n += $14 + $15 } END { print n }' $(pgrep -x php-fpm8.2 | sed 's|.*|/proc/&/stat|'); }
before=$(ticks)
load rate 'http://127.0.0.1/burn.php?ms=20' 20 2
echo "$(($(ticks) - before >= 40))"
load slow http://127.0.0.1/ 300 20 & load_pid=$!
within 5 eval "curl --silent http://127.0.0.1:8088/ | grep 'Reading: 300 '"
kill "$load_pid"
load rate 'http://127.0.0.1:9102/' 20 1
`);
    const [pages, node, nodeBurned, php, phpBurned, refused] = output.trimEnd().split("\n");
    assertEquals(pages, "instance 1 instance 3");
    const ofNode = loadResultOf(node);
    assertEquals([ofNode.sent, ofNode.statuses, ofNode.errors], [100, { 200: 100 }, {}]);
    assert(ofNode.p50Ms >= 5 && ofNode.p99Ms >= ofNode.p50Ms && ofNode.maxMs >= ofNode.p99Ms, node);
    assertEquals(nodeBurned, "1");
    const ofPhp = loadResultOf(php);
    assertEquals([ofPhp.sent, ofPhp.statuses, ofPhp.errors], [40, { 200: 40 }, {}]);
    assertEquals(phpBurned, "1");
    const { sent, statuses, errors } = loadResultOf(refused);
    assertEquals([sent, statuses, Object.values(errors)], [20, {}, [20]]);
  },
);
