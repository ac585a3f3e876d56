import { assertEquals } from "@std/assert";
import { parsePidCgroup } from "../proc/pid_cgroup.ts";
import { isNamed, mayBeNamed, needsArguments, unitPathsOf, unitsAmong } from "./group_rule.ts";

/** Whether a process with these cgroups is of a unit. */
function isOf(unit: string, text: string, isContained = false): boolean {
  return unitsAmong(unitPathsOf(parsePidCgroup(text)), isContained).has(unit);
}

const INSTANCE = "0::/system.slice/system-web.slice/web@1.service\n";

const UNITS: Readonly<Record<string, readonly [string, string, boolean]>> = {
  "an instance": ["web@1.service", INSTANCE, true],
  "its slice": ["system-web.slice", INSTANCE, true],
  "another instance": ["web@11.service", INSTANCE, false],
  "a part of the name": ["web@", INSTANCE, false],
  "a cgroup that it made below its own": [
    "web@1.service",
    "0::/system.slice/system-web.slice/web@1.service/workers\n",
    true,
  ],
  "cgroup v1": ["nginx.service", "5:pids:/\n1:name=systemd:/system.slice/nginx.service\n", true],
  "cgroup v1, another controller": [
    "nginx.service",
    "5:pids:/system.slice/nginx.service\n1:name=systemd:/\n",
    false,
  ],
  "a hybrid host": ["nginx.service", "1:name=systemd:/system.slice/nginx.service\n0::/\n", true],
  "a cgroup that is gone": ["nginx.service", "0::/system.slice/nginx.service (deleted)\n", true],
  "a name that systemd writes otherwise": ["cpu.service", "0::/system.slice/_cpu.service\n", true],
  "a user's own unit": [
    "shop.service",
    "0::/user.slice/user-1000.slice/user@1000.service/app.slice/shop.service\n",
    true,
  ],
  "no systemd": ["nginx.service", "0::/\n", false],
};

for (const [name, [unit, text, expected]] of Object.entries(UNITS)) {
  Deno.test(`unitsAmong() tells of ${name}`, () => assertEquals(isOf(unit, text), expected));
}

Deno.test("unitsAmong() leaves out the units inside of a container", () => {
  const docker = "0::/system.slice/docker-1f0c.scope/system.slice/nginx.service\n";
  const lxc = "0::/lxc.payload.shop/system.slice/nginx.service\n";
  const nspawn = "0::/machine.slice/systemd-nspawn@shop.service/payload/system.slice/nginx.service\n";
  for (const text of [docker, lxc, nspawn]) assertEquals(isOf("nginx.service", text, true), false, text);
  // We may live in it ourselves, and see it from the outside by our cgroups alone.
  assertEquals(isOf("nginx.service", lxc), true);
  assertEquals(isOf("systemd-nspawn@shop.service", nspawn, true), true);
  assertEquals(isOf("docker-1f0c.scope", docker, true), true);
});

const NODE = { process: "node", argument: "" };

Deno.test("mayBeNamed() goes by the whole name, cut as the kernel cuts it", () => {
  assertEquals(mayBeNamed("node", NODE), true);
  assertEquals(mayBeNamed("nodejs", NODE), false);
  assertEquals(mayBeNamed("gunicorn-worker", { process: "gunicorn-workers", argument: "" }), true);
});

Deno.test("needsArguments() is true of an argument, and of a name that may be cut", () => {
  assertEquals(needsArguments(NODE), false);
  assertEquals(needsArguments({ process: "node", argument: "server.js" }), true);
  assertEquals(needsArguments({ process: "gunicorn-worker", argument: "" }), true);
});

const NAMED: Readonly<Record<string, readonly [readonly string[], string, string, boolean]>> = {
  "its argument": [["/usr/bin/node", "/srv/shop/server.js"], "node", "/srv/shop/server.js", true],
  "another argument": [["/usr/bin/node", "/srv/shop/server.js"], "node", "server.js", false],
  "the program, which is no argument": [["node", "x.js"], "node", "node", false],
  "a long name": [["/srv/bin/gunicorn-workers", "-c"], "gunicorn-workers", "", true],
  "a long name that begins alike": [["/srv/bin/gunicorn-worker-2"], "gunicorn-workers", "", false],
  "the script that an interpreter runs": [
    ["/usr/bin/python3", "/srv/celery-supervisor"],
    "celery-supervisor",
    "",
    true,
  ],
  "a name of 15 bytes that the process gave itself": [["/usr/bin/node", "x.js"], "node-MainThread", "", true],
  "a longer name than a process can give itself": [["/usr/bin/node", "x.js"], "node-MainThreads", "", false],
  "one that has ended": [[], "gunicorn-workers", "", false],
};

for (const [name, [argv, process, argument, expected]] of Object.entries(NAMED)) {
  Deno.test(`isNamed() tells of ${name}`, () => assertEquals(isNamed(argv, { process, argument }), expected));
}
