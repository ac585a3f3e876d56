/**
 * A world for one test: its own processes, mounts, network and host name, on a copy of this machine's files
 * that is thrown away.
 *
 * Inside, a test is root on a host of its own, named `web-1`. It may write anywhere, install, stop and kill:
 * nothing of it reaches the machine. `/run` and `/tmp` are empty, only the loopback address exists, and the
 * project's folder, `/sys` and kernel settings other than the network's are read-only.
 */

import { PROJECT } from "../scripts/project_files.ts";
import { PATIENCE } from "./within.ts";

/**
 * Milliseconds that a script may take by default: an aarch64 binary takes 4 s to start under the emulator.
 */
const DEFAULT_DEADLINE_MS = 60_000;

/** What `timeout` exits with when it had to kill. */
const KILLED = 137;

/** What a script in a world has in its environment. */
export const WORLD_ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/root",
  LANG: "C.UTF-8",
  TERM: "dumb",
};

/** How a world is made. */
export interface WorldOptions {
  /** Whether `/run/loadweir/proc` is a read-only bind mount of `/proc`, as the service units make it. */
  readonly bind: boolean;
  /** Folders of the machine that are read-only in the world, where they would be copies or empty else. */
  readonly share?: readonly string[];
  /** How long the script may take on an idle machine; see `PATIENCE`. */
  readonly deadlineMs?: number;
}

/** What a script in a world printed, and how it ended. */
export interface WorldResult {
  /** Exit code of the script; 128 + N when signal N ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Makes a copy of the machine in namespaces of its own and goes into it. It takes `bind` or `bare` from the
 * variable `bind`, and the folders to share from the arguments.
 */
export const ENTER_COPY = String.raw`
hostname web-1
ip link set lo up

# The copy: reads fall through to the machine's files, writes stay in memory.
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work overlay /mnt/root
cd /mnt/root
mount -t proc proc proc
# Kernel settings are the machine's, except for those of the network and the host name.
mount --bind proc/sys proc/sys
mount --bind proc/sys/net proc/sys/net
mount --bind proc/sys/kernel/hostname proc/sys/kernel/hostname
mount -o remount,bind,ro proc/sys
mount --rbind /dev dev
mount --bind /sys sys
mount -o remount,bind,ro sys
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
for folder in "$@"; do
  mkdir -p ".$folder"
  mount --bind "$folder" ".$folder"
  mount -o remount,bind,ro ".$folder"
done
if [ "$bind" = bind ]; then
  mkdir -p run/loadweir/proc
  mount --bind proc run/loadweir/proc
  mount -o remount,bind,ro run/loadweir/proc
fi
pivot_root . mnt
cd /
umount -l /mnt
`;

/** What a script begins with, between double quotes: the command on which it ends is told. */
export const TELL_FAILURE = String.raw`trap 'echo \"exit \$?: \$BASH_COMMAND\" >&2' ERR; `;

/**
 * Sets the world up, then runs the script as a child: process 1 stays, and when it ends the kernel ends the
 * rest. The arguments are the deadline in seconds, `bind` or `bare`, the script, then the folders to share.
 */
const SETUP = String.raw`
set -eu
deadline=$1 bind=$2 script=$3
shift 3
${ENTER_COPY}
rc=0
timeout --signal=KILL "$deadline" bash -euo pipefail -c "${TELL_FAILURE}$script" || rc=$?
exit "$rc"
`;

/**
 * Runs a bash script in a world of its own and waits for it. The script has no standard input, a plain
 * environment, and stops at the first command that fails.
 *
 * @throws {Error} If the world cannot be made, or the script was still running at its deadline
 */
export async function inWorld(script: string, options: WorldOptions): Promise<WorldResult> {
  const deadlineMs = PATIENCE * (options.deadlineMs ?? DEFAULT_DEADLINE_MS);
  const startedAtMs = performance.now();
  const output = await new Deno.Command("/usr/bin/unshare", {
    args: [
      ...["--mount", "--pid", "--net", "--uts", "--ipc", "--fork", "--mount-proc", "--kill-child=KILL"],
      ...[
        "/bin/bash",
        "-c",
        SETUP,
        "world",
        String(deadlineMs / 1000),
        options.bind ? "bind" : "bare",
        script,
      ],
      ...[PROJECT, ...options.share ?? []],
    ],
    cwd: "/",
    clearEnv: true,
    env: WORLD_ENVIRONMENT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  const stdout = decoder.decode(output.stdout);
  const stderr = decoder.decode(output.stderr);
  if (output.code === KILLED && performance.now() - startedAtMs >= deadlineMs) {
    throw new Error(
      `The script was still running after ${deadlineMs} ms, killed; it had printed:\n${stdout}${stderr}`,
    );
  }
  return { code: output.code, stdout, stderr };
}

/**
 * As `inWorld`, for a script that must succeed.
 *
 * @returns What it printed to standard output
 * @throws {Error} As `inWorld`, and if the script exits with another code than 0
 */
export async function inWorldOk(script: string, options: WorldOptions): Promise<string> {
  const { code, stdout, stderr } = await inWorld(script, options);
  if (code !== 0) throw new Error(`The script exited ${code}:\n${stdout}${stderr}`);
  return stdout;
}
