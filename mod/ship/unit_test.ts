import { assert, assertEquals } from "@std/assert";
import { UFW_FILES } from "../drain/ufw_rules.ts";
import { permittedValues } from "../permissions.ts";
import { RELEASE_DEADLINE_MS, STOP_TIMEOUT_S } from "./deadlines.ts";
import { AUDIT_UNIT, UNIT } from "./unit.ts";

/** The values of a setting, one for each time that it is there. */
function valuesOf(unit: string, key: string): readonly string[] {
  return unit.split("\n").filter((line) => line.startsWith(`${key}=`)).map((line) =>
    line.slice(key.length + 1)
  );
}

/** Folders that the unit leaves writable. */
const WRITABLE = [
  ...valuesOf(UNIT, "ReadWritePaths").flatMap((value) => value.split(" ")).map((path) =>
    path.replace(/^-/, "")
  ),
  ...valuesOf(UNIT, "RuntimeDirectory").map((name) => `/run/${name}`),
  ...valuesOf(UNIT, "StateDirectory").map((name) => `/var/lib/${name}`),
  ...valuesOf(UNIT, "LogsDirectory").map((name) => `/var/log/${name}`),
];

Deno.test("UNIT leaves writable what the binary may write, but for the rules of ufw", () => {
  const closed = permittedValues("write").filter((path) =>
    !WRITABLE.some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
  const ufw = Object.values(UFW_FILES);
  assertEquals(closed.filter((path) => !ufw.some((file) => path.startsWith(file))), []);
  assertEquals(closed.length > 0, true);
});

Deno.test("UNIT makes each folder of the agent's own", () => {
  assertEquals(WRITABLE.slice(-3), ["/run/loadweir/state", "/var/lib/loadweir", "/var/log/loadweir"]);
});

Deno.test("UNIT waits for longer than the agent takes to give back, and a reload of ufw after that", () => {
  assert(STOP_TIMEOUT_S * 1000 > RELEASE_DEADLINE_MS + 75_000);
  assertEquals(valuesOf(UNIT, "TimeoutStopSec"), [String(STOP_TIMEOUT_S)]);
});

Deno.test("AUDIT_UNIT has no capability, writes nowhere and reaches nothing", () => {
  assertEquals(valuesOf(AUDIT_UNIT, "CapabilityBoundingSet"), [""]);
  assertEquals(valuesOf(AUDIT_UNIT, "ReadWritePaths"), []);
  assertEquals(valuesOf(AUDIT_UNIT, "ProtectSystem"), ["strict"]);
  assertEquals(valuesOf(AUDIT_UNIT, "PrivateNetwork"), ["yes"]);
});
