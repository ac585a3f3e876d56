import { assertEquals, assertMatch } from "@std/assert";
import { readPressure, readSome10 } from "./psi.ts";

const CASES = new URL("../fixtures/cases/", import.meta.url).pathname;

Deno.test("readSome10() reads the pressure of a proc root", () => {
  const reading = readSome10(`${CASES}c25-psi-irq-full-only/proc`, "cpu");
  assertEquals(reading, { kind: "ok", value: 0.1 });
});

Deno.test("readPressure() says what a kernel without PSI needs", () => {
  const reading = readPressure(`${CASES}c25-psi-irq-full-only/proc/pressure`, "io");
  assertEquals(reading.kind, "absent");
  assertMatch(
    reading.kind === "absent" ? reading.reason : "",
    /^Cannot read ".*\/pressure\/io": not supported by this kernel, needs Linux 4\.20 with CONFIG_PSI, or boot with psi=1$/,
  );
});

Deno.test("readPressure() takes files that open and then fail with EOPNOTSUPP for a kernel without PSI", () => {
  const readTextFileSync = Deno.readTextFileSync;
  Deno.readTextFileSync = (): string => {
    throw new Error("Operation not supported (os error 95)");
  };
  try {
    assertEquals(readPressure("/proc/pressure", "cpu").kind, "absent");
  } finally {
    Deno.readTextFileSync = readTextFileSync;
  }
});

Deno.test("readPressure() reports an empty file as a failure, not as no pressure", () => {
  const folder = Deno.makeTempDirSync();
  Deno.writeTextFileSync(`${folder}/memory`, "");
  assertEquals(readPressure(folder, "memory").kind, "failed");
  Deno.removeSync(folder, { recursive: true });
});
