import { assertEquals, assertMatch } from "@std/assert";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { ok } from "../../mod/reading.ts";
import { openWatchdogStart, type WatchdogStart } from "./watchdog_start.ts";

const NGINX = serviceNamed("nginx");
const FPM = serviceNamed("php8.2-fpm");

function serviceNamed(name: string): ServiceRef {
  const kind = name === "nginx" ? "nginx" : "php-fpm";
  return { kind, manager: "sysv", name, program: undefined, args: [], confPath: undefined };
}

/** A host on which others start services at a time. */
class Host {
  nowMs = 0;
  readonly started: string[] = [];
  /** What happens at each look, by its time. */
  atLook = (_nowMs: number): void => {};
  readonly up = new Set<ServiceRef>();
  readonly watchdogs: WatchdogStart = openWatchdogStart({
    clock: {
      monotonicMs: () => this.nowMs,
      wallMs: () => this.nowMs,
      sleep: (ms) => {
        this.nowMs += ms;
        return Promise.resolve();
      },
    },
    findStarted: () => {
      this.atLook(this.nowMs);
      return Promise.resolve(ok([...this.up]));
    },
    start: (services) => {
      this.started.push(...services.map(({ name }) => name));
      return Promise.resolve(services.map((service) => ({ service, ok: true, text: "started" })));
    },
  });
}

Deno.test("openWatchdogStart() starts nothing that others start in time", async () => {
  const host = new Host();
  host.atLook = (nowMs): void => {
    if (nowMs >= 20_000) host.up.add(FPM);
    if (nowMs >= 60_000) host.up.add(NGINX);
  };
  const outcomes = await host.watchdogs.start([FPM, NGINX]);
  assertEquals([outcomes.every(({ ok }) => ok), host.started, host.nowMs], [true, [], 60_000]);
});

Deno.test("openWatchdogStart() starts after three minutes what nobody has started", async () => {
  const host = new Host();
  host.up.add(FPM);
  const outcomes = await host.watchdogs.start([FPM, NGINX]);
  assertEquals([outcomes.map(({ ok }) => ok), host.started, host.nowMs], [[true, true], ["nginx"], 180_000]);
  assertMatch(outcomes[1]?.text ?? "", /^not started by the host's watchdogs within 3 minutes: started$/);
});

Deno.test("openWatchdogStart() forgets nothing that is down when the web is paused anew", async () => {
  const host = new Host();
  host.atLook = (nowMs): void => {
    if (nowMs === 10_000) host.watchdogs.interrupt();
  };
  const outcomes = await host.watchdogs.start([FPM, NGINX]);
  assertEquals([outcomes.map(({ ok }) => ok), host.started], [[false, false], []]);
});

Deno.test("openWatchdogStart() leaves the web to the watchdogs when the agent ends", async () => {
  const host = new Host();
  host.watchdogs.leave();
  const outcomes = await host.watchdogs.start([NGINX]);
  assertEquals(outcomes.map(({ ok, text }) => [ok, text]), [[true, "left to the host's watchdogs"]]);
  assertEquals([host.started, host.nowMs], [[], 0]);
});
