import { assertEquals } from "@std/assert";
import type { ServiceRef } from "./service_ref.ts";
import { maybeStartCommand, maybeTestCommand } from "./start_command.ts";

function nginx(...args: string[]): ServiceRef {
  return {
    kind: "nginx",
    manager: "none",
    name: "/usr/sbin/nginx",
    program: "/usr/sbin/nginx",
    args,
    confPath: undefined,
  };
}

const FPM: ServiceRef = {
  kind: "php-fpm",
  manager: "none",
  name: "/usr/sbin/php-fpm8.2",
  program: "/usr/sbin/php-fpm8.2",
  args: ["--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"],
  confPath: "/etc/php/8.2/fpm/php-fpm.conf",
};

const CASES: readonly { readonly args: readonly string[]; readonly serving: readonly string[] }[] = [
  { args: [], serving: [] },
  { args: ["-c", "/etc/nginx/nginx.conf"], serving: ["-c", "/etc/nginx/nginx.conf"] },
  {
    args: ["-g", "daemon on; master_process on;"],
    serving: ["-g", "daemon on; master_process on;"],
  },
  { args: ["-g", "daemon off;"], serving: [] },
  { args: ["-g", "daemon off; pid /run/n.pid;", "-q"], serving: ["-g", "pid /run/n.pid;"] },
  { args: ["-c", "/x.conf", "-s", "reload", "-t"], serving: ["-c", "/x.conf"] },
];

for (const { args, serving } of CASES) {
  Deno.test(`maybeStartCommand() and maybeTestCommand() of nginx ${args.join(" ")}`, () => {
    assertEquals(maybeStartCommand(nginx(...args)), ["/usr/sbin/nginx", ...serving]);
    assertEquals(maybeTestCommand(nginx(...args)), ["/usr/sbin/nginx", "-t", "-q", ...serving]);
  });
}

Deno.test("maybeStartCommand() makes a daemon of a php-fpm", () => {
  const conf = ["--fpm-config", "/etc/php/8.2/fpm/php-fpm.conf"];
  assertEquals(maybeStartCommand(FPM), ["/usr/sbin/php-fpm8.2", "--daemonize", ...conf]);
  assertEquals(maybeTestCommand(FPM), ["/usr/sbin/php-fpm8.2", "-t", ...conf]);
});

Deno.test("maybeTestCommand() of a php-fpm with a configuration of its own choice", () => {
  assertEquals(maybeTestCommand({ ...FPM, args: [], confPath: undefined }), ["/usr/sbin/php-fpm8.2", "-t"]);
});

Deno.test("maybeTestCommand() of a php-fpm keeps what decides how its configuration is read", () => {
  const args = ["-F", "-R", "-c", "/etc/shop/php.ini", "--prefix", "/opt/php", "$OPTIONS", ...FPM.args];
  assertEquals(
    maybeTestCommand({ ...FPM, args })?.slice(1).join(" "),
    "-t -R -c /etc/shop/php.ini --prefix /opt/php --fpm-config /etc/php/8.2/fpm/php-fpm.conf",
  );
});

Deno.test("maybeStartCommand() and maybeTestCommand() give nothing for an unknown program", () => {
  for (const ref of [nginx(), FPM]) {
    const unknown = { ...ref, program: undefined };
    assertEquals([maybeStartCommand(unknown), maybeTestCommand(unknown)], [undefined, undefined]);
  }
});
