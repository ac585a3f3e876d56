import { assertEquals } from "@std/assert";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { maybeStartCommand } from "./unit_file.ts";

const FPM = `# managed by the package
[Unit]
Description=The PHP 8.2 FastCGI Process Manager
ExecStart=/not/this/one

[Service]
Type=notify
ExecStartPre=/bin/true
ExecStart=/usr/sbin/php-fpm8.2 --nodaemonize --fpm-config /etc/php/8.2/fpm/php-fpm.conf
ExecReload=/bin/kill -USR2 $MAINPID
`;

/** A unit that starts this. */
function service(...lines: readonly string[]): string {
  return `[Service]\n${lines.join("\n")}\n`;
}

Deno.test("maybeStartCommand() reads the program and its arguments", () => {
  assertEquals(maybeStartCommand(FPM), [
    "/usr/sbin/php-fpm8.2",
    "--nodaemonize",
    "--fpm-config",
    "/etc/php/8.2/fpm/php-fpm.conf",
  ]);
});

const COMMANDS: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ["quotes", service(`ExecStart=/a -g 'daemon on; master_process on;' "b c" d\\ e`), [
    "/a",
    "-g",
    "daemon on; master_process on;",
    "b c",
    "d e",
  ]],
  ["prefixes", service("ExecStart=-+/a b"), ["/a", "b"]],
  ["a name of its own after @", service("ExecStart=@/a nginx b"), ["/a", "b"]],
  ["a line that goes on", service("ExecStart=/a \\", "  # not in the way", "  b"), ["/a", "b"]],
  ["blanks around the sign, and CR LF", service("ExecStart = /a b\r"), ["/a", "b"]],
  ["the first of several", service("ExecStart=/a", "ExecStart=/b"), ["/a"]],
  ["what comes after it was taken back", service("ExecStart=/a", "ExecStart=", "ExecStart=/b"), ["/b"]],
  ["nothing where all was taken back", service("ExecStart=/a", "ExecStart="), undefined],
  ["nothing where there is none", service("Type=oneshot"), undefined],
  ["nothing in a comment", service(";ExecStart=/a"), undefined],
  ["nothing in an empty file", "", undefined],
];
for (const [name, text, expected] of COMMANDS) {
  Deno.test(`maybeStartCommand() reads ${name}`, () => assertEquals(maybeStartCommand(text), expected));
}

Deno.test("maybeStartCommand() never throws on 10 000 damaged units", () => {
  assertReadsOrRefuses(FPM, (text) => void maybeStartCommand(text));
});
