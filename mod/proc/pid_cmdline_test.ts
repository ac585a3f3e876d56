import { assertEquals } from "@std/assert";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { parseCmdline } from "./pid_cmdline.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
}

const CASES = [
  { of: "c26-comm-spaces-and-parentheses", pid: 83875, argv: ["/bin/bash", "./sleep (2) .sh"] },
  { of: "c26-comm-spaces-and-parentheses", pid: 1591, argv: ["/usr/lib/pms/Plex Media Server"] },
  { of: "c28-kernel-threads", pid: 3, argv: [] },
  { of: "c29-zombie-php", pid: 2001, argv: [] },
  { of: "c29-zombie-php", pid: 2002, argv: ["/usr/bin/php", "/var/www/x/drush.php", "cron"] },
  {
    of: "c31-duplicity-shebang-absolute",
    pid: 4405,
    argv: ["/bin/bash", "/usr/local/bin/backboa", "backup"],
  },
  { of: "c35-comm-exactly-15-and-prefix-clash", pid: 6102, argv: ["bash", "/var/xdrago/mysql_backup.sh"] },
  {
    of: "c37-php-fpm-titles",
    pid: 700,
    argv: ["php-fpm: master process (/etc/php/8.3/fpm/php-fpm.conf)"],
  },
  { of: "c37-php-fpm-titles", pid: 701, argv: ["php-fpm: pool www"] },
  { of: "c37-php-fpm-titles", pid: 702, argv: ["php-fpm: pool www2"] },
  { of: "c38-nginx-titles-with-nul-padding", pid: 2741, argv: ["grep", "nginx"] },
  {
    of: "c38-nginx-titles-with-nul-padding",
    pid: 476904,
    argv: ["nginx: master process /usr/sbin/nginx -g daemon on;"],
  },
  { of: "c38-nginx-titles-with-nul-padding", pid: 476955, argv: ["nginx: worker process"] },
  { of: "c38-nginx-titles-with-nul-padding", pid: 476956, argv: ["nginx: worker process is shutting down"] },
  {
    of: "c40-cmdline-arguments-with-blanks",
    pid: 7001,
    argv: ["wget", "-q", "-O", "/root/mysql_backup.sh", "http://x.invalid/mysql_backup.sh"],
  },
  {
    of: "c40-cmdline-arguments-with-blanks",
    pid: 7002,
    argv: ["curl", "-H", "X-Note: drush.php backup run", "http://x.invalid/cron.php?k=a b"],
  },
  { of: "c40-cmdline-arguments-with-blanks", pid: 7003, argv: ["chromium-browser --enable-pinch"] },
  { of: "c43-pid-vanishes-during-scan", pid: 1501, argv: [] },
];

for (const { of, pid, argv } of CASES) {
  Deno.test(`parseCmdline() gives ${argv.length} arguments for ${pid} of ${of}`, () => {
    assertEquals(parseCmdline(fixture(`cases/${of}/proc/${pid}/cmdline`)), argv);
  });
}

const TEXTS = [
  { what: "keeps an empty argument between others", text: "grep\0\0file\0", argv: ["grep", "", "file"] },
  { what: "keeps an empty program name", text: "\0-f\0", argv: ["", "-f"] },
  { what: "takes a text of NULs alone for none", text: "\0\0\0", argv: [] },
  { what: "keeps blanks at the end of one argument of several", text: "a \0b  \0", argv: ["a ", "b  "] },
  { what: "keeps line ends", text: "sh\0-c\0a\nb\n\0", argv: ["sh", "-c", "a\nb\n"] },
];

for (const { what, text, argv } of TEXTS) {
  Deno.test(`parseCmdline() ${what}`, () => {
    assertEquals(parseCmdline(text), argv);
  });
}

Deno.test("parseCmdline() never throws, and never gives an argument with a NUL", () => {
  assertReadsOrRefuses("/usr/bin/php\0/var/www/shop/drush.php\0cron\0", (text) => {
    assertEquals(parseCmdline(text).filter((argument) => argument.includes("\0")), []);
  });
});
