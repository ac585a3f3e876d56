import { assertEquals } from "@std/assert";
import { redactArguments } from "./redact.ts";

const ROWS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["a program", ["/usr/bin/mysql", "-psecret", "-hdb.example.org"], ["mysql"]],
  ["a script", ["/bin/bash", "/usr/local/bin/backboa", "backup"], ["bash", "backboa"]],
  ["inline code", ["php", "-r", "echo 'secret';"], ["php"]],
  ["a module", ["python3", "-m", "duplicity", "full", "s3://bucket"], ["python3", "duplicity"]],
  ["nginx", ["nginx: master process /usr/sbin/nginx -g daemon on;"], ["nginx: master process"]],
  ["an old worker", ["nginx: worker process is shutting down"], ["nginx: worker process is shutting down"]],
  ["php-fpm", ["php-fpm: master process (/etc/php/8.2/fpm/customer.conf)"], ["php-fpm: master process"]],
  ["a pool", ["php-fpm: pool shop.example.org"], ["php-fpm: pool pool1"]],
  ["another title", ["sshd: alice@pts/0"], ["sshd:"]],
  ["nothing", [], []],
];

for (const [name, argv, kept] of ROWS) {
  Deno.test(`redactArguments() keeps program and script of ${name}`, () => {
    assertEquals(redactArguments(argv, () => "pool1"), kept);
  });
}
