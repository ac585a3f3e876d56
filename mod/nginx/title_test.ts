import { assertEquals } from "@std/assert";
import { commandOfTitle } from "./title.ts";

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["nginx: master process nginx", ["nginx"]],
  ["nginx: master process /usr/sbin/nginx -c /etc/nginx/nginx.conf", [
    "/usr/sbin/nginx",
    "-c",
    "/etc/nginx/nginx.conf",
  ]],
  ["nginx: master process /usr/sbin/nginx -g daemon on; master_process on;", [
    "/usr/sbin/nginx",
    "-g",
    "daemon on; master_process on;",
  ]],
  ["nginx: master process nginx -g pid /run/a.pid; -c /srv/my site/nginx.conf -q", [
    "nginx",
    "-g",
    "pid /run/a.pid;",
    "-c",
    "/srv/my site/nginx.conf",
    "-q",
  ]],
  ["nginx: master process nginx -g", ["nginx", "-g"]],
  ["", []],
];

for (const [title, command] of CASES) {
  Deno.test(`commandOfTitle() reads ${JSON.stringify(title)}`, () => {
    assertEquals(commandOfTitle([title]), command);
    // As `ps` gives it, split at blanks.
    assertEquals(commandOfTitle(title.split(" ")), command);
  });
}
