/**
 * Names of users, from `/etc/passwd`. Users of a directory service are not in it.
 *
 *     www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin
 *
 * @see https://man7.org/linux/man-pages/man5/passwd.5.html
 */

/** The names by user id; the first one of several counts, as it does for the system. Never throws. */
export function parsePasswd(text: string): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const line of text.split("\n")) {
    const [, name, id] = /^([^:#][^:]*):[^:]*:(\d+):/.exec(line) ?? [];
    if (name !== undefined && !names.has(Number(id))) names.set(Number(id), name);
  }
  return names;
}
