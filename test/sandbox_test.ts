import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { compileModule } from "../scripts/compile_module.ts";
import { TARGETS } from "../scripts/targets.ts";
import { commandFor, needsFor } from "./binaries.ts";
import { testNeeding } from "./needs.ts";
import { ALLOWED, ALLOWED_BY_THE_BIND_MOUNT, type Attempts, FAILS, REFUSED } from "./sandbox_attempts.ts";
import { inWorldOk } from "./world.ts";

/** What must be there before, a server on port 80 that answers, and unix sockets. */
const PREPARE = String.raw`
mkdir -p /etc/loadweir /var/lib/prometheus/node-exporter
echo '[ladder]' > /etc/loadweir/loadweir.ini
perl -MIO::Socket::INET -e '
  use IO::Socket::UNIX;
  $server = IO::Socket::INET->new(LocalAddr => "0.0.0.0:80", Listen => 5) or die;
  mkdir $_ for "/run/mysqld", "/run/loadweir", "/run/loadweir/metrics";
  @unix = map { IO::Socket::UNIX->new(Local => $_, Listen => 5) or die } "/run/mysqld/mysqld.sock", "/run/other.sock",
    "/run/loadweir/metrics/web.sock", "/run/loadweir/metrics.sock";
  exit if fork;
  while ($client = $server->accept) { print $client "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n" }
'
`;

/** Everything that the probe left: it must be one recording, and the host name as it was. */
const TRACES = String.raw`
echo ===
hostname
cat /etc/loadweir/loadweir.ini
find /srv /tmp /run /var/lib/loadweir -xdev -type f
`;

for (const target of TARGETS) {
  for (const bind of [true, false]) {
    const name = `sandbox of the ${target.arch} binary holds ${bind ? "with" : "without"} the bind mount`;
    testNeeding(needsFor(target.arch), name, async () => {
      const folder = await Deno.makeTempDir({ prefix: "loadweir-sandbox-" });
      try {
        const probe = join(folder, "probe");
        await compileModule("test/sandbox_probe.ts", probe, target);
        const script = `${PREPARE}\n${commandFor(target.arch, probe)}\n${TRACES}`;
        const [outcomes, traces] = (await inWorldOk(script, { bind, share: [folder] })).split("===\n");
        assertEquals(
          Object.fromEntries((outcomes ?? "").trim().split("\n").map((line) => JSON.parse(line))),
          { ...expected(bind), ...Object.fromEntries(Object.keys(FAILS).map((error) => [error, error])) },
        );
        assertEquals(traces, "web-1\n[ladder]\n/var/lib/loadweir/recordings/probe\n");
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
}

testNeeding(needsFor("x86_64"), "a world refuses nothing of what the sandbox must refuse", async () => {
  // Without this, a refusal could be the world's own.
  const script = `${PREPARE}
    echo x > /run/loadweir/proc/1/root/srv/probe
    test -s /srv/probe
    echo web-2 > /proc/sys/kernel/hostname
    test "$(hostname)" = web-2
    cat /proc/loadavg /etc/shadow > /dev/null
    /usr/bin/id > /dev/null
    exec 3<> /dev/tcp/127.0.0.2/80
    echo x > /tmp/probe`;
  assertEquals(await inWorldOk(script, { bind: true }), "");
});

/** What each attempt must come to. */
function expected(bind: boolean): Record<string, string> {
  const all = (attempts: Attempts, outcome: (name: string) => string): [string, string][] =>
    Object.keys(attempts).map((name) => [name, outcome(name)]);
  const missing: Record<string, string> = {
    "read load through the bind mount":
      "NotFound: No such file or directory (os error 2): readfile '/run/loadweir/proc/loadavg'",
    "read any file through the bind mount":
      "NotFound: No such file or directory (os error 2): readfile '/run/loadweir/proc/1/root/etc/shadow'",
  };
  return Object.fromEntries([
    ...all(ALLOWED, () => "allowed"),
    ...all(ALLOWED_BY_THE_BIND_MOUNT, (name) => bind ? "allowed" : missing[name] ?? ""),
    ...all(REFUSED, () => "refused"),
  ]);
}
