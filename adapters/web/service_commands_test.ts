import { assertEquals } from "@std/assert";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { makeTempHost } from "../check/temp_host.ts";
import {
  maybeBoundCommand,
  maybeKillCommand,
  maybeLaunchCommand,
  maybeResetCommand,
  maybeStatusCommand,
  maybeStopCommand,
  type Priority,
} from "./service_commands.ts";

const UNIT = ref("systemd", "nginx.service");
const SCRIPT = ref("sysv", "nginx");
const BY_HAND = ref("none", "/usr/sbin/nginx");

function ref(manager: ServiceRef["manager"], name: string): ServiceRef {
  const program = "/usr/sbin/nginx";
  return { kind: "nginx", manager, name, program, args: ["-c", "/etc/nginx/web.conf"], confPath: undefined };
}

const USUAL: Priority = { niceness: 0, oomScore: 0 };

const TOOLS = {
  "/bin/systemctl": "",
  "/usr/sbin/service": "",
  "/usr/bin/nice": "",
  "/usr/bin/choom": "",
  "/usr/bin/setsid": "",
};

Deno.test("maybeStopCommand() and maybeLaunchCommand() speak to the manager of a service", async () => {
  await using host = await makeTempHost(TOOLS);
  const commands = (service: ServiceRef): unknown => [
    maybeStopCommand(service, host.files)?.join(" "),
    maybeLaunchCommand(service, USUAL, host.files)?.join(" "),
  ];
  assertEquals(commands(UNIT), [
    "/bin/systemctl stop --job-mode=ignore-dependencies -- nginx.service",
    "/bin/systemctl start -- nginx.service",
  ]);
  assertEquals(commands(SCRIPT), ["/usr/sbin/service nginx stop", "/usr/sbin/service nginx start"]);
  assertEquals(commands(BY_HAND), [undefined, "/usr/sbin/nginx -c /etc/nginx/web.conf"]);
});

Deno.test("maybeStopCommand() takes the script itself where there is no service(8)", async () => {
  await using host = await makeTempHost({});
  assertEquals(maybeStopCommand(SCRIPT, host.files), ["/etc/init.d/nginx", "stop"]);
  assertEquals([maybeStopCommand(UNIT, host.files), maybeLaunchCommand(UNIT, USUAL, host.files)], [
    undefined,
    undefined,
  ]);
});

Deno.test("maybeStopCommand() has a script stop at once where it can", async () => {
  const script = 'case "$1" in\n  stop)\n    :\n  ;;\n  force-quit)\n    :\n  ;;\nesac\n';
  await using host = await makeTempHost({ ...TOOLS, "/etc/init.d/nginx": { program: script } });
  assertEquals([maybeStopCommand(SCRIPT, host.files), maybeLaunchCommand(SCRIPT, USUAL, host.files)], [
    ["/usr/sbin/service", "nginx", "force-quit"],
    ["/usr/sbin/service", "nginx", "start"],
  ]);
});

Deno.test("maybeKillCommand(), maybeResetCommand(), maybeStatusCommand() are for units", async () => {
  await using host = await makeTempHost(TOOLS);
  const commands = (service: ServiceRef): unknown =>
    [maybeKillCommand, maybeResetCommand, maybeStatusCommand].map((make) =>
      make(service, host.files)?.join(" ")
    );
  assertEquals(commands(UNIT), [
    "/bin/systemctl kill --signal=KILL -- nginx.service",
    "/bin/systemctl reset-failed -- nginx.service",
    "/bin/systemctl status --no-pager --full --lines=10 -- nginx.service",
  ]);
  assertEquals([commands(SCRIPT), commands(BY_HAND)], Array(2).fill([undefined, undefined, undefined]));
});

Deno.test("maybeBoundCommand() starts what was stopped with a unit, and nothing where that is nothing", async () => {
  await using host = await makeTempHost(TOOLS);
  const command = (service: ServiceRef): unknown => maybeBoundCommand(service, host.files)?.join(" ");
  const boundUnits = ["shop-cache.service", "shop.timer"];
  assertEquals(command({ ...UNIT, boundUnits }), "/bin/systemctl start -- shop-cache.service shop.timer");
  assertEquals([UNIT, { ...UNIT, boundUnits: [] }, { ...SCRIPT, boundUnits }].map(command), [
    undefined,
    undefined,
    undefined,
  ]);
});

const PRIORITIES: readonly (readonly [Priority, string])[] = [
  [USUAL, ""],
  [{ niceness: 5, oomScore: 0 }, "/usr/bin/nice -n -5 "],
  [{ niceness: -10, oomScore: 0 }, "/usr/bin/nice -n 10 "],
  [{ niceness: 0, oomScore: -900 }, "/usr/bin/choom -n 0 -- "],
  [{ niceness: -10, oomScore: -900 }, "/usr/bin/choom -n 0 -- /usr/bin/nice -n 10 "],
  // Without a proc root the nice value stays; an OOM score can be set without knowing it.
  [{ niceness: undefined, oomScore: undefined }, "/usr/bin/choom -n 0 -- "],
];

for (const [priority, prefix] of PRIORITIES) {
  Deno.test(`maybeLaunchCommand() passes nothing on of ${JSON.stringify(priority)}`, async () => {
    await using host = await makeTempHost(TOOLS);
    assertEquals(
      [UNIT, SCRIPT, BY_HAND].map((service) => maybeLaunchCommand(service, priority, host.files)?.join(" ")),
      [
        "/bin/systemctl start -- nginx.service",
        `${prefix}/usr/sbin/service nginx start`,
        `${prefix}/usr/sbin/nginx -c /etc/nginx/web.conf`,
      ],
    );
  });
}

Deno.test("maybeLaunchCommand() does without tools that are not there", async () => {
  await using host = await makeTempHost({ "/usr/sbin/service": "" });
  assertEquals(maybeLaunchCommand(SCRIPT, { niceness: -10, oomScore: -900 }, host.files), [
    "/usr/sbin/service",
    "nginx",
    "start",
  ]);
});

Deno.test("maybeLaunchCommand() lets go of an nginx that stays in the foreground", async () => {
  await using host = await makeTempHost({
    ...TOOLS,
    "/etc/nginx/nginx.conf": "user www-data;\n  daemon off;\n",
    "/etc/nginx/web.conf": "# daemon off;\n",
  });
  const launch = (confPath: string | undefined): unknown =>
    maybeLaunchCommand({ ...BY_HAND, args: [], confPath }, USUAL, host.files)?.join(" ");
  assertEquals([launch(undefined), launch("/etc/nginx/web.conf"), launch("/etc/nginx/none.conf")], [
    "/usr/bin/setsid --fork /usr/sbin/nginx",
    "/usr/sbin/nginx",
    "/usr/sbin/nginx",
  ]);
});
