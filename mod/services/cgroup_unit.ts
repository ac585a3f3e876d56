/**
 * Which systemd unit a process belongs to, from where it stands among the cgroups.
 *
 *     /system.slice/nginx.service                               nginx.service
 *     /system.slice/system-php\x2dfpm.slice/php-fpm@www.service php-fpm@www.service
 *     /user.slice/user-0.slice/session-3.scope                  session-3.scope
 *     /system.slice/containerd.service/kubepods/pod7            containerd.service
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemd.slice.html
 */

import type { PidCgroup } from "../proc/pid_cgroup.ts";

/** A service, or a group of processes that was not started as one. */
const UNIT = /\.(?:service|scope)$/;

/**
 * The innermost unit on the way down to a process that systemd itself manages: what it delegates begins below
 * it.
 *
 * @returns Undefined where no unit is on the way: another init system, or a kernel thread. Never throws
 */
export function maybeUnitOf({ v2Path, v1Paths }: PidCgroup): string | undefined {
  for (const path of [v1Paths["name=systemd"], v2Path]) {
    const unit = path?.replace(/ \(deleted\)$/, "").split("/").find((part) => UNIT.test(part));
    if (unit !== undefined) return unit;
  }
  return undefined;
}
