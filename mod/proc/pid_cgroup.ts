/**
 * `/proc/<pid>/cgroup`: where a process stands in each cgroup hierarchy.
 *
 *     5:pids:/system.slice/nginx.service
 *     2:cpu,cpuacct:/
 *     1:name=systemd:/system.slice/nginx.service
 *     0::/system.slice/nginx.service
 *
 * A host with cgroup v2 alone has only the last line, one with v1 alone lacks it, a hybrid one has all of
 * them in any order.
 *
 * @see https://man7.org/linux/man-pages/man7/cgroups.7.html
 */

import { ParseError, quote } from "../errors.ts";

/**
 * The cgroups of one process. Paths count from the root of this cgroup namespace, so they may start with
 * `/..`, and end in ` (deleted)` if the cgroup is gone.
 */
export interface PidCgroup {
  /** The cgroup v2 path. Undefined on a host with v1 alone. */
  readonly v2Path: string | undefined;
  /**
   * The cgroup v1 paths by controller or named hierarchy: `cpu`, `cpuacct`, `name=systemd`. Empty with v2
   * alone.
   */
  readonly v1Paths: Readonly<Record<string, string>>;
}

const LINE = /^(\d{1,10}):([^:]*):(\/.*)$/;

/**
 * Reads `/proc/<pid>/cgroup`. The v2 entry is the line with id 0 and no controllers, wherever it stands.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is empty or if a line is not `id:controllers:/path`
 */
export function parsePidCgroup(text: string, source = "/proc/<pid>/cgroup"): PidCgroup {
  if (text.trim() === "") {
    throw new ParseError(source, `is empty, expected a line like "0::/system.slice/nginx.service"`);
  }
  let v2Path: string | undefined;
  const v1Paths = new Map<string, string>();
  for (const [index, line] of text.trimEnd().split("\n").entries()) {
    const [, id, controllers, path] = LINE.exec(line) ?? [];
    if (id === undefined || controllers === undefined || path === undefined) {
      throw new ParseError(source, `is ${quote(line)}, expected "id:controllers:/path"`, index + 1);
    }
    if (Number(id) === 0 && controllers === "") {
      v2Path = path;
    } else {
      for (const controller of controllers.split(",")) v1Paths.set(controller, path);
    }
  }
  return { v2Path, v1Paths: Object.fromEntries(v1Paths) };
}
