import { assertEquals } from "@std/assert";
import type { IncidentEvent } from "../../mod/incident/event.ts";
import type { CheckId, CheckResult } from "../../mod/probe/check.ts";
import type { ProbeByHand } from "../../mod/probe/input.ts";
import type { ProbeRules } from "../../mod/probe/rules.ts";
import type { ProbeState } from "../../mod/probe/state.ts";
import type { ProbeVerdict } from "../../mod/probe/verdict.ts";
import { ONE_SITE_RULES, PROVEN, RESULTS, resultsWith, SITE } from "../../mod/testing/probe.ts";
import type { Clock } from "../clock.ts";
import { openProbeKeeper, type ProbeKeeper, type ProbeKeeperPorts } from "./probe_keeper.ts";

type Results = ReadonlyMap<CheckId, CheckResult>;

/** A host whose looks a test decides, and what became of them. */
class Host {
  now = 0;
  paused = false;
  limited = false;
  byHand: ProbeByHand | undefined;
  rules: ProbeRules | undefined = ONE_SITE_RULES;
  looks: () => Promise<Results> = () => Promise.resolve(resultsWith());
  published = (): void => {};
  readonly verdicts: ProbeVerdict[] = [];
  readonly events: IncidentEvent[] = [];
  readonly sleeps: number[] = [];
  readonly clock: Clock = {
    monotonicMs: () => this.now,
    wallMs: () => this.now,
    sleep: (ms: number): Promise<void> => {
      this.sleeps.push(ms);
      this.now += ms;
      return Promise.resolve();
    },
  };
  readonly keeper: ProbeKeeper;

  constructor(changes: Partial<ProbeKeeperPorts> = {}) {
    this.keeper = openProbeKeeper({
      clock: this.clock,
      random: () => 0.5,
      rules: () => this.rules,
      look: () => this.looks(),
      webPaused: () => this.paused,
      crawlerBlock: () => false,
      byHand: () => this.byHand,
      drainLimitReached: () => Promise.resolve(this.limited),
      publish: (verdict) => {
        this.verdicts.push(verdict);
        this.published();
      },
      rest(): void {},
      tell: (event) => this.events.push(event),
      memory: { recall: () => PROVEN, keep(): void {} },
      ...changes,
    });
  }

  /** Looks so many times; before each the test may change something. */
  async look(count: number, before: (index: number) => void = () => {}): Promise<string> {
    const stop = new AbortController();
    let index = 0;
    const looks = this.looks;
    const first = this.verdicts.length;
    this.looks = () => {
      before(index);
      return looks();
    };
    this.published = () => {
      if (++index === count) stop.abort();
    };
    await this.keeper.run(stop.signal);
    this.looks = looks;
    return this.verdicts.slice(first).map(({ phase }) => phase.charAt(0)).join("");
  }
}

Deno.test("openProbeKeeper() publishes a verdict each tick, and tells of a drain and of the way back", async () => {
  const host = new Host();
  assertEquals(await host.look(3), "sii");
  host.looks = () => Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  assertEquals(await host.look(4), "iidd");
  host.looks = () => Promise.resolve(resultsWith());
  assertEquals(await host.look(8), "ddddiiii");
  assertEquals(host.events.map(({ name }) => name), ["drained", "returned"]);
  assertEquals(host.events[0]?.details, ["a check has failed", `${SITE}: ill`]);
  assertEquals(host.keeper.published().verdict, host.verdicts.at(-1));
});

Deno.test("openProbeKeeper() stays in while as many peers are out as may be, and goes when one is back", async () => {
  const host = new Host();
  await host.look(3);
  host.limited = true;
  host.looks = () => Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  assertEquals(await host.look(5), "iiiii");
  assertEquals(host.verdicts.at(-1)?.reason, "drain-limit");
  host.limited = false;
  assertEquals(await host.look(1), "d");
});

Deno.test("openProbeKeeper() asks for the peers after the look, and only when this host would go out", async () => {
  const order: string[] = [];
  const host = new Host({
    drainLimitReached: () => {
      order.push("ask");
      return Promise.resolve(false);
    },
  });
  await host.look(3);
  host.looks = () => {
    order.push("look");
    return Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  };
  await host.look(5);
  assertEquals(order, ["look", "look", "look", "ask", "look", "look"]);
});

Deno.test("openProbeKeeper() sees this host while a peer hangs, and takes that one for out", async () => {
  const host = new Host({ drainLimitReached: () => new Promise(() => {}) });
  host.rules = { ...ONE_SITE_RULES, tickMs: 20 };
  assertEquals(await host.look(3), "sii");
  host.looks = () => Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  assertEquals(await host.look(5), "iiiii");
  assertEquals(host.verdicts.at(-1)?.reason, "drain-limit");
  assertEquals(host.verdicts.at(-1)?.checks[0]?.result, RESULTS.b);
});

Deno.test("openProbeKeeper() spreads its ticks a tenth to either side", async () => {
  let turn = 0;
  const host = new Host({ random: () => [0, 1, 0.5][turn++] ?? 0 });
  await host.look(3);
  assertEquals(host.sleeps, [4_500, 5_500, 5_000]);
});

