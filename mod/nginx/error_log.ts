/**
 * Where the master process of nginx writes its errors, from the text of the configuration.
 *
 *     error_log /var/log/nginx/error.log;          # outside of all blocks: the master's
 *     http { error_log /var/log/nginx/http.log; }  # only of requests
 *
 * `nginx -T` would say the same, but it reads and tests all of the configuration.
 *
 * @see https://nginx.org/en/docs/ngx_core_module.html#error_log
 */

import { isGlob, matchesGlob } from "../glob.ts";
import { parseDirectives } from "./directive.ts";
import { resolveInclude } from "./include.ts";

/** Where packages have it when the configuration names none; Debian's own default is standard error. */
export const DEFAULT_ERROR_LOG = "/var/log/nginx/error.log";

/** Files that may include each other are looked at this often; a main configuration includes a handful. */
const FILE_LIMIT = 200;

/** What is searched. */
export interface ErrorLogSearch {
  /** The main configuration. */
  readonly mainPath: string;
  /** Files in a folder, as absolute paths; empty when it cannot be listed. */
  readonly filesIn: (folder: string) => readonly string[];
  /** The text of a file; undefined when it cannot be read. */
  readonly maybeText: (path: string) => string | undefined;
}

/**
 * The files that the master writes errors to; the default where no `error_log` outside of blocks is found.
 * Empty when none is known: it writes to `syslog:server=…`, `stderr` or `memory:32m`, or the
 * path counts from a folder that only `nginx -V` tells. Throws only what the search throws.
 */
export function findErrorLogs({ mainPath, filesIn, maybeText }: ErrorLogSearch): readonly string[] {
  const folder = folderOf(mainPath);
  const targets: string[] = [];
  const queue = new Set([mainPath]);
  // The set grows while it is walked: each file is looked at once, however often it is included.
  for (const path of queue) {
    for (const { name, args: [target], depth } of parseDirectives(maybeText(path) ?? "")) {
      if (depth > 0 || target === undefined) continue;
      if (name === "error_log") targets.push(target);
      if (name === "include") {
        const pattern = resolveInclude(target, folder);
        for (const file of filesOf(pattern, filesIn)) if (queue.size < FILE_LIMIT) queue.add(file);
      }
    }
  }
  if (targets.length === 0) return [DEFAULT_ERROR_LOG];
  return [...new Set(targets.filter((target) => target.startsWith("/")))];
}

/** The files that an include means; a pattern in a folder's name is not followed. */
function filesOf(pattern: string, filesIn: ErrorLogSearch["filesIn"]): readonly string[] {
  if (!isGlob(pattern)) return [pattern];
  return filesIn(folderOf(pattern)).filter((path) => matchesGlob(pattern, path));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
