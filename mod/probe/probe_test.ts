import { assert, assertEquals } from "@std/assert";
import {
  type Letter,
  lookAt,
  ONE_SITE_RULES,
  phasesOf,
  probe,
  PROVEN,
  RESULTS,
  resultsWith,
  SITE,
  siteLooks,
} from "../testing/probe.ts";
import { type CheckId, siteCheck } from "./check.ts";
import type { ProbeInput } from "./input.ts";
import { probeStep } from "./probe.ts";
import { DEFAULT_PROBE_RULES } from "./rules.ts";
import { INITIAL_PROBE_STATE } from "./state.ts";

/** Looks every 5 s in which one check of the host is bad, and the site answers. */
function badLooks(id: CheckId, count: number, fromMs: number): readonly ProbeInput[] {
  const results = resultsWith({ [id]: RESULTS.b });
  return Array.from({ length: count }, (_, index) => lookAt(fromMs + index * 5_000, { results }));
}

Deno.test("probeStep() is ready after two good probes, and out after three bad ones", () => {
  const steps = probe(siteLooks("oobbb"));
  assertEquals(phasesOf(steps), "siiid");
  assertEquals(steps.map(({ verdict }) => verdict.reason), [
    "not-proven-yet",
    "all-well",
    "all-well",
    "all-well",
    "check-failed",
  ]);
  assertEquals(steps.map(({ verdict }) => verdict.change), [
    undefined,
    "ready",
    undefined,
    undefined,
    "drained",
  ]);
  assertEquals(steps.at(-1)?.verdict.text, "site:www.example.org: ill");
});

Deno.test("probeStep() gives the same step for the same state and input, and changes neither", () => {
  const state = Object.freeze({ ...INITIAL_PROBE_STATE });
  const look = lookAt(0);
  assertEquals(probeStep(state, look, ONE_SITE_RULES), probeStep(state, look, ONE_SITE_RULES));
  assertEquals(state.streaks.size, 0);
});

Deno.test("probeStep() neither takes out nor calls ready a host of which nothing is known", () => {
  const nothing = Array.from({ length: 50 }, (_, index) => lookAt(index * 5_000, { results: new Map() }));
  assertEquals(phasesOf(probe(nothing)), "s".repeat(50));
  assertEquals(phasesOf(probe(siteLooks("uuubbb"))), "sssssd");
});

Deno.test("probeStep() brings a host back after 30 s, when its site has answered twice", () => {
  const steps = probe(siteLooks("oobbbooooooooo"));
  assertEquals(phasesOf(steps), "siiiddddddiiii");
  const back = steps[10]?.verdict;
  assertEquals([back?.monotonicMs, back?.change, back?.sinceMs], [50_000, "returned", 50_000]);
  assertEquals(steps.slice(4, 10).map(({ verdict }) => [verdict.reason, verdict.holdUntilMs]), [
    ["check-failed", 50_000],
    ["check-failed", 50_000],
    ...Array(4).fill(["minimum-hold", 50_000]),
  ]);
});

Deno.test("probeStep() does not bring a host back on a probe that is unknown", () => {
  const steps = probe(siteLooks("oobbbuuuuuuuuououuoo"));
  assertEquals(phasesOf(steps), "siiidddddddddddddddi");
  const text = steps[18]?.verdict;
  assertEquals([text?.reason, text?.phase], ["check-failed", "drained"]);
});

Deno.test("probeStep() keeps a host out whose check is well again while its site is unknown", () => {
  const ill = badLooks("swap", 3, 10_000);
  const blind = siteLooks("uuuuuuuuuu", 25_000);
  const steps = probe([...siteLooks("oo"), ...ill, ...blind, ...siteLooks("oo", 75_000)]);
  assertEquals(phasesOf(steps), "siiid" + "d".repeat(10) + "di");
  assertEquals(steps[14]?.verdict.reason, "waits-for-probe");
});

