/**
 * The command that an nginx was started by, from the title of its master. The title joins the words by
 * blanks and keeps no quotes.
 *
 *     nginx: master process /usr/sbin/nginx -c /etc/nginx/nginx.conf -g daemon on; master_process on;
 *
 * @see https://nginx.org/en/docs/switches.html
 */

const TITLE = /^nginx: master process /;

/** Switches with a value, which may hold blanks. */
const WITH_VALUE: ReadonlySet<string> = new Set(["-c", "-e", "-g", "-p", "-s"]);

/** Switches without one. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["-q", "-t", "-T", "-v", "-V"]);

/**
 * The words of the command, program first: all that stands between a switch that takes a value and the next
 * switch is one value. Never throws.
 *
 * @param argv The arguments of the process, which are its title
 */
export function commandOfTitle(argv: readonly string[]): readonly string[] {
  const words = argv.join(" ").replace(TITLE, "").split(" ").filter((word) => word !== "");
  const command: string[] = [];
  let valueAt: number | undefined;
  for (const word of words) {
    const takesValue = WITH_VALUE.has(word);
    if (valueAt !== undefined && !takesValue && !WITHOUT_VALUE.has(word)) {
      command[valueAt] = command[valueAt] === undefined ? word : `${command[valueAt]} ${word}`;
      continue;
    }
    command.push(word);
    valueAt = takesValue ? command.length : undefined;
  }
  return command;
}
