import { assertEquals } from "@std/assert";
import { defaultConfig } from "../config/schema.ts";
import { resolveConfig } from "../config/resolve.ts";
import { HOST_CHECK_NAMES } from "./check.ts";
import { isProbeWanted, probeRulesOf, probeThresholdsOf } from "./config_rules.ts";
import { DEFAULT_PROBE_RULES } from "./rules.ts";
import { DEFAULT_THRESHOLDS } from "./thresholds.ts";

Deno.test("probeRulesOf() gives the defaults where nobody configured anything", () => {
  assertEquals(probeRulesOf(defaultConfig(), []), DEFAULT_PROBE_RULES);
  assertEquals(probeThresholdsOf(defaultConfig()), DEFAULT_THRESHOLDS);
});

Deno.test("probeRulesOf() takes the action of each check from its own key", () => {
  for (const name of HOST_CHECK_NAMES) {
    const override = `checks.${name.replaceAll("-", "_")}=off`;
    const { config, problems } = resolveConfig({ overrides: [override] });
    assertEquals(problems, [], override);
    const off = Object.entries(probeRulesOf(config, []).actions).filter(([, action]) => action === "off");
    assertEquals(off, [[name, "off"]]);
  }
});

Deno.test("isProbeWanted() wants a site, or somebody who is told", () => {
  const wants = (...overrides: readonly string[]): boolean => {
    const { config, sites } = resolveConfig({ overrides });
    return isProbeWanted(config, sites);
  };
  assertEquals(wants(), false);
  assertEquals(wants("outlets.http=127.0.0.1"), true);
  assertEquals(wants("outlets.agent_check=::"), true);
  assertEquals(wants("outlets.track_file=-50"), true);
  const { config, sites } = resolveConfig({
    ini: { source: "x.ini", text: "[probe a]\nurl = http://a.example/\ntext = x\n" },
  });
  assertEquals(isProbeWanted(config, sites), true);
});