Deno.test("probeStep() lets a check that warns warn, and one that is off say nothing", () => {
  const rules = {
    ...ONE_SITE_RULES,
    actions: { ...ONE_SITE_RULES.actions, swap: "warn", conntrack: "off" },
  } as const;
  const results = resultsWith({ swap: RESULTS.b, conntrack: RESULTS.b, "tcp-memory": RESULTS.w });
  const steps = probe(Array.from({ length: 9 }, (_, index) => lookAt(index * 5_000, { results })), rules);
  const last = steps.at(-1)?.verdict;
  assertEquals(phasesOf(steps), "siiiiiiii");
  assertEquals([last?.reason, last?.text], ["warned", "swap: ill; tcp-memory: pale"]);
  assertEquals(last?.checks.some(({ id }) => id === "conntrack"), false);
});

Deno.test("probeStep() stays out longer with each repeat within ten minutes, up to five", () => {
  let looks: readonly ProbeInput[] = siteLooks("oo");
  const holdsMs: number[] = [];
  let steps = probe(looks);
  for (let round = 0; round < 13; round++) {
    looks = siteLooks(`bbb${"o".repeat(61)}`, (steps.at(-1)?.verdict.monotonicMs ?? 0) + 5_000);
    const more = probe(looks, ONE_SITE_RULES, steps.at(-1)?.state);
    const out = more.find(({ verdict }) => verdict.change === "drained")?.verdict.monotonicMs ?? NaN;
    const back = more.find(({ verdict }) => verdict.change === "returned")?.verdict.monotonicMs ?? NaN;
    holdsMs.push(back - out);
    steps = more;
  }
  // A round takes 320 s, so that at most the one before is within ten minutes.
  assertEquals(holdsMs.slice(0, 4), [30_000, 60_000, 60_000, 60_000]);
  const drainedAtMs = Array.from({ length: 20 }, (_, index) => index * 1_000);
  const often = probe(siteLooks("bbb", 30_000), ONE_SITE_RULES, {
    ...PROVEN,
    standing: { phase: "in", sinceMs: 0 },
    drainedAtMs,
  }).at(-1);
  assertEquals(often?.verdict.holdUntilMs, 40_000 + 300_000);
});

Deno.test("probeStep() takes the host out at once when the web is paused, without a failed probe", () => {
  const paused = { webPaused: true };
  const steps = probe([
    ...siteLooks("oo"),
    ...siteLooks("bbbbbbbb", 10_000, paused),
    ...siteLooks("boo", 50_000),
  ]);
  assertEquals(phasesOf(steps), "siddddddddddi");
  const [out] = steps.slice(2);
  assertEquals([out?.verdict.reason, out?.verdict.change, out?.verdict.text], ["web-paused", "drained", ""]);
  const site = steps[9]?.verdict.checks.find(({ id }) => id === SITE);
  assertEquals([site?.settled, site?.result.state], ["ok", "unknown"]);
  assertEquals(steps.at(-1)?.state.drainedAtMs, []);
});

Deno.test("probeStep() sees what is wrong with the host itself also while the web is paused", () => {
  const results = resultsWith({ swap: RESULTS.b, nginx: RESULTS.b });
  const steps = probe([0, 5_000, 10_000].map((atMs) => lookAt(atMs, { webPaused: true, results })));
  const failed = steps.at(-1)?.verdict.checks.filter(({ settled }) => settled === "drain").map(({ id }) =>
    id
  );
  assertEquals(failed, ["swap"]);
});

Deno.test("probeStep() follows a person at once, both ways, until that expires", () => {
  const out = { byHand: { wants: "drain", untilMs: 20_000, why: "new disk" } } as const;
  const steps = probe([...siteLooks("oo"), ...siteLooks("ooooo", 10_000, out)]);
  assertEquals(phasesOf(steps), "siddiii");
  assertEquals([steps[2]?.verdict.reason, steps[2]?.verdict.text], ["drained-by-hand", "new disk"]);
  const stay = { byHand: { wants: "undrain", untilMs: 40_000, why: "" } } as const;
  const kept = probe([...siteLooks("oo"), ...siteLooks("bbbbbbbbb", 10_000, stay)]);
  assertEquals(phasesOf(kept), "siiiiiiiddd");
  assertEquals([kept[7]?.verdict.reason, kept[8]?.verdict.reason], ["kept-in-by-hand", "check-failed"]);
  const paused = probe(siteLooks("oooo", 0, { ...stay, webPaused: true }));
  assertEquals(phasesOf(paused), "iiii");
});

