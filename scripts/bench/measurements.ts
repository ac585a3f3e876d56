/**
 * What is measured, each on the compiled binary and beside what a user would run instead. Every measurement is a bash
 * script that runs in a world of its own and prints numbers; CPU times are user and system together.
 */

import { inWorldOk, PROJECT } from "../../test/world.ts";
import { compileBench } from "./programs.ts";

/** One line of the result. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  readonly loadweir: number;
  /** What it must not exceed, or must reach where `more` is better; undefined is no goal. */
  readonly goal?: { readonly limit: number; readonly better: "less" | "more" };
  /** What a user would run instead, and what that costs. */
  readonly instead?: { readonly what: string; readonly value: number };
}

/**
 * What every script begins with. The load is played by a file over `loadavg`, so that the machine's own load starts no
 * re-check. `cpu` gives the CPU seconds of a command, user and system together, its children included.
 */
const PRELUDE = String.raw`
play() { printf '%s %s %s 1/100 4242\n' "$1" "$1" "$1" >/tmp/loadavg; }
play 0.10
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
bin=$PROJECT/dist/loadweir-x86_64
cpu() { { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }
peak() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null | tail -n 1; }
per() { awk -v long="$1" -v short="$2" -v n="$3" 'BEGIN { printf "%.6f\n", (long - short) / n }'; }
`;

async function numbersOf(script: string, deadlineMs: number): Promise<readonly number[]> {
  const output = await inWorldOk(`PROJECT='${PROJECT}'\n${PRELUDE}${script}`, { bind: true, deadlineMs });
  return output.trim().split("\n").map(Number);
}

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

/** CPU of one scan of 5 000 processes, back to back and as re-checks make it, beside one `ps -e`. */
export async function measureScan(): Promise<readonly Measurement[]> {
  const scan = await compileBench("scan_loop");
  const [backToBack = NaN, spaced = NaN, ps = NaN, spacedPs = NaN] = await numbersOf(
    String.raw`
mkdir -p /etc/loadweir
printf '[ladder]\ninterval = 100ms\nrecheck = 5200ms\n' >/etc/loadweir/loadweir.ini
play 700.00
empty=$(cpu "$bin" run --dry-run --passes 5)
for i in $(seq 5000); do sleep 600 & done
per "$(cpu ${scan} 21)" "$(cpu ${scan} 1)" 0.02
per "$(cpu "$bin" run --dry-run --passes 5)" "$empty" 0.005
list() { for i in $(seq 10); do ps -e; done; }
per "$(cpu list)" 0 0.01
spaced() { for i in 1 2 3 4 5; do sleep 5; ps -e; done; }
per "$(cpu spaced)" 0 0.005
`,
    300_000,
  );
  return [
    {
      what: "scan of 5 000 processes, back to back",
      unit: "ms CPU",
      loadweir: backToBack,
      goal: atMost(ps / 3),
      instead: { what: "ps -e", value: ps },
    },
    {
      what: "scan of 5 000 processes, every 5 s",
      unit: "ms CPU",
      loadweir: spaced,
      instead: { what: "ps -e every 5 s", value: spacedPs },
    },
  ];
}

/**
 * CPU and wall time of one look at all checks of the host, on a web host with two pools and a busy log, beside what a
 * shell would ask for nginx and php-fpm alone.
 */
