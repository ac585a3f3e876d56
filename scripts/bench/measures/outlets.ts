/** What an answer of an outlet costs, the page of metrics included. */

import { atLeast, atMost, type Measurement, numbersOf } from "../measurement.ts";
import { compileBench } from "../programs.ts";

/** Requests a second to the outlets, one connection each, of four clients at a time; and the CPU of one. */
export async function measureOutlets(): Promise<readonly Measurement[]> {
  const outlets = await compileBench("outlets_loop");
  const [pages = NaN, pageCpu = NaN, lines = NaN, lineCpu = NaN, memory = NaN] = await numbersOf(
    String.raw`
${outlets} & pid=$!
ask() { perl -MIO::Socket::INET -e 'for (1 .. $ARGV[1]) {
  $s = IO::Socket::INET->new("127.0.0.1:$ARGV[0]") or die; print $s $ARGV[2]; $s->flush; 1 while <$s> }' "$@"; }
until ask 9808 1 '' 2>/dev/null; do sleep 0.1; done
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
measure() { local from before pids=() i
  ask "$1" 500 "$2"
  from=$(date +%s%N) before=$(ticks)
  for i in 1 2 3 4; do ask "$1" 1500 "$2" & pids+=($!); done
  wait "${"${pids[@]}"}"
  awk -v ns="$(($(date +%s%N) - from))" 'BEGIN { printf "%d\n", 6000 / ns * 1e9 }'
  awk -v t="$(($(ticks) - before))" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.4f\n", t / hz / 6 }'; }
measure 9807 $'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
measure 9808 ''
awk '/^VmHWM/ { print $2 }' "/proc/$pid/status"
`,
    120_000,
  );
  return [
    { what: "/healthz, each on a connection", unit: "requests/s", loadweir: pages, goal: atLeast(500) },
    { what: "/healthz", unit: "ms CPU", loadweir: pageCpu },
    { what: "agent-check", unit: "requests/s", loadweir: lines, goal: atLeast(500) },
    { what: "agent-check", unit: "ms CPU", loadweir: lineCpu },
    { what: "peak RSS of 13 000 answers", unit: "KB", loadweir: memory, goal: atMost(65_536) },
  ];
}

/** CPU of one scrape of the metrics of an armed agent, its reply included. */
export async function measureMetrics(): Promise<readonly Measurement[]> {
  const [scrape = NaN] = await numbersOf(
    String.raw`
mkdir -p /etc/loadweir
printf '[outlets]\nicmp = off\nhttp = 127.0.0.1\n' >/etc/loadweir/loadweir.ini
"$bin" run >/dev/null 2>&1 & pid=$!
scrape() { perl -MIO::Socket::INET -e 'for (1 .. $ARGV[0]) { $s = IO::Socket::INET->new("127.0.0.1:9807") or die;
  print $s "GET /metrics HTTP/1.1\r\n\r\n"; $s->flush; 1 while <$s> }' "$1"; }
until scrape 1 2>/dev/null; do sleep 0.1; done
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
scrape 100
before=$(ticks); scrape 1000
awk -v t="$(($(ticks) - before))" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.4f\n", t / hz }'
kill "$pid"; wait "$pid"
`,
    120_000,
  );
  return [{ what: "/metrics, each on a connection", unit: "ms CPU", loadweir: scrape }];
}
