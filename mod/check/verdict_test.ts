import { assertEquals } from "@std/assert";
import type { CheckFindings } from "./findings.ts";
import { failed } from "../reading.ts";
import { aConfigFinding, GOOD_HOST, NGINX_SERVICE } from "../testing/check.ts";
import { judge } from "./verdict.ts";

const { sensors, web } = GOOD_HOST;

function ini(text: string): Pick<CheckFindings, "config"> {
  return { config: aConfigFinding({ ini: { source: "/etc/loadweir/loadweir.ini", text } }) };
}

const PROBLEM = ini("[ladder]\nmax = 7,5\n");
const ADVICE = ini("[ladder]\nspider = 1\n");
const NO_LOAD = { sensors: { ...sensors, sample: { ...sensors.sample, load: failed("no loadavg") } } };
const HOST_LOAD = { sensors: { ...sensors, container: { kind: "lxc", hostLoad: "it is" } } };
const NO_WEB = { web: { ...web, services: [] } };
const INSTALLED = { web: { ...web, services: [{ ...NGINX_SERVICE, file: undefined, masters: [] }] } };

const CASES: readonly (readonly [string, Partial<CheckFindings>, number, readonly string[]])[] = [
  ["a good host", {}, 0, []],
  ["a problem of the configuration", PROBLEM, 2, []],
  ["advice, which is no problem", ADVICE, 0, []],
  ["a load that cannot be read", NO_LOAD, 3, ["no-load"]],
  ["the load of a host around a container", HOST_LOAD, 3, ["host-load"]],
  ["no web", NO_WEB, 3, ["no-web"]],
  ["a web that is installed and does not run", INSTALLED, 0, []],
  ["no web and a problem, the lesser of the two", { ...NO_WEB, ...PROBLEM }, 3, ["no-web"]],
  ["all of it", { ...NO_LOAD, ...NO_WEB }, 3, ["no-load", "no-web"]],
];
for (const [name, change, exitCode, codes] of CASES) {
  Deno.test(`judge() gives ${exitCode} for ${name}`, () => {
    const verdict = judge({ ...GOOD_HOST, ...change });
    assertEquals([verdict.exitCode, verdict.reasons.map(({ code }) => code)], [exitCode, codes]);
  });
}

Deno.test("judge() counts problems and advice apart", () => {
  const { problemCount, adviceCount } = judge({ ...GOOD_HOST, ...ini("[ladder]\nspider = 1\nmax = x\n") });
  assertEquals([problemCount, adviceCount], [1, 1]);
});

Deno.test("judge() does not take a web server in a container for a web tier", () => {
  const [master] = NGINX_SERVICE.masters;
  const foreign = master === undefined ? [] : [{ master, reason: "container" as const }];
  const { exitCode, reasons } = judge({ ...GOOD_HOST, web: { ...web, services: [], foreign } });
  assertEquals([exitCode, reasons[0]?.text], [
    3,
    "neither nginx nor php-fpm is installed or runs, but for what is not ours",
  ]);
});
