/**
 * What a systemd unit file starts.
 *
 *     [Service]
 *     ExecStart=/usr/sbin/php-fpm8.2 --nodaemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html#Command%20lines
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html
 */

/**
 * Characters before the program that say how it is started: `-` may fail, `+` with full privileges and so on.
 */
const PREFIXES = /^[-@:+!|]*/;

/** A word, whole or in part in quotes. */
const WORD = /(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\\.|[^\s"'\\])+/gs;

/**
 * The words of the command that a unit starts: the program, then its arguments, without quotes. Never throws.
 *
 * Drop-ins (`NAME.service.d/*.conf`) may replace it; they are other files.
 *
 * @param text The whole unit file
 * @returns Undefined when the unit starts nothing
 */
export function maybeStartCommand(text: string): readonly string[] | undefined {
  let command: readonly string[] | undefined;
  let section = "";
  for (const line of logicalLines(text)) {
    if (line.startsWith("[")) section = line;
    if (section !== "[Service]") continue;
    const value = /^ExecStart\s*=(.*)$/s.exec(line)?.[1]?.trim();
    if (value === undefined) continue;
    // An empty value takes back all that came before it.
    command = value === "" ? undefined : command ?? commandOf(value);
  }
  return command;
}

/** Lines without comments and blank ones; a line that ends in a backslash goes on in the next. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let started = "";
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (line.startsWith("#") || line.startsWith(";")) continue;
    if (line.endsWith("\\")) {
      started += `${line.slice(0, -1)} `;
      continue;
    }
    const whole = (started + line).trim();
    started = "";
    if (whole !== "") lines.push(whole);
  }
  return started.trim() === "" ? lines : [...lines, started.trim()];
}

function commandOf(value: string): readonly string[] | undefined {
  const prefixes = PREFIXES.exec(value)?.[0] ?? "";
  const words = (value.slice(prefixes.length).match(WORD) ?? []).map(unquoted);
  // With @ the second word is the name that the program is to see as its own.
  const command = prefixes.includes("@") ? [...words.slice(0, 1), ...words.slice(2)] : words;
  return command.length === 0 ? undefined : command;
}

function unquoted(word: string): string {
  return word.replace(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'/gs, "$1$2").replace(/\\(.)/gs, "$1");
}
