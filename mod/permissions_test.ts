import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type Permission,
  PERMISSION_KINDS,
  permissionFlags,
  PERMISSIONS,
  permittedValues,
} from "./permissions.ts";

Deno.test("PERMISSIONS grants nothing whole", () => {
  for (const { kind, value, why } of PERMISSIONS) {
    assert(PERMISSION_KINDS.includes(kind), `${kind} ${value}`);
    assert(why.length > 0, `${kind} ${value} says why`);
  }
  for (const flag of permissionFlags()) {
    assert(
      flag === "--no-prompt" || /^--allow-(read|write|run|net|env|sys)=[^,]+(,[^,]+)*$/.test(flag),
      flag,
    );
  }
});

Deno.test("PERMISSIONS lists each value once", () => {
  const entries = PERMISSIONS.map(({ kind, value }) => `${kind} ${value}`);
  assertEquals(entries, [...new Set(entries)]);
});

Deno.test("PERMISSIONS lets no folder be written that holds or is the proc mount", () => {
  for (const value of permittedValues("write")) {
    assert(!isInside("/run/loadweir/proc", value), `${value} holds the proc mount`);
    assert(!isInside(value, "/run/loadweir/proc"), `${value} is in the proc mount`);
  }
});

Deno.test("PERMISSIONS lets the sockets of instances be reached, which takes both reading and writing", () => {
  for (const kind of ["read", "write"] as const) {
    assert(permittedValues(kind).some((value) => isInside("/run/loadweir/metrics/web.sock", value)), kind);
    assert(!permittedValues(kind).some((value) => isInside("/run/loadweir/other.sock", value)), kind);
  }
});

Deno.test("PERMISSIONS lets no program be written that may be run, and no configuration", () => {
  for (const value of permittedValues("write")) {
    for (const program of permittedValues("run")) assert(!isInside(program, value), `${program} in ${value}`);
    for (const config of ["/etc/loadweir", "/root/.barracuda.cnf"]) assert(!isInside(config, value), value);
  }
});

Deno.test("PERMISSIONS lets every program that may be run be looked for", () => {
  const reads = permittedValues("read");
  for (const program of permittedValues("run")) {
    assert(reads.some((path) => program === path || program.startsWith(`${path}/`)), program);
  }
});

Deno.test("PERMISSIONS names each tool of /usr/bin in both spellings", () => {
  const programs = permittedValues("run");
  // Mailers have never been kept apart from /usr.
  const mailers = ["/usr/bin/s-nail", "/usr/bin/mail"];
  for (const program of programs.filter((path) => path.startsWith("/usr/bin/") && !mailers.includes(path))) {
    assert(programs.includes(program.slice("/usr".length)), program);
  }
});

Deno.test("permissionFlags() makes one flag a kind and none where nothing is granted", () => {
  const permissions: Permission[] = [
    { kind: "sys", value: "loadavg", why: "x" },
    { kind: "read", value: "/etc/a", why: "x" },
    { kind: "sys", value: "cpus", why: "x" },
  ];
  assertEquals(permissionFlags(permissions), [
    "--no-prompt",
    "--allow-read=/etc/a",
    "--allow-sys=loadavg,cpus",
  ]);
  assertEquals(permissionFlags([]), ["--no-prompt"]);
});

const WIDER_THAN_THEY_LOOK: readonly (readonly [string, Omit<Permission, "why">])[] = [
  ["an empty value, which would grant the kind whole", { kind: "run", value: "" }],
  ["a comma, which would be two values", { kind: "read", value: "/etc/a,/" }],
  ["a wildcard", { kind: "env", value: "LOADWEIR_*" }],
  ["the root folder", { kind: "read", value: "/" }],
  ["a program by name, which PATH would decide", { kind: "run", value: "ps" }],
  ["a relative path", { kind: "write", value: "recordings" }],
];
for (const [name, permission] of WIDER_THAN_THEY_LOOK) {
  Deno.test(`permissionFlags() refuses ${name}`, () => {
    assertThrows(
      () => permissionFlags([{ ...permission, why: "x" }]),
      RangeError,
      `Cannot grant ${permission.kind}`,
    );
  });
}

/** Whether a path is a folder or lies in it. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
