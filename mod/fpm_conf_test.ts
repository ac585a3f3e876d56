import { assertEquals } from "@std/assert";
import { parseFpmConf } from "./fpm_conf.ts";
import { assertReadsOrRefuses } from "./testing/mutations.ts";

const CONF = `; [comment]
[global]
pid = /run/php/php8.2-fpm.pid
;include=/not/this
include=/etc/php/8.2/fpm/pool.d/*.conf
include = "/srv/pools/*.conf" ; more
[www]
listen = /run/php/www.sock
[site_example.org]
pm = ondemand
`;

Deno.test("parseFpmConf() names pools and includes", () => {
  assertEquals(parseFpmConf(CONF), {
    pools: ["www", "site_example.org"],
    includes: ["/etc/php/8.2/fpm/pool.d/*.conf", "/srv/pools/*.conf"],
  });
});

Deno.test("parseFpmConf() finds nothing in an empty file", () => {
  assertEquals(parseFpmConf(""), { pools: [], includes: [] });
});

Deno.test("parseFpmConf() never throws on 10 000 damaged configurations", () => {
  assertReadsOrRefuses(CONF, (text) => void parseFpmConf(text));
});
