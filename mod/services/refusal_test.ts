import { assertEquals } from "@std/assert";
import { isRefusal } from "./refusal.ts";

const ROWS: readonly (readonly [name: string, stderr: string, expected: boolean])[] = [
  [
    "a log of nginx that the agent may not open",
    'nginx: [emerg] open() "/mnt/logs/access.log" failed (30: Read-only file system)\n' +
    "nginx: configuration file /etc/nginx/nginx.conf test failed",
    true,
  ],
  [
    "a folder of nginx that the agent may not give away",
    'nginx: [emerg] chown("/var/cache/x", 33) failed (1: Operation not permitted)',
    true,
  ],
  [
    "a log of php-fpm",
    "[29-Nov-2026 22:20:01] ERROR: failed to open error_log (/mnt/fpm.log): Read-only file system (30)",
    true,
  ],
  ["a directive that is none", 'nginx: [emerg] unknown directive "limt_req" in /etc/nginx/x.conf:3', false],
  [
    "a certificate that is not there",
    'nginx: [emerg] cannot load certificate "/etc/x.pem": (2: No such file or directory)',
    false,
  ],
];
for (const [name, stderr, expected] of ROWS) {
  Deno.test(`isRefusal() is ${expected} for ${name}`, () => assertEquals(isRefusal(stderr), expected));
}