export async function measureChecks(): Promise<readonly Measurement[]> {
  const checks = await compileBench("checks_loop");
  const [quiet = NaN, wall = NaN, spaced = NaN, busy = NaN, shell = NaN, crowded = NaN] = await numbersOf(
    String.raw`
mkdir -p /run/php
cd /etc/php/8.2/fpm/pool.d
printf '[www]
user = www-data
listen = /run/php/php8.2-fpm.sock
pm = static
pm.max_children = 20
pm.status_path = /status
pm.status_listen = /run/php/php8.2-fpm-status.sock
' >www.conf
printf '[tcp]
user = www-data
listen = 127.0.0.1:9000
pm = static
pm.max_children = 20
pm.status_path = /status
' >tcp.conf
php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
rm -f /var/log/nginx/*; nginx
# As many processes as a small host has.
for i in $(seq 150); do sleep 600 & done
one=$(cpu ${checks} 1 0)
per "$(cpu ${checks} 101 0)" "$one" 0.1
${checks} 100 0
per "$(cpu ${checks} 6 5000)" "$one" 0.005
# 200 answers a second, logged at each look.
line='203.0.113.9 - - [29/Nov/2026:19:31:05 +0000] "GET /index.php?q=node/42 HTTP/1.1" 200 15712 "-" "Mozilla/5.0 (X11)"'
thousand=$(for i in $(seq 1000); do echo "$line"; done)
(for i in $(seq 60); do sleep 0.25; echo "$thousand" >>/var/log/nginx/access.log; done) & writer=$!
per "$(cpu ${checks} 41 250)" "$one" 0.04
kill "$writer"
shell() { for i in $(seq 20); do pgrep -x nginx; pgrep -x php-fpm8.2; curl -s -o /dev/null http://127.0.0.1/; done; }
per "$(cpu shell)" 0 0.02
for i in $(seq 5000); do sleep 600 & done
per "$(cpu ${checks} 21 0)" "$(cpu ${checks} 1 0)" 0.02
`,
    300_000,
  );
  return [
    {
      what: "look at all checks, back to back",
      unit: "ms CPU",
      loadweir: quiet,
      instead: { what: "shell: 2 x pgrep, curl", value: shell },
    },
    { what: "look at all checks, back to back", unit: "ms wall", loadweir: wall },
    { what: "look at all checks, every 5 s", unit: "ms CPU", loadweir: spaced },
    { what: "look with 1 000 new lines in the log", unit: "ms CPU", loadweir: busy },
    { what: "look with 5 000 processes more", unit: "ms CPU", loadweir: crowded },
  ];
}

/** Samples a second of a replay, of a trace sampled each second and one sampled at the ladder's pace. */
export async function measureReplay(): Promise<readonly Measurement[]> {
  const [dense = NaN, sparse = NaN, memory = NaN, awk = NaN] = await numbersOf(
    String.raw`
trace() { awk -v every="$1" 'BEGIN { srand(1); load = 2; for (i = 0; i < 1000000; i++) {
  load += (rand() - 0.5) * 1.2 + (1.5 - load) * 0.02 + (int(i / 400) % 10 == 0) * 0.25; if (load < 0) load = 0
  printf "{\"t\":%d,\"load1\":%.2f,\"load5\":%.2f,\"cpus\":2,\"iowaitPct\":%.1f,\"backup\":false}\n",
    i * every, load, load * 0.8, rand() * 5 } }' >"/tmp/$1.jsonl"; }
rate() { awk -v s="$(cpu "$@")" 'BEGIN { printf "%d\n", 1000000 / s }'; }
trace 1; trace 5
ours() { "$bin" replay --json - <"$1"; }
rate ours /tmp/1.jsonl
rate ours /tmp/5.jsonl
/usr/bin/time -f %M -o /tmp/peak "$bin" replay --json - </tmp/5.jsonl >/dev/null; cat /tmp/peak
compare() { awk -F'[:,]' '{ p = $4 / $8 * 100; if (p > 210) print p }' "$1"; }
rate compare /tmp/1.jsonl
`,
    300_000,
  );
  const instead = { what: "awk that compares load1 alone", value: awk };
  const goal = { limit: 500_000, better: "more" } as const;
  return [
    { what: "replay, a sample each second", unit: "samples/s of CPU", loadweir: dense, goal, instead },
    { what: "replay, a sample each 5 s", unit: "samples/s of CPU", loadweir: sparse, instead },
    { what: "peak RSS of a replay of 1 000 000", unit: "KB", loadweir: memory, goal: atMost(65_536) },
  ];
}

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

function atLeast(limit: number): { readonly limit: number; readonly better: "more" } {
  return { limit, better: "more" };
}

