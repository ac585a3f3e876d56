/**
 * A world as `world.ts` makes it, with a real systemd as process 1.
 *
 * It boots to `world.target`, which wants nothing but the basics: a script starts what it needs. Its control
 * groups are below a folder of its own, so that worlds side by side do not see each other's units.
 */

import { PROJECT } from "../scripts/project_files.ts";
import { PATIENCE } from "./within.ts";
import { ENTER_COPY, TELL_FAILURE, WORLD_ENVIRONMENT, type WorldResult } from "./world.ts";

/** How such a world is made. */
export interface SystemdWorldOptions {
  /** Folders of the machine that are read-only in the world, where they would be copies or empty else. */
  readonly share?: readonly string[];
  /** How long the script may take on an idle machine; see `PATIENCE`. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 120_000;

/** Process 1 of the world: makes it, then becomes systemd. The arguments are the folders to share. */
const INIT = String.raw`
set -eu
bind=bind
${ENTER_COPY}
mount -t cgroup2 cgroup2 /sys/fs/cgroup
# Devices of its own: systemd puts a link for the log there.
umount -l /dev
mount -t tmpfs -o mode=755 tmpfs /dev
mknod -m 666 /dev/null c 1 3
mknod -m 666 /dev/zero c 1 5
mknod -m 666 /dev/full c 1 7
mknod -m 666 /dev/random c 1 8
mknod -m 666 /dev/urandom c 1 9
mknod -m 666 /dev/tty c 5 0
ln -s /proc/self/fd /dev/fd
mkdir /dev/pts /dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts /dev/pts
ln -s pts/ptmx /dev/ptmx
cd /etc/systemd/system
for unit in console-getty container-getty@ getty@ serial-getty@ systemd-logind systemd-udevd \
  systemd-udev-trigger systemd-networkd systemd-resolved systemd-timesyncd systemd-hwdb-update; do
  ln -sf /dev/null "$unit.service"
done
printf '[Unit]\nRequires=basic.target\nAfter=basic.target\nAllowIsolate=yes\n' > world.target
ln -sf world.target default.target
cd /
exec env -i container=private PATH="$PATH" /lib/systemd/systemd > /dev/null 2>&1
`;

/**
 * Boots the world, runs the script in it and takes all away again. The arguments are the deadline in seconds,
 * what process 1 runs, the script, then the folders to share.
 */
const RUN = String.raw`
set -eu
deadline=$1 init=$2 script=$3
shift 3
unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
[ -n "$unified" ] || { echo 'There is no unified tree of control groups' >&2; exit 1; }
home=$unified$(sed -n 's/^0:://p' /proc/self/cgroup)
group=$unified/loadweir-test-$$
first=
tidy() {
  if [ -n "$first" ]; then kill -KILL "$first" 2> /dev/null || true; fi
  if [ -n "$unshared" ]; then wait "$unshared" 2> /dev/null || true; fi
  echo $$ > "$home/cgroup.procs"
  for _ in $(seq 100); do
    find "$group" -depth -type d -exec rmdir {} + 2> /dev/null && break
    sleep 0.05
  done
}
unshared=
mkdir "$group"
trap tidy EXIT
echo $$ > "$group/cgroup.procs"
unshare --mount --pid --ipc --uts --cgroup --net --fork --mount-proc --kill-child=KILL \
  /bin/bash -c "$init" world "$@" &
unshared=$!
inside() { nsenter --target "$first" --all --wd -- "$@"; }
for _ in $(seq 600); do
  first=$(cat "/proc/$unshared/task/$unshared/children")
  first=$(echo $first)
  if [ -n "$first" ] && [ "$(cat "/proc/$first/comm")" = systemd ] &&
    [ "$(inside systemctl is-active world.target 2> /dev/null)" = active ]
  then break; fi
  kill -0 "$unshared" || exit 1
  sleep 0.05
done
[ "$(inside systemctl is-active world.target)" = active ] || {
  echo 'systemd did not come up:' >&2
  inside systemctl list-jobs >&2
  exit 1
}
rc=0
inside timeout --signal=KILL "$deadline" bash -euo pipefail -c "${TELL_FAILURE}$script" || rc=$?
exit "$rc"
`;

/**
 * Runs a bash script beside a systemd of its own and waits for it. See `inWorld`.
 *
 * @throws {Error} If the world cannot be made
 */
export async function inSystemdWorld(script: string, options: SystemdWorldOptions): Promise<WorldResult> {
  const deadlineMs = PATIENCE * (options.deadlineMs ?? DEADLINE_MS);
  const output = await new Deno.Command("/bin/bash", {
    args: ["-c", RUN, "world", String(deadlineMs / 1000), INIT, script, PROJECT, ...options.share ?? []],
    cwd: "/",
    clearEnv: true,
    env: WORLD_ENVIRONMENT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return {
    code: output.code,
    stdout: decoder.decode(output.stdout),
    stderr: decoder.decode(output.stderr),
  };
}

/**
 * As `inSystemdWorld`, for a script that must succeed.
 *
 * @returns What it printed to standard output
 * @throws {Error} As `inSystemdWorld`, and if the script exits with another code than 0
 */
export async function inSystemdWorldOk(script: string, options: SystemdWorldOptions): Promise<string> {
  const { code, stdout, stderr } = await inSystemdWorld(script, options);
  if (code !== 0) throw new Error(`The script exited ${code}:\n${stdout}${stderr}`);
  return stdout;
}
