import { assertEquals } from "@std/assert";
import { SHOW_ARGUMENTS } from "../../mod/services/systemctl.ts";
import { findServiceFiles } from "./service_files.ts";
import { answering, makeTempHost, type TempEntry } from "../check/temp_host.ts";

const UNIT = "[Service]\nExecStart=/usr/sbin/nginx -g x\n";

/** A host that systemd runs. */
const SYSTEMD: Readonly<Record<string, TempEntry>> = {
  "/run/systemd/system/transient.service": "",
  "/usr/bin/systemctl": "",
};

/** The command line that asks for units. */
function show(...units: readonly string[]): string {
  return ["/usr/bin/systemctl", ...SHOW_ARGUMENTS, ...units].join(" ");
}

Deno.test("findServiceFiles() finds units of nginx and php-fpm and asks how they stand", async () => {
  await using host = await makeTempHost({
    ...SYSTEMD,
    "/lib/systemd/system/nginx.service": UNIT,
    "/lib/systemd/system/ssh.service": "[Service]\nExecStart=/usr/sbin/sshd -D\n",
    "/lib/systemd/system/gateway.service": UNIT,
    "/lib/systemd/system/php-fpm@.service": "[Service]\nExecStart=/usr/sbin/php-fpm\n",
    "/lib/systemd/system/nginx.timer": "",
  });
  const calls: string[] = [];
  const shown = show("gateway.service", "nginx.service");
  const found = await findServiceFiles(
    host.files,
    answering({ [shown]: { stdout: "Id=nginx.service\nLoadState=loaded\nMainPID=812\n" } }, calls),
  );
  assertEquals([found.manager, found.problem, calls], ["systemd", undefined, [shown]]);
  assertEquals(
    found.files.map(({ name, path, command, state }) => [name, path, command?.[0], state?.mainPid]),
    [
      ["gateway.service", "/lib/systemd/system/gateway.service", "/usr/sbin/nginx", undefined],
      ["nginx.service", "/lib/systemd/system/nginx.service", "/usr/sbin/nginx", 812],
    ],
  );
});

Deno.test("findServiceFiles() lets earlier folders hide units, and knows masks and aliases", async () => {
  await using host = await makeTempHost({
    ...SYSTEMD,
    "/etc/systemd/system/nginx.service": UNIT.replace("/usr/sbin", "/usr/local/sbin"),
    "/etc/systemd/system/php7.4-fpm.service": { link: "/dev/null" },
    "/etc/systemd/system/php-fpm.service": { link: "/lib/systemd/system/php8.2-fpm.service" },
    "/usr/lib/systemd/system/nginx.service": UNIT,
    "/usr/lib/systemd/system/php7.4-fpm.service": "",
    "/lib/systemd/system/php8.2-fpm.service": "",
  });
  const { files } = await findServiceFiles(host.files, answering({}));
  assertEquals(files.map(({ name, path, command }) => [name, path.split("/")[1], command?.[0]]), [
    ["nginx.service", "etc", "/usr/local/sbin/nginx"],
    ["php7.4-fpm.service", "etc", undefined],
    ["php8.2-fpm.service", "lib", undefined],
  ]);
});

Deno.test("findServiceFiles() knows that systemd makes units of init scripts without one", async () => {
  await using host = await makeTempHost({
    ...SYSTEMD,
    "/lib/systemd/system/nginx.service": UNIT,
    "/etc/init.d/nginx": { program: "" },
    "/etc/init.d/php84-fpm": { program: "" },
  });
  const { files } = await findServiceFiles(
    host.files,
    answering({
      [show("nginx.service", "php84-fpm.service")]: { stdout: "Id=php84-fpm.service\nActiveState=active\n" },
    }),
  );
  assertEquals(files.map(({ name, state }) => [name, state?.activeState]), [["nginx.service", undefined], [
    "php84-fpm",
    "active",
  ]]);
});

Deno.test("findServiceFiles() takes init scripts where systemd does not run, and runs nothing", async () => {
  await using host = await makeTempHost({
    "/lib/systemd/system/nginx.service": UNIT,
    "/usr/bin/systemctl": "",
    "/etc/init.d/nginx": { program: "" },
    "/etc/init.d/php84-fpm": { program: "" },
    "/etc/init.d/php56-fpm": "not executable",
    "/etc/init.d/ssh": { program: "" },
  });
  const calls: string[] = [];
  const found = await findServiceFiles(host.files, answering({}, calls));
  assertEquals([found.manager, found.problem, calls], ["sysv", undefined, []]);
  assertEquals(found.files.map(({ name }) => name), ["nginx", "php84-fpm"]);
});

Deno.test("findServiceFiles() finds no manager where there is none", async () => {
  await using host = await makeTempHost({ "/etc/init.d/README": "no script" });
  assertEquals(await findServiceFiles(host.files, answering({})), {
    manager: "none",
    files: [],
    problem: undefined,
  });
});

for (
  const [name, answer, problem] of [
    [
      "fails",
      { code: 1, stderr: "Failed to connect to bus\n" },
      "/usr/bin/systemctl exited 1: Failed to connect to bus",
    ],
    ["hangs", { code: 137, timedOut: true }, "/usr/bin/systemctl gave no answer within 5000 ms"],
  ] as const
) {
  Deno.test(`findServiceFiles() says so when systemctl ${name}`, async () => {
    await using host = await makeTempHost({ ...SYSTEMD, "/lib/systemd/system/nginx.service": UNIT });
    const found = await findServiceFiles(host.files, answering({ [show("nginx.service")]: answer }));
    assertEquals([found.problem, found.files.map(({ state }) => state)], [problem, [undefined]]);
  });
}
