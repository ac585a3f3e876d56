import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { isGlob, matchesGlob } from "./glob.ts";

const MATCHES: readonly (readonly [string, string, boolean])[] = [
  ["/etc/a.conf", "/etc/a.conf", true],
  ["/etc/a.conf", "/etc/axconf", false],
  ["/etc/*", "/etc/a", true],
  ["/etc/*", "/etc/a/b", false],
  ["/etc/*", "/etc/.a", false],
  ["/etc/.*", "/etc/.a", true],
  ["/etc/*/b", "/etc/a/b", true],
  ["/data/nginx_high_load.c*", "/data/nginx_high_load.conf", true],
  ["/data/nginx_high_load.c*", "/data/nginx_high_load_off.conf", false],
  ["/data/nginx_high_load*.conf", "/data/nginx_high_load_off.conf", true],
  ["/etc/?.conf", "/etc/a.conf", true],
  ["/etc/?.conf", "/etc/ab.conf", false],
  ["/etc/[a-c]x", "/etc/bx", true],
  ["/etc/[!a-c]x", "/etc/bx", false],
  ["/etc/[^a-c]x", "/etc/dx", true],
  ["/etc/[]]x", "/etc/]x", true],
  ["/etc/[x*", "/etc/[xy", true],
  ["/etc/[z-a]*", "/etc/z", false],
  ["/etc/a+(b)*", "/etc/a+(b)c", true],
  ["/etc/\\**", "/etc/*a", true],
  ["/etc/\\**", "/etc/a", false],
];
for (const [pattern, path, expected] of MATCHES) {
  Deno.test(`matchesGlob() says ${expected ? "yes" : "no"} to ${pattern} for ${path}`, () => {
    assertEquals(matchesGlob(pattern, path), expected);
  });
}

Deno.test("matchesGlob() never throws, and a path without pattern characters stands for itself alone", () => {
  const text = fc.string({ unit: fc.constantFrom(..."ab.*?[]!^-\\/({+$|"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (pattern, path) => {
      const matches = matchesGlob(pattern, path);
      if (!isGlob(pattern)) assertEquals(matches, pattern === path);
    }),
    { numRuns: 10_000 },
  );
});