Deno.test("probeStep() brings a host back after a drain by hand only when its site answers", () => {
  const out = { byHand: { wants: "drain", untilMs: 20_000, why: "" } } as const;
  assertEquals(phasesOf(probe([...siteLooks("oo"), ...siteLooks("oouuuoo", 10_000, out)])), "siddddddi");
});

Deno.test("probeStep() stays in when as many peers as may be are out, and out when it is out already", () => {
  const limited = { drainLimitReached: true };
  const kept = probe(siteLooks("oobbbb", 0, limited));
  assertEquals([phasesOf(kept), kept.at(-1)?.verdict.reason], ["siiiii", "drain-limit"]);
  const free = probe(siteLooks("uob", 30_000), ONE_SITE_RULES, kept.at(-1)?.state);
  assertEquals([phasesOf(free), free[1]?.verdict.reason], ["iid", "warned"]);
  const out = probe([...siteLooks("oobbb"), ...siteLooks("bbb", 25_000, limited)]);
  assertEquals(phasesOf(out), "siiidddd");
  const paused = probe(siteLooks("oo", 0, { ...limited, webPaused: true }));
  assertEquals(phasesOf(paused), "dd");
});

Deno.test("probeStep() only warns where no site is probed that could bring the host back", () => {
  const steps = probe(badLooks("swap", 6, 0), DEFAULT_PROBE_RULES);
  assertEquals([phasesOf(steps), steps.at(-1)?.verdict.reason], ["iiiiii", "no-active-probe"]);
});

Deno.test("probeStep() wants all sites that may take it out, and else one of the others", () => {
  const two = {
    ...ONE_SITE_RULES,
    sites: [{ name: "www.example.org", key: "www", action: "drain" }, {
      name: "b.example.org",
      key: "b",
      action: "drain",
    }],
  } as const;
  const looks = siteLooks("oooo");
  assertEquals(phasesOf(probe(looks, two)), "ssss");
  const [one, other] = two.sites;
  const warns = { ...two, sites: [{ ...one, action: "warn" }, { ...other, action: "warn" }] } as const;
  assertEquals(phasesOf(probe(looks, warns)), "siii");
  const mixed = { ...two, sites: [{ ...one, action: "warn" }, other] } as const;
  assertEquals(phasesOf(probe(looks, mixed)), "ssss");
});

Deno.test("probeStep() blames no site for an agent that is late itself", () => {
  const late = [
    ...siteLooks("oo"),
    ...[20_001, 40_002, 60_003, 80_004].flatMap((atMs) => siteLooks("b", atMs)),
  ];
  assertEquals(phasesOf(probe(late)), "siiiii");
  const onTime = [...siteLooks("oo"), ...[15_000, 25_000, 35_000].flatMap((atMs) => siteLooks("b", atMs))];
  assertEquals(phasesOf(probe(onTime)), "siiid");
});

Deno.test("probeStep() forgets a site that is no longer configured", () => {
  const steps = probe(siteLooks("oobbb"));
  const other = { ...ONE_SITE_RULES, sites: [{ name: "b.example.org", key: "b", action: "drain" }] } as const;
  const [after] = probe(siteLooks("o", 25_000), other, steps.at(-1)?.state);
  assert(!after?.state.streaks.has(SITE));
});

