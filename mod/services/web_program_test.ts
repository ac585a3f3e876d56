import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import {
  maybeConfPath,
  maybeKindOfProgram,
  maybeKindOfService,
  parseVersion,
  phpVersionKey,
} from "./web_program.ts";

Deno.test("maybeKindOfService() knows the names that distributions and panels use, and no others", () => {
  const fpm = [
    "php-fpm",
    "php5-fpm",
    "php8.4-fpm",
    "php84-fpm",
    "php84-php-fpm",
    "php-fpm8.4",
    "plesk-php84-fpm",
  ];
  for (const name of fpm) assertEquals(maybeKindOfService(name), "php-fpm", name);
  for (const name of ["nginx", "nginx-debug"]) assertEquals(maybeKindOfService(name), "nginx", name);
  for (
    const name of ["nginx-exporter", "phpsessionclean", "php-fpm-exporter", "my-nginx", "php-fpm.old", ""]
  ) {
    assertEquals(maybeKindOfService(name), undefined, name);
  }
});

Deno.test("maybeKindOfProgram() goes by the name of the binary", () => {
  assertEquals(maybeKindOfProgram("/usr/local/openresty/nginx/sbin/nginx"), "nginx");
  assertEquals(maybeKindOfProgram("/opt/php84/sbin/php-fpm"), "php-fpm");
  assertEquals(maybeKindOfProgram("/usr/bin/php8.4"), undefined);
  assertEquals(maybeKindOfProgram(""), undefined);
});

Deno.test("phpVersionKey() reads the version wherever it stands", () => {
  const keys = {
    "php8.4-fpm.service": "84",
    "php84-fpm": "84",
    "php84-php-fpm.service": "84",
    "/usr/sbin/php-fpm8.4": "84",
    "/opt/php84/etc/php84-fpm.conf": "84",
    "/etc/php/8.4/fpm/php-fpm.conf": "84",
    "/etc/opt/remi/php84/php-fpm.conf": "84",
    "/opt/plesk/php/8.4/etc/php-fpm.conf": "84",
    "php5-fpm": "5",
    "/etc/php-fpm.conf": "",
    "php-fpm": "",
  };
  for (const [text, key] of Object.entries(keys)) assertEquals(phpVersionKey(text), key, text);
});

Deno.test("maybeConfPath() finds the configuration that a command names", () => {
  assertEquals(maybeConfPath("nginx", ["-g", "daemon on;", "-c", "/srv/nginx.conf"]), "/srv/nginx.conf");
  assertEquals(maybeConfPath("php-fpm", ["--nodaemonize", "--fpm-config", "/etc/a.conf"]), "/etc/a.conf");
  assertEquals(maybeConfPath("php-fpm", ["--fpm-config=/etc/a.conf"]), "/etc/a.conf");
  assertEquals(maybeConfPath("php-fpm", ["-y", "/etc/a.conf"]), "/etc/a.conf");
  // For php-fpm -c is its php.ini.
  assertEquals(maybeConfPath("php-fpm", ["-c", "/etc/php.ini"]), undefined);
  assertEquals(maybeConfPath("nginx", ["-c"]), undefined);
});

const VERSIONS = [
  ["nginx", "nginx version: nginx/1.22.1\n", "1.22.1"],
  ["nginx", "nginx version: nginx/1.18.0 (Ubuntu)\n", "1.18.0"],
  ["nginx", "nginx version: openresty/1.21.4.1\n", "openresty 1.21.4.1"],
  ["nginx", "nginx: [alert] could not open error log file\nnginx version: nginx/1.22.1\n", "1.22.1"],
  ["php-fpm", "PHP 8.2.32 (fpm-fcgi) (built: Jul 30 2026 10:11:12)\nZend Engine v4.2.32\n", "8.2.32"],
  ["php-fpm", "PHP Warning:  PHP Startup: cannot load x\nPHP 8.4.0RC1 (fpm-fcgi) (built: x)\n", "8.4.0RC1"],
] as const;
for (const [kind, text, version] of VERSIONS) {
  Deno.test(`parseVersion() reads ${version} of ${kind} from ${JSON.stringify(text.slice(0, 40))}`, () => {
    assertEquals(parseVersion(kind, text, "x -v"), version);
  });
}

Deno.test("parseVersion() refuses what tells no version", () => {
  for (const [kind, text] of [["nginx", ""], ["php-fpm", "PHP 8.2.32 (cli) (built: x)"]] as const) {
    assertThrows(() => parseVersion(kind, text, "x -v"), ParseError, 'Cannot parse "x -v": is ');
  }
});

Deno.test("parseVersion() reads or refuses 10 000 damaged answers", () => {
  for (const [kind, text] of [VERSIONS[0], VERSIONS[4]]) {
    assertReadsOrRefuses(text, (damaged) => void parseVersion(kind, damaged, "x -v"));
  }
});
