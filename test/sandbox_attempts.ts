/**
 * What the sandbox must allow and what it must refuse, as things to try.
 *
 * The sandbox test compiles these exactly as loadweir is compiled, with the same list of permissions, and has
 * the binary try them all in a world, as root: `sandbox_probe.ts` is the program.
 */

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { cpus } from "node:os";
import { cpuUsage, memoryUsage } from "node:process";

/** Things to try by name; one is allowed when it neither throws nor rejects. */
export type Attempts = Readonly<Record<string, () => unknown>>;

/** Where the world has a server that answers: an address of this host that is not the one of probes. */
const SERVER = { hostname: "127.0.0.2", port: 80 } as const;

/** What works with and without the bind mount. */
export const ALLOWED: Attempts = {
  "read CPU pressure": () => Deno.readTextFileSync("/proc/pressure/cpu"),
  "read I/O pressure": () => Deno.readTextFileSync("/proc/pressure/io"),
  "read memory pressure": () => Deno.readTextFileSync("/proc/pressure/memory"),
  "read configuration": () => Deno.readTextFileSync("/etc/loadweir/loadweir.ini"),
  "look for a program": () => Deno.statSync("/usr/bin/ps"),
  "make the folder for recordings": () => Deno.mkdirSync("/var/lib/loadweir/recordings", { recursive: true }),
  "write a recording": () => write("/var/lib/loadweir/recordings/probe"),
  "write metrics for node_exporter": () => {
    const path = "/var/lib/prometheus/node-exporter/loadweir.prom";
    write(`${path}.new`);
    Deno.renameSync(`${path}.new`, path);
    Deno.removeSync(path);
  },
  "ask what it uses itself": () => check(cpuUsage().user > 0 && memoryUsage.rss() > 0),
  "connect to a server of this host": async () =>
    (await Deno.connect({ hostname: "127.0.0.1", port: 80 })).close(),
  "connect to a database of this host": async () =>
    (await Deno.connect({ transport: "unix", path: "/run/mysqld/mysqld.sock" })).close(),
  "connect to an instance of the web tier": async () =>
    (await Deno.connect({ transport: "unix", path: "/run/loadweir/metrics/web.sock" })).close(),
  "run ps": () => run("/usr/bin/ps", "-e"),
  "run ps by its other spelling": () => run("/bin/ps", "-e"),
  "run vmstat": () => run("/usr/bin/vmstat"),
  "run kill": () => run("/usr/bin/kill", "-l"),
  "run systemd-notify": () => run("/usr/bin/systemd-notify", "--version"),
  "read where systemd listens": () => Deno.env.get("NOTIFY_SOCKET"),
  "listen for pages": () => listen("127.0.0.1", 9807),
  "listen for pages at all addresses of IPv4": () => listen("0.0.0.0", 9807),
  "listen for pages at all addresses": () => listen("::", 9807),
  "listen for agent-check": () => listen("127.0.0.1", 9808),
  "listen for agent-check over IPv6": () => listen("::1", 9808),
  "connect to this host": async () => (await Deno.connect({ hostname: "127.0.0.1", port: 80 })).close(),
  "connect to this host by IPv6": async () => {
    using _server = Deno.listen({ hostname: "::1", port: 8080 });
    (await Deno.connect({ hostname: "::1", port: 8080 })).close();
  },
  "ask for load": () => Deno.loadavg(),
  "ask for memory": () => Deno.systemMemoryInfo(),
  "ask for the number of CPUs": () => check(cpus().length > 0),
  "ask for the time since boot": () => Deno.osUptime(),
  "ask for the kernel": () => Deno.osRelease(),
  "ask for the host name": () => Deno.hostname(),
  "ask for the user": () => Deno.uid(),
};

/** What works with the bind mount alone. The second is no wish: reads through it are not confined. */
export const ALLOWED_BY_THE_BIND_MOUNT: Attempts = {
  "read load through the bind mount": () => Deno.readTextFileSync("/run/loadweir/proc/loadavg"),
  "read any file through the bind mount": () => Deno.readTextFileSync("/run/loadweir/proc/1/root/etc/shadow"),
};

