import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { absent, failed, ok, type Reading } from "../../reading.ts";
import { saysOf } from "../../testing/probe.ts";
import { DEFAULT_THRESHOLDS } from "../thresholds.ts";
import { judgeProcessFiles, judgeSystemFiles, type ProcessFiles } from "./files.ts";

const { systemFilesPercent: SYSTEM, processFilesPercent: PROCESS } = DEFAULT_THRESHOLDS;

const SYSTEM_CASES = [
  { allocatedCount: 700, maxCount: 1000, says: "ok" },
  { allocatedCount: 701, maxCount: 1000, says: "warn" },
  { allocatedCount: 900, maxCount: 1000, says: "warn" },
  { allocatedCount: 901, maxCount: 1000, says: "drain" },
  { allocatedCount: 9_000_000, maxCount: "unlimited", says: "ok" },
] as const;

for (const { says, ...fileNr } of SYSTEM_CASES) {
  Deno.test(`judgeSystemFiles() says ${says} at ${fileNr.allocatedCount} of ${fileNr.maxCount}`, () => {
    assertEquals(saysOf(judgeSystemFiles(ok(fileNr), SYSTEM)), says);
  });
}

Deno.test("judgeSystemFiles() tells the figures and the level", () => {
  const result = judgeSystemFiles(ok({ allocatedCount: 90_001, maxCount: 100_000 }), SYSTEM);
  assertEquals(result, {
    state: "bad",
    severity: "drain",
    evidence: "90001 of 100000 open files, 90.001 %, over 90 %",
    numbers: { count: 90_001, limitCount: 100_000, percent: 90.001 },
  });
});

Deno.test("judgeSystemFiles() names no share where there is no limit", () => {
  const { evidence } = judgeSystemFiles(ok({ allocatedCount: 413, maxCount: "unlimited" }), SYSTEM);
  assertEquals(evidence, "413 open files, without a limit");
});

Deno.test("judgeSystemFiles() knows nothing without a reading", () => {
  assertEquals(judgeSystemFiles(absent("no proc root"), SYSTEM), {
    state: "unknown",
    evidence: "no proc root",
  });
  assertEquals(saysOf(judgeSystemFiles(failed("cut"), SYSTEM)), "unknown");
});

Deno.test("judgeSystemFiles() never says better of more open files", () => {
  const order = ["ok", "warn", "drain"];
  fc.assert(fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1 }), (allocatedCount, more, maxCount) => {
    const few = saysOf(judgeSystemFiles(ok({ allocatedCount, maxCount }), SYSTEM));
    const many = saysOf(judgeSystemFiles(ok({ allocatedCount: allocatedCount + more, maxCount }), SYSTEM));
    assert(order.indexOf(many) >= order.indexOf(few));
  }));
});

function server(
  openCount: number,
  limit: number | "unlimited",
  name = "nginx worker 813",
): Reading<ProcessFiles> {
  return ok({ name, openCount, limits: { openFilesSoftCount: limit } });
}

const PROCESS_CASES = [
  { what: "at 85 %", servers: [server(870, 1024)], says: "ok" },
  { what: "over 85 %", servers: [server(871, 1024)], says: "warn" },
  { what: "at 95 %", servers: [server(95, 100)], says: "warn" },
  { what: "over 95 %, whatever the others do", servers: [server(1, 1024), server(973, 1024)], says: "drain" },
  { what: "without a limit", servers: [server(1_000_000, "unlimited")], says: "ok" },
  { what: "with a limit of 0", servers: [server(3, 0)], says: "unknown" },
  { what: "of one that could not be read", servers: [server(1, 1024), failed("gone")], says: "unknown" },
  {
    what: "over 95 % beside one that could not be read",
    servers: [failed("gone"), server(99, 100)],
    says: "drain",
  },
  { what: "of no server", servers: [], says: "unknown" },
] as const;

for (const { what, servers, says } of PROCESS_CASES) {
  Deno.test(`judgeProcessFiles() says ${says} ${what}`, () => {
    assertEquals(saysOf(judgeProcessFiles(ok(servers), PROCESS)), says);
  });
}

Deno.test("judgeProcessFiles() names the server", () => {
  const { evidence } = judgeProcessFiles(
    ok([server(1, 1024), server(1020, 1024, "php-fpm pool www 900")]),
    PROCESS,
  );
  assertEquals(evidence, "php-fpm pool www 900: 1020 of 1024 open files, 99.61 %, over 95 %");
});
