/** What was stopped and must be started again: a plain value that outlives the agent. */

import type { ServiceManager } from "../services/ownership.ts";
import type { WebKind } from "../services/web_program.ts";

/** One nginx or php-fpm of this host, and how to start it again. */
export interface ServiceRef {
  readonly kind: WebKind;
  readonly manager: ServiceManager;
  /** The unit (`nginx.service`), the init script (`php8.2-fpm`), or without a manager the path of the program. */
  readonly name: string;
  /** Path of the program, as `/usr/sbin/php-fpm8.2`; undefined where it could not be told. */
  readonly program: string | undefined;
  /** Arguments that it was started with; without a manager it is started with them again. */
  readonly args: readonly string[];
  /** Main configuration file; undefined is the program's own default. */
  readonly confPath: string | undefined;
  /** Units that systemd stopped because this one was: to be started after it. Absent is none. */
  readonly boundUnits?: readonly string[];
}
