import { assertEquals } from "@std/assert";
import { incidentLogPath, type MailPolicy, whyNotMailed } from "./policy.ts";

const POLICY: MailPolicy = {
  incidentReport: "CRIT",
  incidentEmail: "admin@example.org",
  incidentUptimeGraceMs: 900_000,
};

Deno.test("whyNotMailed() mails an ALERT at CRIT and ALL, and nothing at OFF or to nobody", () => {
  const calm = { uptimeMs: 900_000, busyWith: [] };
  assertEquals(whyNotMailed(POLICY, calm), undefined);
  assertEquals(whyNotMailed({ ...POLICY, incidentReport: "ALL" }, calm), undefined);
  assertEquals(whyNotMailed({ ...POLICY, incidentReport: "OFF" }, calm), "[incident] report is OFF");
  assertEquals(whyNotMailed({ ...POLICY, incidentEmail: "" }, calm), "[incident] email is empty");
});

Deno.test("whyNotMailed() holds mails back on a host that just booted, up to the configured time", () => {
  const booted = { uptimeMs: 899_999, busyWith: [] };
  assertEquals(whyNotMailed(POLICY, booted), "the host booted less than 15 m ago");
  assertEquals(whyNotMailed({ ...POLICY, incidentUptimeGraceMs: 0 }, booted), undefined);
  assertEquals(whyNotMailed(POLICY, { uptimeMs: undefined, busyWith: [] }), undefined);
});

Deno.test("whyNotMailed() holds mails back while the host is busy, and says with what", () => {
  assertEquals(
    whyNotMailed(POLICY, { uptimeMs: undefined, busyWith: ["an upgrade", "a backup"] }),
    "an upgrade; a backup",
  );
});

Deno.test("incidentLogPath() is BOA's log on its hosts, and what the configuration says anywhere", () => {
  assertEquals(incidentLogPath({ incidentLogPath: undefined }, false), "/var/log/loadweir/incident.log");
  assertEquals(incidentLogPath({ incidentLogPath: undefined }, true), "/var/log/boa/high.load.incident.log");
  assertEquals(
    incidentLogPath({ incidentLogPath: "/var/log/loadweir/x.log" }, true),
    "/var/log/loadweir/x.log",
  );
});