/** What is refused, with and without the bind mount. */
export const REFUSED: Attempts = {
  "read /proc/loadavg": () => Deno.readTextFileSync("/proc/loadavg"),
  "read /proc/self/environ": () => Deno.readTextFileSync("/proc/self/environ"),
  "read /sys": () => Deno.readTextFileSync("/sys/kernel/mm/transparent_hugepage/enabled"),
  "read /etc/shadow": () => Deno.readTextFileSync("/etc/shadow"),
  "list an unlisted folder": () => [...Deno.readDirSync("/root")],
  "read out of a listed folder by ..": () => Deno.readTextFileSync("/etc/loadweir/../shadow"),

  "write through the bind mount": () => write("/run/loadweir/proc/1/root/srv/probe"),
  "write through the bind mount by node:fs": () => writeFileSync("/run/loadweir/proc/1/root/srv/probe", "x"),
  "write /proc/sys": () => write("/proc/sys/kernel/hostname"),
  "write proc/sys through the bind mount": () => write("/run/loadweir/proc/sys/kernel/hostname"),
  "write in an unlisted folder": () => write("/srv/probe"),
  "write out of a listed folder by ..": () => write("/var/lib/loadweir/recordings/../unlisted"),
  "write configuration": () => write("/etc/loadweir/loadweir.ini"),
  "write rules of ufw that are not about pings": () => write("/etc/ufw/user.rules"),
  "write metrics of others for node_exporter": () => write("/var/lib/prometheus/node-exporter/other.prom"),
  "write in /tmp": () => Deno.makeTempFileSync(),
  "rename out of a listed folder": () => Deno.renameSync("/var/lib/loadweir/recordings/probe", "/srv/probe"),
  "link out of a listed folder": () => Deno.symlinkSync("/srv", "/var/lib/loadweir/recordings/link"),
  "change the mode of an unlisted file": () => Deno.chmodSync("/etc/shadow", 0o644),

  "run an unlisted program": () => run("/usr/bin/id"),
  "run a program beside listed ones": () => run("/usr/sbin/iptables-save"),
  "run a shell": () => run("/bin/sh", "-c", "true"),
  "run an unlisted program by node:child_process": () => {
    const { error } = spawnSync("/usr/bin/id");
    if (error !== undefined) throw error;
  },
  "run a listed program with LD_PRELOAD": () =>
    new Deno.Command("/usr/bin/ps", { clearEnv: true, env: { LD_PRELOAD: "/tmp/probe.so" } }).outputSync(),
  "send a signal": () => Deno.kill(Deno.pid, "SIGCONT"),

  "connect to an unlisted socket": async () =>
    (await Deno.connect({ transport: "unix", path: "/run/other.sock" })).close(),
  "connect to a socket beside those of instances": async () =>
    (await Deno.connect({ transport: "unix", path: "/run/loadweir/metrics.sock" })).close(),
  "connect out of the folder of instances by ..": async () =>
    (await Deno.connect({ transport: "unix", path: "/run/loadweir/metrics/../metrics.sock" })).close(),
  "connect to an unlisted address": async () => (await Deno.connect(SERVER)).close(),
  "fetch from an unlisted address": async () => await (await fetch("http://127.0.0.2/")).text(),
  "listen on an unlisted port": () => listen("0.0.0.0", 8080),
  "listen on an unlisted port at all addresses": () => listen("::", 9809),
  "listen for pages at another address of IPv6": () => listen("2001:db8::1", 9807),
  "listen for pages at an address by name": () => listen("localhost", 9807),
  "resolve a name": () => Deno.resolveDns("localhost", "A"),

  "read an unlisted variable": () => Deno.env.get("HOME"),
  "read all variables": () => Deno.env.toObject(),
  "ask for network interfaces": () => Deno.networkInterfaces(),
  "call a foreign function": () => Deno.dlopen("libc.so.6", {}),
  "ask for more at run time": async () => {
    const { state } = await Deno.permissions.request({ name: "run" });
    if (state !== "granted") throw new Deno.errors.NotCapable(state);
  },
};

/** What fails for another reason than a refusal, with the error that shows it. */
export const FAILS: Attempts = {
  // The runtime tells a refusal by node:http as if nobody had listened; in the world, somebody does.
  "Error: connect ECONNREFUSED 127.0.0.2:80": () =>
    new Promise((resolve, reject) => get("http://127.0.0.2/", resolve).on("error", reject)),
  // The specifier is made at run time, so that nothing can fetch it when the probe is compiled.
  "TypeError: Module not found: http://127.0.0.2/x.js": () => import(`http://${SERVER.hostname}/x.js`),
};

/** Writes one letter. */
function write(path: string): void {
  Deno.writeTextFileSync(path, "x");
}

/** Listens for a moment. */
function listen(hostname: string, port: number): void {
  Deno.listen({ hostname, port }).close();
}

/** Runs a program that must succeed. */
function run(program: string, ...args: string[]): void {
  check(new Deno.Command(program, { args, clearEnv: true }).outputSync().success);
}

/** Fails where a call that should have thrown gives an empty answer. */
function check(condition: boolean): void {
  if (!condition) throw new Error("unexpected answer");
}
