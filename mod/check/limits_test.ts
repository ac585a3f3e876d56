import { assert, assertEquals } from "@std/assert";
import type { CheckFindings } from "./findings.ts";
import { absent } from "../reading.ts";
import { aUnitState, GOOD_HOST, NGINX_SERVICE } from "../testing/check.ts";
import { limitsOf } from "./limits.ts";

const { block, config, host, sandbox, sensors, web } = GOOD_HOST;
const NO_PROC_ROOT = { ...sensors, procRoot: undefined };
const { file } = NGINX_SERVICE;
assert(file !== undefined);
const MASKED = {
  ...NGINX_SERVICE,
  file: { ...file, state: aUnitState("nginx.service", { loadState: "masked" }) },
};
const GATE = sensors.sample.gate;
assert(GATE !== undefined);

const [UNIT] = GOOD_HOST.shipped;
assert(UNIT !== undefined);

const CASES: readonly (readonly [string, Partial<CheckFindings>, readonly string[]])[] = [
  ["nothing of a good host", {}, []],
  [
    "a configuration that is unusable",
    { config: { ...config, standIn: { kind: "last-good", takenAt: "2026-11-29T19:31:05Z" } } },
    ["config-unusable"],
  ],
  ["a block that is absent", { block: { ...block, state: "absent" } }, ["crawler-block"]],
  ["a unit that is masked", { web: { ...web, services: [MASKED] } }, ["not-restartable"]],
  ["the lack of a proc root", { sensors: NO_PROC_ROOT, shipped: [] }, ["no-signals"]],
  [
    "nothing of a shell without proc root where the agent is a unit, which makes its own",
    { sensors: NO_PROC_ROOT, shipped: [{ ...UNIT, state: "differs" }] },
    [],
  ],
  [
    "the lack of a proc root where the unit is not installed",
    { sensors: NO_PROC_ROOT, shipped: [{ ...UNIT, state: "absent" }] },
    ["no-signals"],
  ],
  [
    "a service without unit where there is no proc root either",
    {
      sensors: NO_PROC_ROOT,
      shipped: [],
      web: { ...web, services: [{ ...NGINX_SERVICE, file: undefined }] },
    },
    ["not-stoppable", "no-signals"],
  ],
  [
    "no service without unit where there is a proc root",
    { web: { ...web, services: [{ ...NGINX_SERVICE, file: undefined }] } },
    [],
  ],
  ["processes that cannot be seen", { sensors: { ...sensors, processes: absent("x") } }, ["no-processes"]],
  [
    "iowait that cannot be seen",
    {
      sensors: {
        ...sensors,
        sample: { ...sensors.sample, gate: { ...GATE, iowaitPercent: absent("x") } },
      },
    },
    ["no-iowait"],
  ],
  ["a user who is not root", { host: { ...host, isRoot: false } }, ["not-root"]],
  ["an open sandbox", { sandbox: { ...sandbox, whole: ["read"] } }, ["permissions"]],
  [
    "a sandbox with less than its list",
    { sandbox: { ...sandbox, missing: [{ kind: "run", value: "/usr/bin/ps", why: "x" }] } },
    ["permissions"],
  ],
];
for (const [name, change, codes] of CASES) {
  Deno.test(`limitsOf() tells ${name}`, () => {
    assertEquals(limitsOf({ ...GOOD_HOST, ...change }).map(({ code }) => code), codes);
  });
}

Deno.test("limitsOf() says where the block belongs, and which of two is too many", () => {
  const textsOf = (state: "absent" | "both"): readonly string[] =>
    limitsOf({ ...GOOD_HOST, block: { ...block, state } }).map(({ text }) => text);
  assertEquals(textsOf("absent"), [
    "SPIDER cannot block crawlers: there is no /etc/nginx/loadweir/nginx_high_load_off.conf, put the block there " +
    "and include /etc/nginx/loadweir/nginx_high_load.c*; into each server",
  ]);
  assertEquals(textsOf("both"), [
    "SPIDER cannot block crawlers: /etc/nginx/loadweir/nginx_high_load.conf and " +
    "/etc/nginx/loadweir/nginx_high_load_off.conf are both there, remove one",
  ]);
});

Deno.test("limitsOf() says how to mend the line that includes the block", () => {
  const include = {
    kind: "included",
    places: [{ path: "/etc/nginx/nginx.conf", line: 3, pattern: block.paths.on }],
  } as const;
  assertEquals(limitsOf({ ...GOOD_HOST, block: { ...block, include } }).map(({ text }) => text), [
    "SPIDER cannot block crawlers: nginx would not start while it is off, " +
    "put include /etc/nginx/loadweir/nginx_high_load.c*; in place of the path",
  ]);
});
