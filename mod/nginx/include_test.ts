import { assertEquals } from "@std/assert";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { parseIncludes, resolveInclude } from "./include.ts";

const CONF = `user www-data;
# include /etc/nginx/comment;
include /etc/nginx/modules-enabled/*.conf;
http {
    log_format main '$remote_addr "include /etc/nginx/quoted;" ';
    include mime.types; include "conf.d/with blank.conf";
    server { server_name include; return 200 "#"; include
        sites/$host-\${x}/*.conf;
    }
}
`;

Deno.test("parseIncludes() finds directives with their lines, in whatever layout", () => {
  assertEquals(parseIncludes(CONF), [
    { pattern: "/etc/nginx/modules-enabled/*.conf", line: 3 },
    { pattern: "mime.types", line: 6 },
    { pattern: "conf.d/with blank.conf", line: 6 },
    { pattern: "sites/$host-${x}/*.conf", line: 7 },
  ]);
});

Deno.test("parseIncludes() takes for one neither an argument nor a block nor a text without end", () => {
  for (
    const text of [
      "add_header x include /a;",
      "include /a { }",
      "include /a",
      "include ;",
      "",
      "#include /a;",
    ]
  ) {
    assertEquals(parseIncludes(text), [], text);
  }
});

Deno.test("parseIncludes() keeps a comment sign inside a word", () => {
  assertEquals(parseIncludes("rewrite ^/a#b /c; include /d;"), [{ pattern: "/d", line: 1 }]);
});

Deno.test("parseIncludes() never throws on 10 000 damaged configurations", () => {
  assertReadsOrRefuses(CONF, (text) => void parseIncludes(text));
});

Deno.test("resolveInclude() counts relative paths from the folder of the main configuration", () => {
  assertEquals(resolveInclude("conf.d//*.conf", "/etc/nginx"), "/etc/nginx/conf.d/*.conf");
  assertEquals(resolveInclude("/srv/a", "/etc/nginx"), "/srv/a");
});