Deno.test("openProbeKeeper() makes a pause known at once, as no failure of the probe", async () => {
  const host = new Host();
  await host.look(3);
  host.paused = true;
  host.keeper.wake();
  assertEquals(host.verdicts.at(-1)?.phase, "drained");
  assertEquals(host.verdicts.at(-1)?.reason, "web-paused");
  assertEquals(host.events.map(({ name }) => name), ["drained-for-pause"]);
});

Deno.test("openProbeKeeper() follows a person at once, and does not tell it as an incident", async () => {
  const host = new Host();
  await host.look(3);
  host.byHand = { wants: "drain", untilMs: undefined, why: "new disk" };
  host.keeper.wake();
  assertEquals([host.verdicts.at(-1)?.phase, host.verdicts.at(-1)?.text], ["drained", "new disk"]);
  assertEquals(host.events, []);
});

Deno.test("openProbeKeeper() alerts nobody of a host that only waits for its sites after a drain by hand", async () => {
  const host = new Host();
  await host.look(3);
  for (const wants of ["drain", "undrain", undefined] as const) {
    host.byHand = wants && { wants, untilMs: undefined, why: "new disk" };
    host.keeper.wake();
  }
  assertEquals(host.verdicts.at(-1)?.phase, "drained");
  assertEquals(host.events.map(({ level }) => level).filter((level) => level === "ALERT"), []);
});

Deno.test("openProbeKeeper() tells once of a host that stays out because a check has failed meanwhile", async () => {
  const host = new Host();
  await host.look(3);
  host.byHand = { wants: "drain", untilMs: undefined, why: "new disk" };
  host.looks = () => Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  assertEquals(await host.look(4), "dddd");
  assertEquals(host.events, []);
  host.byHand = undefined;
  assertEquals(await host.look(4), "dddd");
  assertEquals(host.events.map(({ name }) => name), ["drained"]);
  assertEquals(host.events[0]?.details, ["a check has failed", `${SITE}: ill`]);
  host.looks = () => Promise.resolve(resultsWith());
  assertEquals(await host.look(3), "dii");
  assertEquals(host.events.map(({ name }) => name), ["drained", "returned"]);
});

Deno.test("openProbeKeeper() takes a look that hangs for one that saw nothing", async () => {
  const host = new Host();
  host.rules = { ...ONE_SITE_RULES, tickMs: 20 };
  assertEquals(await host.look(3), "sii");
  host.looks = () => new Promise(() => {});
  assertEquals(await host.look(4), "iiii");
  assertEquals(host.verdicts.at(-1)?.checks[0]?.result.state, "unknown");
});

Deno.test("openProbeKeeper() forgets that the host was out while nothing is probed", async () => {
  const host = new Host();
  host.looks = () => Promise.resolve(resultsWith({ [SITE]: RESULTS.b }));
  assertEquals(await host.look(4), "ssdd");
  const stop = new AbortController();
  host.rules = undefined;
  const running = host.keeper.run(stop.signal);
  stop.abort();
  await running;
  assertEquals(host.keeper.published().verdict, undefined);
  host.rules = ONE_SITE_RULES;
  host.looks = () => Promise.resolve(resultsWith());
  assertEquals(await host.look(3), "sii");
});

Deno.test("openProbeKeeper() ends at once, also in the middle of a look", async () => {
  const host = new Host();
  const stop = new AbortController();
  const looking = Promise.withResolvers<Results>();
  host.looks = () => looking.promise;
  const running = host.keeper.run(stop.signal);
  stop.abort();
  await running;
  looking.resolve(resultsWith({ [SITE]: RESULTS.b }));
  await looking.promise;
  assertEquals(host.verdicts, []);
});

Deno.test("openProbeKeeper() does not look while nothing is to be probed, and begins when it is", async () => {
  const host = new Host();
  host.rules = undefined;
  const stop = new AbortController();
  const sleep = host.clock.sleep;
  let slept = 0;
  let rests = 0;
  const keeper = openProbeKeeper({
    clock: {
      ...host.clock,
      sleep(ms: number): Promise<void> {
        slept += 1;
        if (slept === 2) host.rules = ONE_SITE_RULES;
        if (slept === 4) stop.abort();
        return sleep(ms);
      },
    },
    random: () => 0.5,
    rules: () => host.rules,
    look: () => Promise.resolve(resultsWith()),
    webPaused: () => false,
    crawlerBlock: () => false,
    byHand: () => undefined,
    memory: { recall: () => PROVEN, keep(): void {} },
    drainLimitReached: () => Promise.resolve(false),
    publish: (verdict) => host.verdicts.push(verdict),
    rest: () => rests += 1,
    tell: () => {},
  });
  keeper.wake();
  await keeper.run(stop.signal);
  assertEquals([host.verdicts.length, rests], [2, 2]);
});

Deno.test("openProbeKeeper() begins with what an agent before has left, and keeps each state for the next", async () => {
  const kept: ProbeState[] = [];
  const left = { ...PROVEN, standing: { phase: "in", sinceMs: 0 } } as const;
  const host = new Host({ memory: { recall: () => left, keep: (state) => kept.push(state) } });
  assertEquals(await host.look(2), "ii");
  assertEquals(kept.map(({ standing }) => standing?.phase), ["in", "in"]);
});
