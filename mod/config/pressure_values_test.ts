import { assertEquals } from "@std/assert";
import {
  CPUS,
  CPUS_OR_AUTO,
  MARGIN,
  MAYBE_ARGUMENT,
  MAYBE_METRIC_NAME,
  MAYBE_PID_FILE,
  MAYBE_TEMPLATE,
  MAYBE_UNIT,
  PART,
  QUEUE_SOURCE,
} from "./pressure_values.ts";
import type { ValueType } from "./values.ts";

/** What a text is written as when it was read; undefined where it is refused. */
function again<T>({ maybeRead, render }: ValueType<T>): (text: string) => string | undefined {
  return (text) => {
    const read = maybeRead(text);
    return read && render(read.value);
  };
}

const ROWS: readonly (readonly [
  string,
  (text: string) => string | undefined,
  readonly string[],
  readonly string[],
])[] = [
  ["PART", again(PART), ["0.0001", "0.9", "1"], ["0", "1.0001", "-0.5", "50%", "0,5", ""]],
  ["MARGIN", again(MARGIN), ["0", "0.1", "0.9999"], ["1", "-0.1", ""]],
  ["CPUS", again(CPUS), ["0.5", "1", "4096"], ["0", "4097", "2 CPUs", ""]],
  ["CPUS_OR_AUTO", again(CPUS_OR_AUTO), ["0", "0.5", "4096"], ["4097", "-1", "auto", ""]],
  ["MAYBE_UNIT", again(MAYBE_UNIT), [
    "",
    "nginx.service",
    "web@1.service",
    "system-php\\x2dfpm.service",
    "a@b@c.service",
  ], [
    "nginx",
    "web@.service",
    "-x.service",
    "a b.service",
    "a*.service",
    "a/b.service",
    "x.slice",
    ".service",
  ]],
  ["MAYBE_TEMPLATE", again(MAYBE_TEMPLATE), ["", "web@.service", "a.b-c@.service"], [
    "web.service",
    "web@1.service",
    "web@",
    "-w@.service",
    "w*@.service",
    "@.service",
  ]],
  ["MAYBE_PID_FILE", again(MAYBE_PID_FILE), ["", "/run/web.pid", "/run/web/a.b.pid"], [
    "/var/run/web.pid",
    "/run/../etc/x.pid",
    "/run/web",
    "run/web.pid",
    "/run/a b.pid",
    "/run/.pid/",
  ]],
  ["MAYBE_METRIC_NAME", again(MAYBE_METRIC_NAME), ["", "a", "_a:b9", "x".repeat(200)], [
    "9a",
    "a-b",
    'a{b="c"}',
    "a b",
    "é",
    "x".repeat(201),
  ]],
  ["MAYBE_ARGUMENT", again(MAYBE_ARGUMENT), ["", "server.js", "it's", 'a "b"'], [
    "a\tb",
    `'"`,
    "x".repeat(1_001),
  ]],
  ["QUEUE_SOURCE", again(QUEUE_SOURCE), ["none", "php-fpm", "instances"], ["", "fpm"]],
];

for (const [name, write, good, bad] of ROWS) {
  Deno.test(`${name} writes what it reads, and refuses all else`, () => {
    for (const text of good) assertEquals(write(text), text);
    for (const text of bad) assertEquals(write(text), undefined, text);
  });
}

Deno.test("MAYBE_UNIT and MAYBE_TEMPLATE end where the names of systemd do", () => {
  const stem = "x".repeat(255 - "@.service".length);
  assertEquals(MAYBE_TEMPLATE.maybeRead(`${stem}@.service`)?.value.length, 255);
  assertEquals(MAYBE_TEMPLATE.maybeRead(`x${stem}@.service`), undefined);
  assertEquals(MAYBE_UNIT.maybeRead(`x${stem}.service`)?.value.length, 255);
  assertEquals(MAYBE_UNIT.maybeRead(`xx${stem}.service`), undefined);
});
