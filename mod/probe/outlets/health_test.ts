import { assert, assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { aVerdict, RESULTS, SITE } from "../../testing/probe.ts";
import { bad, fine } from "../check.ts";
import type { CheckReport, ProbeVerdict } from "../verdict.ts";
import { renderHealth, renderLiveness } from "./health.ts";
import type { Published } from "./published.ts";

function published(verdict: ProbeVerdict | undefined, ageMs = 900): Published {
  return { verdict, ageMs, tickMs: 5_000, crawlerBlock: false };
}

const CHECKS: readonly CheckReport[] = [
  {
    id: SITE,
    action: "drain",
    settled: "ok",
    isUnproven: false,
    result: fine("200 in 12 ms", { tookMs: 12 }),
  },
  {
    id: "swap",
    action: "drain",
    settled: "drain",
    isUnproven: false,
    result: bad("drain", "1.20 % of swap free", { swapFreePercent: 1.2 }),
  },
  {
    id: "database",
    action: "warn",
    settled: "drain",
    isUnproven: false,
    result: bad("drain", "no greeting"),
  },
  { id: "conntrack", action: "drain", settled: "warn", isUnproven: false, result: fine("12 of 100") },
  { id: "fpm-dead", action: "drain", settled: "untried", isUnproven: false, result: RESULTS.u },
];

Deno.test("renderHealth() tells the verdict and every check", () => {
  const verdict = aVerdict({
    phase: "drained",
    reason: "check-failed",
    text: "swap: 1.20 % of swap free",
    checks: CHECKS,
  });
  const { status, body } = renderHealth(published(verdict));
  assertEquals(status, 503);
  assertEquals(JSON.parse(body), {
    status: "fail",
    phase: "drained",
    reason: "check-failed",
    notes: ["a check has failed"],
    output: "swap: 1.20 % of swap free",
    ageMs: 900,
    checks: {
      [SITE]: [{ status: "pass", seen: "ok", output: "200 in 12 ms", observedValue: { tookMs: 12 } }],
      "swap": [{
        status: "fail",
        seen: "bad",
        output: "1.20 % of swap free",
        observedValue: { swapFreePercent: 1.2 },
      }],
      "database": [{ status: "warn", seen: "bad", output: "no greeting", observedValue: {} }],
      "conntrack": [{ status: "warn", seen: "ok", output: "12 of 100", observedValue: {} }],
      "fpm-dead": [{ seen: "unknown", output: "not seen" }],
    },
  });
});

const STATUSES = [
  { what: "a host that serves", published: published(aVerdict()), status: 200, word: "pass" },
  {
    what: "a host that serves and warns",
    published: published(aVerdict({ reason: "warned" })),
    status: 200,
    word: "warn",
  },
  {
    what: "a host that is kept in by hand",
    published: published(aVerdict({ reason: "kept-in-by-hand" })),
    status: 200,
    word: "warn",
  },
  {
    what: "a host that starts",
    published: published(aVerdict({ phase: "starting", reason: "not-proven-yet" })),
    status: 503,
    word: "fail",
  },
  {
    what: "a host that is out",
    published: published(aVerdict({ phase: "drained", reason: "web-paused" })),
    status: 503,
    word: "fail",
  },
  { what: "a host not looked at yet", published: published(undefined), status: 503, word: "fail" },
  {
    what: "a good verdict that is too old",
    published: published(aVerdict(), 15_001),
    status: 503,
    word: "fail",
  },
];

for (const { what, published, status, word } of STATUSES) {
  Deno.test(`renderHealth() gives ${status} for ${what}`, () => {
    const page = renderHealth(published);
    assertEquals([page.status, JSON.parse(page.body).status], [status, word]);
  });
}

Deno.test("renderHealth() says how old a verdict is that does not count any more", () => {
  assertEquals(
    JSON.parse(renderHealth(published(aVerdict(), 42_400)).body).output,
    "the last look was 42 s ago",
  );
});

Deno.test("renderLiveness() asks after the loop alone", () => {
  const ill = aVerdict({ phase: "drained", reason: "check-failed", text: "ill" });
  assertEquals(renderLiveness(published(ill)).status, 200);
  assertEquals(renderLiveness(published(ill, 15_001)).status, 503);
  assertEquals(renderLiveness(published(undefined)).status, 503);
});

Deno.test("renderHealth() writes ASCII that reads back as it was", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
    const { body } = renderHealth(published(aVerdict({ phase: "drained", reason: "drained-by-hand", text })));
    assert(/^[ -~]*\n$/.test(body));
    assertEquals(JSON.parse(body).output ?? "", text);
  }));
});
