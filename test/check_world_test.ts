import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { permissionFlags } from "../mod/permissions.ts";
import { bundleProgram, writeBundle } from "../scripts/bundle.ts";
import { PROJECT } from "../scripts/project_files.ts";
import { type Need, testNeeding } from "./needs.ts";
import { inWorldOk } from "./world.ts";

const NEEDS: readonly Need[] = [
  "root",
  "namespaces",
  "/usr/sbin/nginx",
  "/usr/sbin/php-fpm8.2",
  "/usr/bin/php",
  "/usr/bin/ps",
  "/usr/bin/vmstat",
];

/**
 * Runs a script in a world where `check` is that of the code as it is now, with the permissions of the
 * binary.
 */
async function inCheckWorld(script: string, options: { readonly bind: boolean }): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-check-" });
  try {
    const program = await writeBundle(await bundleProgram("main.ts", PROJECT), folder);
    const command = [Deno.execPath(), "run", "--no-config", ...permissionFlags(), program, "check"].join(" ");
    // Each check prints its exit code after all else.
    const check = `check() { ${command} "$@" && echo exit 0 || echo exit $?; }\n`;
    return await inWorldOk(check + script, { ...options, share: [folder] });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A load average of the world's own, as lxcfs makes one: that of the machine would be noticed. */
const OWN_LOADAVG = String.raw`
echo '0.42 0.30 0.20 1/40 99' > /tmp/loadavg
mount --bind /tmp/loadavg /proc/loadavg
if [ -e /run/loadweir/proc ]; then mount --bind /tmp/loadavg /run/loadweir/proc/loadavg; fi
`;

/** nginx and php-fpm as Debian has them, and a crawler block that nginx accepts. */
const WEB_HOST = String.raw`
mkdir -p /run/php /etc/nginx/loadweir
echo 'if ($http_user_agent ~* bot) { return 429; }' > /etc/nginx/loadweir/nginx_high_load_off.conf
sed -i 's|server_name _;|server_name _;\n\tinclude /etc/nginx/loadweir/nginx_high_load.c*;|' \
  /etc/nginx/sites-available/default
nginx -t 2> /dev/null
nginx
php-fpm8.2 --fpm-config /etc/php/8.2/fpm/php-fpm.conf
printf '[idle]\nlisten = /run/php/idle.sock\nuser = www-data\npm = ondemand\npm.max_children = 2\n' \
  > /etc/php/8.2/fpm/pool.d/idle.conf
`;

/** A backup and a runaway, with passwords among their arguments. */
const VICTIMS = String.raw`
cp /bin/sleep /usr/local/bin/duplicity
duplicity 300 &
php -r 'sleep(300);' PASSWORD=secret &
until pgrep -x php && pgrep -x duplicity &&
  [ "$(pgrep -xc nginx)" -gt 1 ] && [ "$(pgrep -xc php-fpm8.2)" -gt 1 ]
do sleep 0.1; done > /dev/null
`;

/** The value of a JSON answer, whose shape a test knows. */
// deno-lint-ignore no-explicit-any
type Json = any;

testNeeding(
  NEEDS,
  "check finds the web tier, the block and the processes of a host, and changes nothing",
  async () => {
    const output = await inCheckWorld(
      `${WEB_HOST}${VICTIMS}${OWN_LOADAVG}
    check --json > /tmp/warm-up # Deno fills its cache; what others do to theirs shows through.
    touch /tmp/before
    check --json
    check
    find /etc /opt /root /run /srv /var -xdev -newer /tmp/before -not -path '/root/.cache/*' -not -path '/root/.npm*'`,
      { bind: true },
    );
    const [json = "", exit, ...lines] = output.split("\n");
    const record: Json = JSON.parse(json);
    assertEquals(exit, "exit 0");
    assertEquals(record.verdict.limits, []);
    assertEquals([record.sensors.source, record.sensors.load1Pct], ["bind-mount", 21]);
    // A kernel without PSI is good enough.
    assertEquals(record.sensors.missing.filter(({ reading }: Json) => !reading.startsWith("psi")), []);

    const [nginx, fpm, ...others] = record.webTier.services;
    assertEquals([record.webTier.manager, others, record.webTier.foreign], ["sysv", [], []]);
    assertEquals([nginx.service, nginx.program, nginx.running], ["nginx", "/usr/sbin/nginx", true]);
    assertMatch(nginx.version, /^1\.\d+\.\d+$/);
    assertEquals([fpm.service, fpm.program, fpm.masters.length], ["php8.2-fpm", "/usr/sbin/php-fpm8.2", 1]);
    assertMatch(fpm.version, /^8\.2\.\d+$/);
    assertEquals(fpm.masters[0].conf, "/etc/php/8.2/fpm/php-fpm.conf");
    assertEquals(fpm.pools, [{ name: "www", workers: 2 }, { name: "idle", workers: 0 }]);

    assertEquals([record.crawlerBlock.state, record.crawlerBlock.include], ["off", "included"]);
    assertEquals(record.crawlerBlock.places[0].path, "/etc/nginx/sites-enabled/default");

    const matched = (patterns: Json[]): unknown[] =>
      patterns.flatMap(({ pattern, matches }) => matches.map(({ program }: Json) => [pattern, program]));
    assertEquals(matched(record.patterns.backups), [["duplicity", "duplicity"]]);
    assertEquals(matched(record.patterns.runaways), [["php", "php"]]);
    assertEquals(output.includes("secret"), false);

    assertEquals(record.sandbox.whole, []);
    assertEquals(record.sandbox.missing, []);
    assertEquals(
      lines.slice(-3),
      [
        "no problems, thresholds from defaults; this host can be guarded",
        "exit 0",
        "",
      ],
    );
  },
);

testNeeding(NEEDS, "check tells apart what is ours from containers and other users", async () => {
  const output = await inCheckWorld(
    `${WEB_HOST}${OWN_LOADAVG}
    mkdir -m 777 /tmp/user
    printf 'pid /tmp/user/pid; error_log /tmp/user/log; events {} http { access_log off;
      client_body_temp_path /tmp/user/b; proxy_temp_path /tmp/user/p; fastcgi_temp_path /tmp/user/f;
      uwsgi_temp_path /tmp/user/u; scgi_temp_path /tmp/user/s;
      server { listen 8081; } }' > /tmp/user/nginx.conf
    sed 's/8081/8082/; s|pid /tmp/user/pid|pid /tmp/other-pid|' /tmp/user/nginx.conf > /tmp/other.conf
    setpriv --reuid=33 --regid=33 --clear-groups nginx -c /tmp/user/nginx.conf 2> /dev/null
    unshare --pid --fork nginx -c /tmp/other.conf -g 'daemon off;' 2> /dev/null &
    until [ "$(pgrep -xc nginx)" -ge 7 ]; do sleep 0.1; done
    cat /run/nginx.pid /tmp/user/pid
    check --json`,
    { bind: true },
  );
  const [ours, user, json = ""] = output.split("\n");
  const { webTier }: Json = JSON.parse(json);
  assertEquals(webTier.services.map(({ masters }: Json) => masters.length), [1, 1]);
  assertEquals(webTier.services[0].masters[0].pid, Number(ours));
  assertEquals(
    webTier.foreign.map(({ pid, reason }: Json) => reason === "container" ? reason : [reason, pid]),
    [["other-user", Number(user)], "container"],
  );
});

testNeeding(NEEDS, "check without a proc root prints commands that make one", async () => {
  const output = await inCheckWorld(
    `${WEB_HOST}
    echo '0.42 0.30 0.20 1/40 99' > /tmp/loadavg
    mount --bind /tmp/loadavg /proc/loadavg
    check | tee /tmp/first
    grep -E '^ +(mkdir|mount) -' /tmp/first > /tmp/commands
    bash -euxo pipefail /tmp/commands 2> /dev/null
    echo ===
    check
    (echo 1 > /run/loadweir/proc/sys/vm/drop_caches) 2>&1 | sed 's/.*: //' || true`,
    { bind: false },
  );
  const [first = "", second = ""] = output.split("===\n");
  assertStringIncludes(
    first,
    "\nsensors   load, CPUs, iowait, processes from kernel calls, ps and vmstat (no proc root)",
  );
  assertStringIncludes(first, "; this host cannot be guarded: the load is that of the host around it: ");
  assertStringIncludes(first, "\nexit 3\n");
  assertStringIncludes(second, "from /run/loadweir/proc (bind mount)\n");
  assertStringIncludes(second, "\nload      1m 0.42 = 21.0 %");
  assertStringIncludes(second, "\nno problems, thresholds from defaults; this host can be guarded\nexit 0\n");
  assertStringIncludes(second, "Read-only file system");
});

testNeeding(NEEDS, "check exits 2 for a configuration and 3 for a host that cannot be guarded", async () => {
  const output = await inCheckWorld(
    `${OWN_LOADAVG}
    mkdir -p /etc/loadweir
    printf '[ladder]\nmax = 7,5\n' > /etc/loadweir/loadweir.ini
    check | tail -2
    check --config /etc/loadweir/missing.ini | tail -2
    check --config - < /dev/null | tail -2
    rm /usr/sbin/nginx /usr/sbin/php-fpm8.2 /etc/init.d/nginx /etc/init.d/php8.2-fpm
    check | tail -2
    : > /tmp/empty
    mount --bind /tmp/empty /run/loadweir/proc/stat
    check | tail -2`,
    { bind: true },
  );
  const lines = output.split("\n");
  assertEquals(lines.slice(0, 8), [
    "1 problem, thresholds from defaults; this host can be guarded, with 1 limit",
    "exit 2",
    "1 problem, thresholds from defaults; this host can be guarded, with 2 limits",
    "exit 2",
    "no problems, thresholds from defaults; this host can be guarded, with 1 limit",
    "exit 0",
    "1 problem, thresholds from defaults; this host cannot be guarded: " +
    "neither nginx nor php-fpm is installed or runs",
    "exit 3",
  ]);
  assertStringIncludes(lines[8] ?? "", 'no load can be read: Cannot parse "/run/loadweir/proc/stat"');
  assertEquals(lines.slice(9), ["exit 3", ""]);
});
