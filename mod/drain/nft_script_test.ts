import { assert, assertEquals } from "@std/assert";
import { isSilent, renderSilence, renderTry, silencedFamilies } from "./nft_script.ts";
import { EVERYBODY } from "./scope.ts";

const BALANCER = { ipv4: ["10.9.0.2", "10.9.1.0/24"], ipv6: [] };

Deno.test("renderSilence() replaces a whole table in one transaction, whether or not there was one", () => {
  assertEquals(
    renderSilence({ table: "loadweir", scope: EVERYBODY, expiresS: 15 }, false),
    `add table inet loadweir
delete table inet loadweir
table inet loadweir {
  set silent { type inet_proto; flags timeout; elements = { icmp timeout 15s, icmpv6 timeout 15s } }
  chain input {
    type filter hook input priority -300; policy accept;
    iifname "lo" accept
    icmp type echo-request meta l4proto @silent drop
    icmpv6 type echo-request meta l4proto @silent drop
  }
}
`,
  );
});

Deno.test("renderSilence() of a table that is there fails where it is not, so that its loss is seen", () => {
  assert(
    renderSilence({ table: "x", scope: EVERYBODY, expiresS: 15 }, true).startsWith("delete table inet x\n"),
  );
});

Deno.test("renderSilence() drops with a scope what its addresses send, and no other family", () => {
  const script = renderSilence({ table: "loadweir", scope: BALANCER, expiresS: undefined }, false);
  assert(
    script.includes(
      "    ip saddr { 10.9.0.2, 10.9.1.0/24 } icmp type echo-request meta l4proto @silent drop\n",
    ),
  );
  assert(!script.includes("icmpv6 type"));
  assert(script.includes("elements = { icmp, icmpv6 }"));
  assertEquals(silencedFamilies(BALANCER), ["ipv4"]);
});

Deno.test("renderSilence() and renderTry() drop echo requests alone, in the input hook", () => {
  for (const scope of [EVERYBODY, BALANCER]) {
    for (
      const script of [renderSilence({ table: "loadweir", scope, expiresS: 15 }, false), renderTry(scope)]
    ) {
      for (const line of script.split("\n").filter((rule) => rule.includes("drop"))) {
        assert(/icmp(v6)? type echo-request meta l4proto @silent drop$/.test(line), line);
      }
      assertEquals(script.match(/hook \w+/g), ["hook input"]);
    }
  }
  assert(renderTry(EVERYBODY).endsWith("delete table inet loadweir_try\n"));
});

/** As nft 1.0.6 lists it. */
const LISTED = `table inet loadweir {
	set silent {
		type inet_proto
		flags timeout
		elements = { icmp timeout 15s expires 14s992ms, ipv6-icmp timeout 15s expires 14s992ms }
	}

	chain input {
		type filter hook input priority raw; policy accept;
		iifname "lo" accept
		icmp type echo-request meta l4proto @silent drop
		icmpv6 type echo-request meta l4proto @silent drop
	}
}
`;

/** As nft 1.0.6 echoes it. */
const ECHOED = `add table inet loadweir
add chain inet loadweir input { type filter hook input priority raw; policy accept; }
add set inet loadweir silent { type inet_proto; flags timeout; }
add element inet loadweir silent { icmp timeout 15s expires 15s }
add element inet loadweir silent { ipv6-icmp timeout 15s expires 15s }
add rule inet loadweir input iifname "lo" accept
add rule inet loadweir input icmp type echo-request meta l4proto @silent drop
add rule inet loadweir input icmpv6 type echo-request meta l4proto @silent drop
`;

const SILENT: readonly (readonly [string, string, boolean])[] = [
  ["what nft lists", LISTED, true],
  ["what nft echoes", ECHOED, true],
  ["elements that have expired", LISTED.replace(/\t\telements.*\n/, ""), false],
  ["one family whose element has expired", LISTED.replace("icmp timeout 15s expires 14s992ms, ", ""), false],
  ["the other one", LISTED.replace(/, ipv6-icmp.*? \}/, " }"), false],
  ["a chain without its rules", LISTED.replace(/\t\ticmp.*\n/g, ""), false],
  ["a rule that somebody made accept", LISTED.replace("@silent drop", "@silent accept"), false],
  ["nothing", "", false],
];
for (const [name, text, expected] of SILENT) {
  Deno.test(`isSilent() is ${expected} for ${name}`, () => assertEquals(isSilent(text, EVERYBODY), expected));
}

Deno.test("isSilent() wants of a scope the rules of its families", () => {
  const one = LISTED.replace(/\t\ticmpv6.*\n/, "").replace(
    "icmp type",
    "ip saddr { 10.9.0.2, 10.9.1.0/24 } icmp type",
  );
  assertEquals(isSilent(one, BALANCER), true);
  assertEquals(isSilent(one, EVERYBODY), false);
});
