import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "./errors.ts";
import { parseFpmListen, parseFpmPools } from "./fpm_pools.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "./testing/mutations.ts";

function fixture(name: string): string {
  return Deno.readTextFileSync(new URL(`../fixtures/fpm/${name}`, import.meta.url));
}

const OUTPUT = fixture("test_output");

Deno.test("parseFpmPools() reads the pools of PHP 8.2", () => {
  assertEquals(parseFpmPools(OUTPUT), [
    {
      name: "www",
      listen: { kind: "tcp", host: "127.0.0.1", port: 9000 },
      processManager: "static",
      maxChildrenCount: 7,
      statusPath: "/status",
      statusListen: { kind: "unix", path: "/run/php/status.sock" },
      backlogCount: 511,
    },
    {
      name: "b-c.d",
      listen: { kind: "unix", path: "/run/a b.sock" },
      processManager: "ondemand",
      maxChildrenCount: 70,
      statusPath: undefined,
      statusListen: undefined,
      backlogCount: undefined,
    },
  ]);
});

const LISTENS = [
  { text: "/run/php/php8.2-fpm.sock", listen: { kind: "unix", path: "/run/php/php8.2-fpm.sock" } },
  { text: "9000", listen: { kind: "tcp", host: undefined, port: 9000 } },
  { text: "*:9000", listen: { kind: "tcp", host: undefined, port: 9000 } },
  { text: "127.0.0.1:9000", listen: { kind: "tcp", host: "127.0.0.1", port: 9000 } },
  { text: "localhost:9000", listen: { kind: "tcp", host: "localhost", port: 9000 } },
  { text: "[::1]:9000", listen: { kind: "tcp", host: "::1", port: 9000 } },
  { text: "php.sock", listen: { kind: "unclear", text: "php.sock" } },
  { text: "127.0.0.1:0", listen: { kind: "unclear", text: "127.0.0.1:0" } },
  { text: "127.0.0.1:70000", listen: { kind: "unclear", text: "127.0.0.1:70000" } },
] as const;

for (const { text, listen } of LISTENS) {
  Deno.test(`parseFpmListen() reads ${text}`, () => {
    assertEquals(parseFpmListen(text), listen);
  });
}

const REFUSED = [
  { what: "nothing, as a high log_level prints", text: "", says: "with a log_level above notice" },
  {
    what: "a configuration that is wrong",
    text: "[29-Nov-2026 23:40:00] ERROR: No pool defined. at least one pool section must be specified",
    says: "No pool defined",
  },
  { what: "a cut output", text: fixture("test_output.truncated"), says: 'pm of pool "www" is missing' },
  {
    what: "a number of processes that is none",
    text: OUTPUT.replace("pm.max_children = 7", "pm.max_children = 0"),
    says: 'pm.max_children of pool "www" is "0", expected a whole number from 1',
  },
  {
    what: "a pool without a socket",
    text: OUTPUT.replace("listen = /run/a b.sock", "listen = undefined"),
    says: 'listen of pool "b-c.d" is "undefined", expected a socket',
  },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parseFpmPools() refuses ${what}`, () => {
    assertThrows(() => parseFpmPools(text), ParseError, says);
  });
}

Deno.test("parseFpmPools() reads or refuses any damaged output", () => {
  assertReadsOrRefuses(OUTPUT, (text) => assertSoundNumbers(parseFpmPools(text)));
});