Deno.test("probeStep() takes nobody out for a site that has not passed yet, and says so", () => {
  const served = probe(siteLooks("ooo")).at(-1)?.state;
  const [site] = ONE_SITE_RULES.sites;
  assert(served !== undefined && site !== undefined);
  // As after a reload with another text.
  const changed = { ...ONE_SITE_RULES, sites: [{ ...site, key: "www with a mistake in its text" }] };
  const steps = probe(siteLooks("bbbbb", 15_000), changed, served);
  assertEquals(phasesOf(steps), "iiiii");
  assertEquals([steps.at(-1)?.verdict.reason, steps.at(-1)?.verdict.text], [
    "warned",
    `${SITE}: ill, and it has not passed yet, so that it takes nobody out`,
  ]);
  // Once it has passed it counts.
  const mended = probe(siteLooks("oobbb", 40_000), changed, steps.at(-1)?.state);
  assertEquals(phasesOf(mended), "iiiid");
});

Deno.test("probeStep() keeps a host back of which nothing has passed yet, without silencing it", () => {
  assertEquals(phasesOf(probe(siteLooks("bbbbbboo"), ONE_SITE_RULES, INITIAL_PROBE_STATE)), "sssssssi");
});

Deno.test("probeStep() is not kept from a start or a return by a site that has not passed yet", () => {
  const [site] = ONE_SITE_RULES.sites;
  assert(site !== undefined);
  const rules = {
    ...ONE_SITE_RULES,
    sites: [site, { name: "new.example.org", key: "new", action: "drain" }],
  } as const;
  const look = (atMs: number, letter: Letter): ProbeInput =>
    lookAt(atMs, {
      results: resultsWith({ [SITE]: RESULTS[letter], [siteCheck("new.example.org")]: RESULTS.b }),
    });
  const looks = [..."oobbboooooooo"].map((letter, index) => look(index * 5_000, letter as Letter));
  assertEquals(phasesOf(probe(looks, rules)), "siiidddddd" + "iii");
});

Deno.test("probeStep() starts a host that policy keeps in", () => {
  const limited = probe(siteLooks("bbbb", 0, { drainLimitReached: true }));
  assertEquals([phasesOf(limited), limited.at(-1)?.verdict.reason], ["ssii", "drain-limit"]);
  const [site] = ONE_SITE_RULES.sites;
  assert(site !== undefined);
  const warns = { ...ONE_SITE_RULES, sites: [{ ...site, action: "warn" }] } as const;
  const warned = probe(siteLooks("bbbb"), warns);
  assertEquals([phasesOf(warned), warned.at(-1)?.verdict.reason], ["ssii", "warned"]);
});

Deno.test("probeStep() waits for a site that takes longer than a tick, but not for ever", () => {
  const pending = (atMs: number): ProbeInput => {
    const results = new Map(resultsWith());
    results.delete(SITE);
    return lookAt(atMs, { results });
  };
  const slow = Array.from(
    { length: 6 },
    (_, index) => index % 2 === 0 ? pending(index * 5_000) : lookAt(index * 5_000),
  );
  assertEquals(phasesOf(probe(slow)), "sssiii");
  // What was seen before does not bring it back.
  const out = probe([...siteLooks("oo"), ...siteLooks("bbb", 10_000), ...siteLooks("oo", 25_000)]);
  const blind = Array.from({ length: 20 }, (_, index) => pending(35_000 + index * 5_000));
  assertEquals(phasesOf(probe(blind, ONE_SITE_RULES, out.at(-1)?.state)), "d".repeat(20));
});

Deno.test("probeStep() forgets what a check came to that is not known any more while the sites answer", () => {
  const looks = (letter: Letter, count: number, fromMs: number): readonly ProbeInput[] =>
    Array.from(
      { length: count },
      (_, index) => lookAt(fromMs + index * 5_000, { results: resultsWith({ nginx: RESULTS[letter] }) }),
    );
  const steps = probe([...siteLooks("oo"), ...looks("b", 3, 10_000), ...looks("u", 70, 25_000)]);
  const back = steps.findIndex(({ verdict }) => verdict.change === "returned");
  // Five minutes after it was last seen ill.
  assertEquals(steps[back]?.verdict.monotonicMs, 20_000 + 300_000);
  assertEquals(steps.at(-1)?.verdict.phase, "in");
});
