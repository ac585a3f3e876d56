import { assertEquals } from "@std/assert";
import type { CheckFindings, ShippedFinding } from "../check/findings.ts";
import { judge } from "../check/verdict.ts";
import { GOOD_HOST } from "../testing/check.ts";
import { mountLines, shippedLines } from "./check_shipped.ts";

const UNIT: ShippedFinding = {
  name: "unit",
  path: "/etc/systemd/system/loadweir.service",
  state: "current",
  isTheirs: false,
  cure: "loadweir print unit >/etc/systemd/system/loadweir.service",
  why: undefined,
};
const AUDIT_UNIT: ShippedFinding = { ...UNIT, name: "audit-unit", path: "/etc/x-audit.service" };

function withFiles(...shipped: readonly ShippedFinding[]): CheckFindings {
  return { ...GOOD_HOST, shipped };
}

Deno.test("shippedLines() makes no fault of a host that is only audited", () => {
  const findings = withFiles(AUDIT_UNIT, { ...UNIT, state: "absent" });
  assertEquals(shippedLines(findings), [
    "audit-unit /etc/x-audit.service: as this binary prints it",
    "not installed: unit; `loadweir print NAME` has them",
  ]);
  assertEquals(judge(findings).exitCode, 0);
});

Deno.test("shippedLines() says how to renew what is not as it is printed", () => {
  assertEquals(shippedLines(withFiles({ ...UNIT, state: "differs" })), [
    "unit /etc/systemd/system/loadweir.service: not as this binary prints it",
    "  to renew it, as root: loadweir print unit >/etc/systemd/system/loadweir.service",
  ]);
  assertEquals(
    shippedLines(withFiles({ ...UNIT, name: "nginx-block", state: "differs", isTheirs: true }))[0],
    "nginx-block /etc/systemd/system/loadweir.service: not as this binary prints it, which is yours to change",
  );
  assertEquals(shippedLines(withFiles({ ...UNIT, state: "unreadable", why: "no" })), [
    "unit /etc/systemd/system/loadweir.service: no",
  ]);
});

Deno.test("mountLines() says that the agent of a unit makes its own proc root", () => {
  const sensors = { ...GOOD_HOST.sensors, procRoot: undefined };
  const first = (finding: ShippedFinding): string | undefined =>
    mountLines({ ...withFiles(finding), sensors })[0];
  assertEquals(
    first({ ...UNIT, state: "differs" }),
    "there is no proc root here; the agent makes its own. For this shell, until the next boot, as root:",
  );
  const none = "there is no proc root; this makes one until the next boot, as root:";
  assertEquals([first(AUDIT_UNIT), first({ ...UNIT, state: "absent" })], [none, none]);
  assertEquals(mountLines(withFiles(UNIT)), []);
});
