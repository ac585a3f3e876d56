/** What passes cost: CPU, memory and the start. */

import { atMost, type Measurement, numbersOf } from "../measurement.ts";
import { compileBench } from "../programs.ts";

/** CPU of a quiet pass, back to back and spaced, beside one pass of a shell watchdog and an empty loop. */
export async function measureQuietPass(): Promise<readonly Measurement[]> {
  const idle = await compileBench("idle_loop");
  const [backToBack = NaN, spaced = NaN, shell = NaN, empty = NaN, forks = NaN] = await numbersOf(
    String.raw`
pass() { local load1 load5 cpus; read -r load1 load5 _ </proc/loadavg; cpus=$(nproc)
  awk -v l="$load1" -v n="$cpus" 'BEGIN { printf "%.1f", l / n * 100 }'
  awk -v l="$load5" -v n="$cpus" 'BEGIN { printf "%.1f", l / n * 100 }'; }
shell() { for i in $(seq 200); do pass; done; }
one=$(cpu "$bin" run --dry-run --every 0 --passes 1)
per "$(cpu "$bin" run --dry-run --every 0 --passes 10001)" "$one" 10
per "$(cpu "$bin" run --dry-run --every 200ms --passes 101)" "$one" 0.1
per "$(cpu shell)" 0 0.2
per "$(cpu ${idle} 101 200)" "$(cpu ${idle} 1 0)" 0.1
# The last pid of this world's own pid namespace moves with every process and thread that is started.
"$bin" run --dry-run --every 5ms --passes 2000 >/dev/null & agent=$!
sleep 2
before=$(awk '{ print $5 }' /proc/loadavg); sleep 4; after=$(awk '{ print $5 }' /proc/loadavg)
wait "$agent"
# Two are ours: the sleep, and the awk that reads it the second time.
awk -v a="$before" -v b="$after" 'BEGIN { print b - a - 2 }'
`,
    300_000,
  );
  const watchdog = { what: "shell watchdog: read, nproc, 2 x awk", value: shell };
  return [
    {
      what: "quiet pass, back to back",
      unit: "ms CPU",
      loadweir: backToBack,
      goal: atMost(0.3),
      instead: watchdog,
    },
    {
      what: "quiet pass, every 200 ms",
      unit: "ms CPU",
      loadweir: spaced,
      goal: atMost(1.5),
      instead: { what: "empty timer loop of the same runtime", value: empty },
    },
    {
      what: "forks in 800 quiet passes",
      unit: "processes",
      loadweir: forks,
      goal: atMost(0),
      instead: { what: "shell watchdog", value: 2_400 },
    },
  ];
}

/** Peak memory after many passes: it must not grow. */
export async function measureMemory(): Promise<readonly Measurement[]> {
  const [short = NaN, long = NaN] = await numbersOf(
    String.raw`
peak "$bin" run --dry-run --every 0 --passes 10000
peak "$bin" run --dry-run --every 0 --passes 50000
`,
    300_000,
  );
  return [
    { what: "peak RSS after 10 000 passes", unit: "KB", loadweir: short, goal: atMost(65_536) },
    { what: "peak RSS after 50 000 passes", unit: "KB", loadweir: long, goal: atMost(65_536) },
  ];
}

/** Wall time from start to end of one look. */
export async function measureColdStart(): Promise<readonly Measurement[]> {
  const [ours = NaN, uptime = NaN] = await numbersOf(
    String.raw`
wall() { local start end; start=$(date +%s%N); for i in $(seq 20); do "$@" >/dev/null; done; end=$(date +%s%N)
  awk -v ns="$((end - start))" 'BEGIN { printf "%.2f\n", ns / 20e6 }'; }
"$bin" status >/dev/null
wall "$bin" status
wall uptime
`,
    60_000,
  );
  return [{
    what: "cold start: one status",
    unit: "ms",
    loadweir: ours,
    goal: atMost(80),
    instead: { what: "uptime", value: uptime },
  }];
}
