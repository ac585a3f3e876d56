import { assertEquals } from "@std/assert";
import { causesIn, type TestEnd, testVerdict } from "./test_verdict.ts";

/** The end of a test of nginx that fails with this line. */
function emerg(cause: string): Partial<TestEnd> {
  return {
    stderr: `nginx: [emerg] ${cause}\nnginx: configuration file /etc/nginx/nginx.conf test failed\n`,
  };
}

/** The end of a test of php-fpm that fails with this line. */
function fpmError(cause: string): Partial<TestEnd> {
  const at = "[29-Nov-2026 22:20:01]";
  return { code: 78, stderr: `${at} ERROR: ${cause}\n${at} ERROR: FPM initialization failed\n` };
}

const UNKNOWN_DIRECTIVE = 'unknown directive "limt_req" in /etc/nginx/x.conf:3';

const ROWS: readonly (readonly [name: string, end: Partial<TestEnd>, ReturnType<typeof testVerdict>])[] = [
  ["a test that succeeds", { code: 0, stderr: "[warn] something" }, "sound"],
  ["a directive that is none", emerg(UNKNOWN_DIRECTIVE), "broken"],
  [
    "a certificate that is not there",
    emerg('cannot load certificate "/etc/x.pem": (2: No such file or directory)'),
    "broken",
  ],
  [
    "an address that the host has no more",
    emerg("bind() to 10.0.0.5:80 failed (99: Cannot assign …)"),
    "broken",
  ],
  [
    "a broken line, beside a log that cannot be opened for now",
    {
      stderr: "nginx: [alert] could not open error log file: open() failed (13: Permission denied)\n" +
        (emerg(UNKNOWN_DIRECTIVE).stderr ?? ""),
    },
    "broken",
  ],
  [
    "an entry of php-fpm that is none",
    fpmError("[/etc/php/8.2/fpm/pool.d/www.conf:9] unknown entry 'foo'"),
    "broken",
  ],
  ["a test that gives no answer", { ...emerg(UNKNOWN_DIRECTIVE), code: 137, timedOut: true }, "unknown"],
  ["a test that is killed for want of memory", { code: 137 }, "unknown"],
  ["a program that is not there", { code: 127, stderr: "not found (os error 2)" }, "unknown"],
  ["a php-fpm that preloads as another user", { code: 70 }, "unknown"],
  [
    "a script that php-fpm preloads",
    { code: 254, stderr: "PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted" },
    "unknown",
  ],
  [
    "a log of nginx that the agent may not open",
    emerg('open() "/mnt/logs/access.log" failed (30: Read-only file system)'),
    "unknown",
  ],
  [
    "a folder of nginx that the agent may not give away",
    emerg('chown("/var/cache/x", 33) failed (1: Operation not permitted)'),
    "unknown",
  ],
  [
    "a key that the agent may not read",
    emerg('cannot load "/etc/key.pem" (13: Permission denied)'),
    "unknown",
  ],
  ["memory that the agent has not", emerg("malloc(64) failed (12: Cannot allocate memory)"), "unknown"],
  [
    "a log of php-fpm",
    fpmError("failed to open error_log (/mnt/fpm.log): Read-only file system (30)"),
    "unknown",
  ],
  [
    "a folder that systemd makes at the start",
    emerg('open() "/run/nginx/nginx.pid" failed (2: No such file or directory)'),
    "unknown",
  ],
  [
    "a credential that systemd gives to the service",
    emerg('cannot load certificate "/run/credentials/nginx.service/x": (2: No such file or directory)'),
    "unknown",
  ],
  [
    "a folder of php-fpm that systemd makes at the start",
    fpmError("failed to open error_log (/run/php-fpm/error.log): No such file or directory (2)"),
    "unknown",
  ],
];
for (const [name, end, expected] of ROWS) {
  Deno.test(`testVerdict() is ${expected} for ${name}`, () => {
    assertEquals(testVerdict({ code: 1, stderr: "", timedOut: false, ...end }), expected);
  });
}

Deno.test("causesIn() finds why, without times, pids and what a journal adds", () => {
  const text = `
Nov 29 22:20:01 web-1 nginx[212]: nginx: [emerg] bind() to 0.0.0.0:80 failed
2026/11/30 09:23:48 [emerg] 212#212: unknown directive "limt_req" in /etc/nginx/x.conf:2
[29-Nov-2026 22:20:01] ERROR: unable to bind
nginx: configuration file /etc/nginx/nginx.conf test failed
`;
  assertEquals(causesIn(text), [
    "[emerg] bind() to 0.0.0.0:80 failed",
    '[emerg] 212#212: unknown directive "limt_req" in /etc/nginx/x.conf:2',
    "ERROR: unable to bind",
  ]);
  assertEquals(causesIn(""), []);
});
