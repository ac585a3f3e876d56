import { assertEquals } from "@std/assert";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { parseDirectives } from "./directive.ts";

const CONF = `user www-data;
error_log "/var/log/nginx/own error.log" notice; # error_log /nowhere;
http {
    error_log /var/log/nginx/http.log;
    server { location / { return 200 "a;b"; } }
}
pid /run/nginx.pid;
`;

Deno.test("parseDirectives() gives names, arguments and the depth of each", () => {
  assertEquals([...parseDirectives(CONF)].map(({ name, args, depth }) => [depth, name, ...args]), [
    [0, "user", "www-data"],
    [0, "error_log", "/var/log/nginx/own error.log", "notice"],
    [1, "error_log", "/var/log/nginx/http.log"],
    [3, "return", "200", "a;b"],
    [0, "pid", "/run/nginx.pid"],
  ]);
});

Deno.test("parseDirectives() says where each begins", () => {
  for (const { name, index } of parseDirectives(CONF)) {
    assertEquals(CONF.slice(index, index + name.length), name);
  }
});

Deno.test("parseDirectives() takes what is cut short or has a block for no directive", () => {
  for (const text of ["", ";", "user", "events {}", "}}", "# user x;"]) {
    assertEquals([...parseDirectives(text)], [], text);
  }
  assertEquals([...parseDirectives("} user x;")].map(({ depth }) => depth), [0]);
});

Deno.test("parseDirectives() never throws on 10 000 damaged configurations", () => {
  assertReadsOrRefuses(CONF, (text) => void [...parseDirectives(text)]);
});
