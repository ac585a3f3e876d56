/**
 * `/proc/<pid>/cmdline`: the arguments a process was started with, or the title it has written over them.
 *
 *     /usr/bin/php\0/var/www/shop/drush.php\0cron\0
 *     nginx: worker process\0\0\0\0\0\0\0\0
 *     php-fpm: pool www                              \0
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_cmdline.5.html
 */

/**
 * Splits a command line at its NULs; blanks belong to the argument that holds them. Never throws.
 *
 * NULs at the end are padding of a title, as are blanks at the end of an only argument. Empty arguments at
 * the very end cannot be told from that padding and are lost; those in between are kept.
 *
 * @param text The whole file
 * @returns The arguments. Empty for a zombie, a kernel thread, and a process that is just ending
 */
export function parseCmdline(text: string): readonly string[] {
  let end = text.length;
  while (text[end - 1] === "\0") end--;
  if (end === 0) return [];
  const args = text.slice(0, end).split("\0");
  return args.length === 1 ? [text.slice(0, end).trimEnd()] : args;
}
