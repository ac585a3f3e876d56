/**
 * What nginx says when it cannot take a configuration.
 *
 *     2026/11/29 19:31:10 [emerg] 1234#1234: bind() to 0.0.0.0:8080 failed (98: Address already in use)
 *     nginx: [emerg] unknown directive "limt_req" in /etc/nginx/loadweir/nginx_high_load.conf:3
 *
 * The first form stands in the error log, with the pid of the writer, and is printed by the `nginx -t` of
 * Debian, whose log is standard error until the configuration names one. The second is printed by any other.
 *
 * @see https://nginx.org/en/docs/ngx_core_module.html#error_log
 */

/** One line of the highest level. */
export interface Emergency {
  /** The process that wrote it, as its own pid namespace counts. */
  readonly pid: number;
  readonly message: string;
}

const LOGGED = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[emerg\] (\d+)#\d+: (.*)$/;

const PRINTED = /^(?:nginx:|\S+ \S+) \[(?:emerg|alert|crit|error)\] (?:\d+#\d+: )?(.*)$/m;

/** The `[emerg]` lines among whole lines of an error log. Never throws. */
export function parseEmergencies(text: string): readonly Emergency[] {
  // Most lines are about requests, thousands in a storm, and the word is found much faster than by lines.
  if (!text.includes("[emerg]")) return [];
  return text.split("\n").flatMap((line) => {
    const [, pid, message] = LOGGED.exec(line) ?? [];
    return pid === undefined || message === undefined ? [] : [{ pid: Number(pid), message }];
  });
}

/** Whether nginx tries that again, up to five times in 2.5 s, before it gives up with a line of its own. */
export function isTriedAgain({ message }: Emergency): boolean {
  return message.startsWith("bind() to ");
}

/** Why `nginx -t` failed, with file and line, from its standard error; all of it where no reason is found. */
export function parseTestProblem(stderr: string): string {
  return PRINTED.exec(stderr)?.[1] ?? stderr.trim().replace(/\s*\n\s*/g, "; ");
}
