/** The commands by which a service manager stops and starts a service. */

import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { type Command, maybeStartCommand } from "../../mod/hold/start_command.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { HostFiles } from "../check/host_files.ts";

const SYSTEMCTL = ["/usr/bin/systemctl", "/bin/systemctl"] as const;

/** Debian's, and that of the RHEL family. It gives scripts a clean environment and the root folder. */
const SERVICE = ["/usr/sbin/service", "/sbin/service"] as const;

const INIT_SCRIPTS = "/etc/init.d";

/** The default configuration of nginx as packages build it. */
const NGINX_CONF = "/etc/nginx/nginx.conf";

/** A directive by which nginx does not become a daemon. */
const FOREGROUND = /^\s*daemon\s+off\s*;/m;

const SETSID = "/usr/bin/setsid";
const CHOOM = "/usr/bin/choom";
const NICE = "/usr/bin/nice";

/**
 * Has systemd stop the unit alone. Units that require it, or are part of it, would be stopped with it otherwise, and
 * nobody would start them again. Those that are bound to it are stopped all the same (see `bound_units.ts`).
 */
const ALONE = "--job-mode=ignore-dependencies";

/** The program that talks to systemd; undefined where there is none. */
export function maybeSystemctl(host: HostFiles): string | undefined {
  return SYSTEMCTL.find(host.exists);
}

/** The command that has a manager stop a service; undefined where there is none, or no program for it. */
export function maybeStopCommand(
  ref: Pick<ServiceRef, "manager" | "name">,
  host: HostFiles,
): Command | undefined {
  return maybeManagerCommand("stop", ref, host);
}

/**
 * The command that has systemd kill all that is in the cgroup of a unit, a stop that hangs included;
 * undefined elsewhere.
 */
export function maybeKillCommand({ manager, name }: ServiceRef, host: HostFiles): Command | undefined {
  const program = maybeSystemctl(host);
  if (manager !== "systemd" || program === undefined) return undefined;
  return [program, "kill", "--signal=KILL", "--", name];
}

/**
 * The command that has systemd forget earlier failures of a unit: one that others started too often is not
 * started at all otherwise. Undefined elsewhere.
 */
export function maybeResetCommand({ manager, name }: ServiceRef, host: HostFiles): Command | undefined {
  const program = maybeSystemctl(host);
  return manager === "systemd" && program !== undefined ? [program, "reset-failed", "--", name] : undefined;
}

/** The command that starts what systemd stopped because a unit was stopped; undefined where that is nothing. */
export function maybeBoundCommand(
  { manager, boundUnits = [] }: ServiceRef,
  host: HostFiles,
): Command | undefined {
  const program = maybeSystemctl(host);
  if (manager !== "systemd" || program === undefined || boundUnits.length === 0) return undefined;
  return [program, "start", "--", ...boundUnits];
}

/** The command that shows what a unit wrote last; undefined elsewhere. */
export function maybeStatusCommand({ manager, name }: ServiceRef, host: HostFiles): Command | undefined {
  const program = maybeSystemctl(host);
  if (manager !== "systemd" || program === undefined) return undefined;
  return [program, "status", "--no-pager", "--full", "--lines=10", "--", name];
}

/** The command that starts a service, by its manager or as it was started before. */
export function maybeLaunchCommand(
  ref: ServiceRef,
  priority: Priority,
  host: HostFiles,
): Command | undefined {
  const command = ref.manager === "none"
    ? maybeOwnCommand(ref, host)
    : maybeManagerCommand("start", ref, host);
  // What systemd starts is its own child, and gets nothing of ours.
  return command === undefined || ref.manager === "systemd" ? command : withoutOurs(command, priority, host);
}

/** As `maybeStartCommand`; what stays in the foreground by its configuration is let go of. */
function maybeOwnCommand(ref: ServiceRef, host: HostFiles): Command | undefined {
  const command = maybeStartCommand(ref);
  if (command === undefined || ref.kind !== "nginx") return command;
  const text = maybeValue(host.readText(ref.confPath ?? NGINX_CONF)) ?? "";
  return FOREGROUND.test(text) && host.exists(SETSID) ? [SETSID, "--fork", ...command] : command;
}

function maybeManagerCommand(
  verb: "stop" | "start",
  { manager, name }: Pick<ServiceRef, "manager" | "name">,
  host: HostFiles,
): Command | undefined {
  switch (manager) {
    case "systemd": {
      const program = maybeSystemctl(host);
      if (program === undefined) return undefined;
      return verb === "stop" ? [program, verb, ALONE, "--", name] : [program, verb, "--", name];
    }
    case "sysv": {
      const script = `${INIT_SCRIPTS}/${name}`;
      const program = SERVICE.find(host.exists);
      const action = verb === "stop" && hasForceQuit(script, host) ? "force-quit" : verb;
      return program === undefined ? [script, action] : [program, name, action];
    }
    case "none":
      return undefined;
  }
}

/**
 * Whether a script can stop at once: that of the PHP sources, which BOA uses, waits 35 s for requests
 * otherwise.
 */
function hasForceQuit(script: string, host: HostFiles): boolean {
  return /^\s*force-quit\)/m.test(maybeValue(host.readText(script)) ?? "");
}

/** How the kernel treats this program, and all that it starts. */
export interface Priority {
  /** -20 (goes first) to 19 (gives way); undefined when not known. */
  readonly niceness: number | undefined;
  /** -1000 (never killed when memory runs out) to 1000; undefined when not known. */
  readonly oomScore: number | undefined;
}

/** The command, started with nice 0 and OOM score 0 as at boot, whatever this program has. */
function withoutOurs(command: Command, { niceness = 0, oomScore }: Priority, host: HostFiles): Command {
  const niced: Command = niceness !== 0 && host.exists(NICE)
    ? [NICE, "-n", `${-niceness}`, ...command]
    : command;
  return oomScore !== 0 && host.exists(CHOOM) ? [CHOOM, "-n", "0", "--", ...niced] : niced;
}
