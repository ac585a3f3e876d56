/** Worlds in which `host_checks_program.ts`, compiled as the binary is, looks at what is made to happen. */

import { join } from "node:path";
import type { CheckResult, HostCheck } from "../mod/probe/check.ts";
import { compileModule } from "../scripts/compile_module.ts";
import type { Need } from "./needs.ts";
import { inSystemdWorldOk } from "./systemd_world.ts";
import { SITE, WEB_NEEDS } from "./web_site.ts";
import { inWorldOk } from "./world.ts";

/** What such a test needs. */
export const NEEDS: readonly Need[] = ["root", "namespaces", ...WEB_NEEDS, "/usr/bin/perl"];

/** One look: the checks by name, and how long it took. */
export type Look = Readonly<Record<HostCheck, CheckResult>> & { readonly tookMs: number };

/** How a world is made. */
export interface ChecksWorld {
  /** Settings that replace the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether there is a proc root. Default: yes. */
  readonly bind?: boolean;
  /** Whether systemd runs the host. Default: no. */
  readonly systemd?: boolean;
}

const PRELUDE = String.raw`${SITE}
rm -f /var/log/nginx/*
# Keeps the program at work from the first look on; look 31 nginx: the clock goes on by 31 s, one check.
mkfifo /tmp/asked /tmp/said
begin() { checks </tmp/asked >/tmp/said & checks_pid=$!; exec 8>/tmp/asked 9</tmp/said; }
begin_without_tracing() {
  setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace bash -c "$(declare -f checks); checks" \
    </tmp/asked >/tmp/said & exec 8>/tmp/asked 9</tmp/said; }
look() { echo "$*" >&8; IFS= read -r -t 15 line <&9; printf '%s\n' "$line"; }
# Looks until a check says what is expected, unseen.
until_look() { local end=$((SECONDS + $1)); shift; local pattern=$1; shift
  until look "$@" | grep -qE "$pattern"; do [ "$SECONDS" -lt "$end" ] || { echo "never: $pattern"; look "$@"; exit 1; }; sleep 0.1; done; }
pool() { cat >/etc/php/8.2/fpm/pool.d/www.conf; }
fpm() { php-fpm8.2 --daemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf; }
fpm_pid() { pgrep -o -x php-fpm8.2; }
# Whether php-fpm is not being asked for its pools.
is_told() { ! pgrep -ax php-fpm8.2 | grep -q -- ' -tt '; }
no_fpm() { ! ps -C php-fpm8.2 -o stat= | grep -qv Z; }
kill_fpm() { kill -9 $(pgrep -x php-fpm8.2); within 5 no_fpm; }
slow_site() { echo '<?php sleep(600);' >/var/www/html/index.php; }
# So many visitors who wait for a page.
visitors() { for i in $(seq "$1"); do curl --silent --max-time 600 http://127.0.0.1/ >/dev/null & done; }
`;

/** The program, compiled as the binary is; made once for all tests of a file. */
let compiling: Promise<string> | undefined;

async function compileChecks(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "loadweir-checks-" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  await compileModule("test/host_checks_program.ts", join(folder, "checks"));
  return folder;
}

/** Runs a script; gives the lines that it printed, those of looks read. */
export async function onCheckedHost(script: string, world: ChecksWorld = {}): Promise<readonly Look[]> {
  const folder = await (compiling ??= compileChecks());
  const settings = JSON.stringify(world.settings ?? {});
  const whole = `checks() { exec ${folder}/checks '${settings}'; }\n${PRELUDE}${script}`;
  const output = world.systemd
    ? await inSystemdWorldOk(whole, { share: [folder] })
    : await inWorldOk(whole, { bind: world.bind ?? true, share: [folder] });
  return output.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** What a check came to: `ok`, `unknown`, `warn` or `drain`. */
export function severityOf(result: CheckResult | undefined): string {
  return result?.state === "bad" ? result.severity : result?.state ?? "none";
}