/** CPU of one look at a site that nginx serves, plain and with TLS, as the agent makes it each 5 s, beside curl and grep. */
export async function measureProbe(): Promise<readonly Measurement[]> {
  const probe = await compileBench("probe_loop");
  const [plain = NaN, tls = NaN, spaced = NaN, curl = NaN, curlTls = NaN] = await numbersOf(
    String.raw`
mkdir -p /srv/bench
openssl req -x509 -newkey rsa:2048 -nodes -keyout /srv/bench/key -out /srv/bench/pem -days 30 \
  -subj /CN=www.example.org -addext subjectAltName=DNS:www.example.org -addext basicConstraints=CA:FALSE 2>/dev/null
(echo '<h1>Welcome</h1>'; head -c 20000 /dev/zero | tr '\0' x) >/srv/bench/index.html
printf 'pid /srv/bench/pid; error_log /srv/bench/log; events {} http { access_log off; root /srv/bench;
  server { listen 80; } server { listen 443 ssl; ssl_certificate pem; ssl_certificate_key key; } }' \
  >/srv/bench/nginx.conf
nginx -c /srv/bench/nginx.conf
cpus() { cpu ${probe} "$@"; }
per "$(cpus http://www.example.org Welcome 401 0)" "$(cpus http://www.example.org Welcome 1 0)" 0.4
per "$(cpus https://www.example.org Welcome 101 0)" "$(cpus https://www.example.org Welcome 1 0)" 0.1
per "$(cpus http://www.example.org Welcome 61 200)" "$(cpus http://www.example.org Welcome 1 0)" 0.06
look() { curl -s "$1" | grep Welcome; }
looks() { for i in $(seq 50); do look "$1"; done; }
to="--resolve www.example.org:443:127.0.0.1"
secure() { for i in $(seq 50); do curl -sk $to https://www.example.org | grep Welcome; done; }
per "$(cpu looks http://127.0.0.1)" 0 0.05
per "$(cpu secure)" 0 0.05
`,
    120_000,
  );
  const instead = { what: "curl -s URL | grep TEXT", value: curl };
  return [
    { what: "probe: one look, back to back", unit: "ms CPU", loadweir: plain, goal: atMost(curl), instead },
    { what: "probe: one look, every 200 ms", unit: "ms CPU", loadweir: spaced, instead },
    {
      what: "probe: one look with TLS, certificate refused",
      unit: "ms CPU",
      loadweir: tls,
      instead: { what: "curl -sk https://… | grep TEXT", value: curlTls },
    },
  ];
}

function atMost(limit: number): { readonly limit: number; readonly better: "less" } {
  return { limit, better: "less" };
}

/**
 * CPU of a sample of pressure with four instances and 300 processes, back to back and each second, beside one curl of the
 * page of one instance.
 */
export async function measurePressure(): Promise<readonly Measurement[]> {
  const loop = await compileBench("pressure_loop");
  const [backToBack = NaN, spaced = NaN, curl = NaN] = await numbersOf(
    String.raw`
mkdir -p /srv/bench
cp "$PROJECT/fixtures/metrics/prom_client.txt" /srv/bench/metrics
printf 'pid /srv/bench/pid; error_log /srv/bench/log; events {} http { access_log off; root /srv/bench;
  default_type "text/plain; version=0.0.4"; server { listen 9101; listen 9102; listen 9103; listen 9104; } }' \
  >/srv/bench/nginx.conf
nginx -c /srv/bench/nginx.conf
for i in $(seq 300); do sleep 600 & done
cpus() { cpu ${loop} 9101 "$@"; }
per "$(cpus 301 0)" "$(cpus 1 0)" 0.3
per "$(cpus 31 1000)" "$(cpus 1 0)" 0.03
pages() { for i in $(seq 50); do curl -s http://127.0.0.1:9101/metrics; done; }
per "$(cpu pages)" 0 0.05
`,
    120_000,
  );
  const instead = { what: "one curl of one page", value: curl };
  return [
    {
      what: "pressure: a sample of 4 instances, 300 processes, back to back",
      unit: "ms CPU",
      loadweir: backToBack,
      instead,
    },
    { what: "pressure: the same, each second", unit: "ms CPU", loadweir: spaced, instead },
  ];
}
