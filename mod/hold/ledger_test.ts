import { assertEquals, assertThrows } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { FULL_LEDGER } from "../testing/ledger.ts";
import { type Ledger, parseLedger, renderLedger } from "./ledger.ts";

const EMPTY: Ledger = {
  bootId: "b",
  writtenBootMs: 0,
  writtenWallMs: 0,
  hold: undefined,
  crawlerBlock: undefined,
  ladder: undefined,
  byHand: undefined,
  drain: undefined,
};

Deno.test("parseLedger() reads what renderLedger() writes", () => {
  for (const ledger of [FULL_LEDGER, EMPTY]) assertEquals(parseLedger(renderLedger(ledger), "x"), ledger);
});

Deno.test("renderLedger() writes members in one order, whatever order they came in", () => {
  function reversed(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).reverse().map(([key, member]) => [key, reversed(member)]),
    );
  }
  assertEquals(renderLedger(reversed(FULL_LEDGER) as Ledger), renderLedger(FULL_LEDGER));
});

Deno.test("renderLedger() begins with the version and ends with a line end", () => {
  const text = renderLedger(EMPTY);
  assertEquals(
    text,
    '{\n  "version": 1,\n  "bootId": "b",\n  "writtenBootMs": 0,\n  "writtenWallMs": 0\n}\n',
  );
});

Deno.test("parseLedger() reads or refuses every damaged text, and refuses all that are cut short", () => {
  const text = renderLedger(FULL_LEDGER);
  assertReadsOrRefuses(text, (damaged) => void renderLedger(parseLedger(damaged, "x")));
  for (let length = 0; length < text.length - 1; length++) {
    assertThrows(() => parseLedger(text.slice(0, length), "x"), ParseError);
  }
});

/** Changes the member at a path of the full ledger, as JSON; undefined takes it out. */
function changed(path: string, value: unknown): string {
  const ledger = JSON.parse(renderLedger(FULL_LEDGER));
  const keys = path.split(".");
  const last = keys.pop() ?? "";
  let place = ledger;
  for (const key of keys) place = place[key];
  if (value === undefined) delete place[last];
  else place[last] = value;
  return JSON.stringify(ledger);
}

for (
  const { path, value, problem } of [
    { path: "version", value: 2, problem: 'version is "2", expected 1' },
    { path: "version", value: undefined, problem: "version is missing" },
    { path: "bootId", value: "", problem: "bootId" },
    { path: "writtenBootMs", value: -1, problem: "writtenBootMs" },
    { path: "writtenBootMs", value: 0.5, problem: "writtenBootMs" },
    { path: "surprise", value: 1, problem: '"surprise" is not known' },
    { path: "hold", value: null, problem: "hold is no JSON object" },
    { path: "hold.reason", value: "because", problem: "expected max or crit or by-hand" },
    { path: "hold.expiresBootMs", value: "noon", problem: "hold.expiresBootMs" },
    { path: "hold.phase", value: undefined, problem: "hold.phase is missing" },
    { path: "hold.services", value: {}, problem: "hold.services" },
    { path: "hold.services.0.kind", value: "apache", problem: "hold.services[0].kind" },
    { path: "hold.services.0.manager", value: "openrc", problem: "hold.services[0].manager" },
    { path: "hold.services.1.name", value: "", problem: "hold.services[1].name" },
    { path: "hold.services.1.program", value: "php-fpm8.2", problem: "expected an absolute path" },
    { path: "hold.services.1.program", value: "/usr/sbin/x\0", problem: "hold.services[1].program" },
    { path: "hold.services.0.boundUnits", value: [1], problem: "hold.services[0].boundUnits" },
    { path: "hold.services.1.args", value: [1], problem: "hold.services[1].args" },
    { path: "hold.startedAgain", value: ["nginx.service", 7], problem: "hold.startedAgain" },
    { path: "crawlerBlock.ours", value: "yes", problem: "crawlerBlock.ours" },
    { path: "ladder.markers", value: ["max_load", "max_load"], problem: "ladder.markers" },
    { path: "ladder.markers", value: ["min_load"], problem: "ladder.markers" },
    { path: "ladder.futileAtPercent", value: -1, problem: "ladder.futileAtPercent" },
    { path: "ladder.hold.overdueReported", value: undefined, problem: "ladder.hold.overdueReported" },
  ]
) {
  Deno.test(`parseLedger() refuses ${path} ${JSON.stringify(value) ?? "left out"}`, () => {
    const error = assertThrows(() => parseLedger(changed(path, value), "/run/ledger.json"), ParseError);
    assertEquals(error.message.includes(problem), true, error.message);
    assertEquals(error.source, "/run/ledger.json");
  });
}

Deno.test("parseLedger() gives back any ledger that was rendered", () => {
  const name = fc.string({ minLength: 1, unit: "binary" }).map((text) => text.replaceAll("\0", "x"));
  const count = fc.maxSafeNat();
  fc.assert(
    fc.property(name, fc.array(fc.string({ unit: "binary" })), count, fc.constantFrom("max", "crit"), (
      name,
      args,
      count,
      reason,
    ) => {
      const hold = FULL_LEDGER.hold;
      if (hold === undefined) throw new Error("the full ledger has a hold");
      const service = { kind: "nginx", manager: "sysv", name, program: undefined, args, confPath: undefined };
      const ledger = {
        ...FULL_LEDGER,
        writtenBootMs: count,
        hold: {
          ...hold,
          reason,
          text: args.join(" "),
          services: [service],
          startedAgain: [name],
          expiresBootMs: undefined,
        },
      } as Ledger;
      assertEquals(parseLedger(renderLedger(ledger), "x"), ledger);
    }),
    { numRuns: 1_000 },
  );
});
