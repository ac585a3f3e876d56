import { assert, assertEquals } from "@std/assert";
import type { Ledger } from "../../mod/hold/ledger.ts";
import type { ServiceRef } from "../../mod/hold/service_ref.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import { openLedgerBook } from "./ledger_book.ts";
import { openWebKeeper, type PauseCause, type WebEvent, type WebKeeper } from "./web_keeper.ts";

const NGINX = serviceNamed("nginx", "nginx.service");
const FPM = serviceNamed("php-fpm", "php8.2-fpm.service");
const CAUSE: PauseCause = {
  reason: "max",
  text: "load",
  higherPercentAtStart: 700,
  expiresBootMs: undefined,
};

function serviceNamed(kind: ServiceRef["kind"], name: string): ServiceRef {
  return { kind, manager: "systemd", name, program: undefined, args: [], confPath: undefined };
}

/** A host of which a test decides what fails. */
class Host {
  readonly running = new Set<ServiceRef>([FPM, NGINX]);
  readonly written: Ledger[] = [];
  readonly events: WebEvent[] = [];
  readonly sleeps: number[] = [];
  /** Services whose start fails that many times more. */
  readonly startFailures = new Map<ServiceRef, number>();
  readonly gone = new Set<ServiceRef>();
  readonly unstoppable = new Set<ServiceRef>();
  /** What was to be started, each time. */
  readonly asked: ServiceRef[] = [];
  diskFull = false;
  blind = false;
  /** Runs before the first service is stopped. */
  beforeStop = (): void | Promise<void> => {};
  /** Runs between a look and its answer. */
  duringLook = (): void | Promise<void> => {};
  /** Runs while the keeper waits for its next try. */
  duringWait = (): void => {};
  readonly keeper: WebKeeper;

  constructor(hold?: Ledger["hold"]) {
    let now = 1_000;
    const clock: Clock = {
      monotonicMs: () => now,
      wallMs: () => now,
      sleep: (ms, signal): Promise<void> => {
        if (ms > 90_000) return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
        this.sleeps.push(ms);
        now += ms;
        this.duringWait();
        return Promise.resolve();
      },
    };
    const first: Ledger = {
      bootId: "boot",
      writtenBootMs: 0,
      writtenWallMs: 0,
      hold,
      crawlerBlock: undefined,
      ladder: undefined,
      byHand: undefined,
      drain: undefined,
    };
    const book = openLedgerBook(first, clock, (ledger): Promise<Reading<void>> => {
      if (this.diskFull) return Promise.resolve(failed("No space left on device"));
      this.written.push(ledger);
      return Promise.resolve(ok(undefined));
    });
    this.keeper = openWebKeeper({
      clock,
      book,
      tell: (event) => this.events.push(event),
      guard: () => {},
      tier: {
        findRunning: () =>
          Promise.resolve(
            this.blind ? failed("no ps") : ok({ services: [...this.running], leftAlone: ["a second nginx"] }),
          ),
        findStarted: async () => {
          const seen = [...this.running];
          await this.duringLook();
          return ok(seen);
        },
        stop: async (services) => {
          await this.beforeStop();
          for (const service of services) if (!this.unstoppable.has(service)) this.running.delete(service);
          return services.map((service) => ({ service, ok: !this.unstoppable.has(service), text: "" }));
        },
        start: (services) => {
          this.asked.push(...services);
          return Promise.resolve(services.map((service) => {
            const left = this.startFailures.get(service) ?? 0;
            this.startFailures.set(service, left - 1);
            if (left <= 0) this.running.add(service);
            const isGone = this.gone.has(service);
            return { service, ok: left <= 0, isGone, text: left <= 0 ? "started" : "broken" };
          }));
        },
      },
    });
  }

  async settle(): Promise<void> {
    assert(await this.keeper.settle(100_000), "the keeper is still at work");
  }

  get names(): readonly string[] {
    return [...this.running].map(({ name }) => name).sort();
  }
}

Deno.test("openWebKeeper() gives back in whatever instant of a pause it is asked to", async () => {
  for (let steps = 0; steps < 60; steps++) {
    const host = new Host();
    host.keeper.pause(CAUSE);
    for (let step = 0; step < steps; step++) await Promise.resolve();
    host.keeper.giveBack();
    await host.settle();
    assertEquals([host.running.size, host.written.at(-1)?.hold], [2, undefined], `after ${steps} steps`);
  }
});

Deno.test("a pause writes what runs to the ledger before the first of it is stopped", async () => {
  const host = new Host();
  let atStop: Ledger | undefined;
  host.beforeStop = (): void => {
    atStop = host.written.at(-1);
    assertEquals(host.names, ["nginx.service", "php8.2-fpm.service"]);
  };
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals([atStop?.hold?.phase, atStop?.hold?.services], ["stopping", [FPM, NGINX]]);
  assertEquals([host.names, host.written.at(-1)?.hold?.phase], [[], "held"]);
});

Deno.test("a pause stops nothing when the ledger cannot be written, and says that the web runs", async () => {
  const host = new Host();
  host.diskFull = true;
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals(host.names.length, 2);
  assertEquals(host.events.map(({ kind }) => kind), ["pause-failed"]);
  assertEquals(await host.keeper.look(), "not-stopped");
  assertEquals(await host.keeper.look(), undefined, "told once");
});

Deno.test("a pause stops nothing when it cannot be seen what runs", async () => {
  const host = new Host();
  host.blind = true;
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals([host.names.length, await host.keeper.look()], [2, "not-stopped"]);
});

Deno.test("giving back starts exactly what the pause stopped, and clears the ledger", async () => {
  const host = new Host();
  host.running.delete(NGINX);
  host.keeper.pause(CAUSE);
  await host.settle();
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names, ["php8.2-fpm.service"], "nginx had been stopped by a person");
  assertEquals(host.written.at(-1)?.hold, undefined);
});

Deno.test("giving back goes on, slower and slower, until everything runs; what runs is not waited for", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.startFailures.set(FPM, 7);
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names.length, 2);
  assertEquals(host.sleeps, [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  const failures = host.events.filter(({ kind }) => kind === "start-failed");
  assertEquals(failures.length, 7);
  const retried = host.events.at(-1);
  assert(retried?.kind === "started");
  assertEquals(retried.outcomes.map(({ service }) => service), [FPM], "nginx was up after the first try");
});

Deno.test("giving back starts everything also when the ledger cannot be written any more", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.diskFull = true;
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names.length, 2);
  assert(host.events.some(({ kind }) => kind === "ledger-failed"));
});

Deno.test("what was given back while the ledger could not be written is not started a second time", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.diskFull = true;
  host.keeper.giveBack();
  await host.settle();
  host.diskFull = false;
  host.running.delete(NGINX);
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names, ["php8.2-fpm.service"], "a person stopped nginx after it was given back");
});

Deno.test("a pause that is asked for while starting is tried again comes first", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.startFailures.set(FPM, 100);
  host.duringWait = (): void => {
    if (host.sleeps.length === 2) host.keeper.pause(CAUSE);
  };
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names, []);
  assertEquals(host.written.at(-1)?.hold?.services.map(({ name }) => name).sort(), [
    "nginx.service",
    "php8.2-fpm.service",
  ]);
});

Deno.test("a pause while something is still being started forgets what a person has stopped since", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.startFailures.set(NGINX, 1);
  host.duringWait = (): void => {
    assertEquals(host.names, ["php8.2-fpm.service"]);
    host.running.delete(FPM);
    host.keeper.pause(CAUSE);
  };
  host.keeper.giveBack();
  await host.settle();
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names, ["nginx.service"]);
});

Deno.test("a pause while something is still being started is a new one, with its own cause and deadline", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.startFailures.set(NGINX, 100);
  host.duringWait = (): void => {
    if (host.sleeps.length === 5) host.keeper.pause({ ...CAUSE, reason: "crit" });
  };
  host.keeper.giveBack();
  await host.settle();
  const hold = host.written.at(-1)?.hold;
  assertEquals([hold?.reason, hold?.sinceBootMs], ["crit", 1_000 + 135_000]);
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals(host.written.at(-1)?.hold?.sinceBootMs, 136_000, "of a pause that goes on the deadline stays");
});

Deno.test("giving back that is asked for while a stop takes its time follows it", async () => {
  const host = new Host();
  host.beforeStop = (): void => host.keeper.giveBack();
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals([host.names.length, host.written.at(-1)?.hold], [2, undefined]);
});

Deno.test("look() gives up what someone else started in a hold, and starts only the rest", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals(await host.keeper.look(), "stopped");
  host.running.add(NGINX);
  assertEquals(await host.keeper.look(), "partly-started");
  assertEquals(host.written.at(-1)?.hold?.services, [FPM]);
  host.running.add(FPM);
  assertEquals(await host.keeper.look(), "running");
  assertEquals(host.written.at(-1)?.hold, undefined);
  assertEquals(host.events.filter(({ kind }) => kind === "started-by-others").length, 2);
});

Deno.test("look() has what systemd stopped with a service started, where somebody else started that", async () => {
  const host = new Host();
  const leading = { ...NGINX, boundUnits: ["shop-cache.service"] };
  host.running.delete(NGINX);
  host.running.add(leading);
  host.keeper.pause(CAUSE);
  await host.settle();
  host.running.add(leading).add(FPM);
  assertEquals(await host.keeper.look(), "running");
  assertEquals(host.asked, [leading]);
});

Deno.test("a pause while something is still being started keeps what an earlier one stopped with it", async () => {
  const host = new Host();
  const before = { ...NGINX, boundUnits: ["shop-cache.service"] };
  host.running.delete(NGINX);
  host.running.add(before);
  host.keeper.pause(CAUSE);
  await host.settle();
  host.startFailures.set(before, 1).set(FPM, 1);
  host.duringWait = (): void => {
    // It is up by now, and what was stopped with it is not yet.
    host.running.add({ ...NGINX, boundUnits: ["shop.timer"] });
    host.keeper.pause(CAUSE);
  };
  host.keeper.giveBack();
  await host.settle();
  const held = host.written.at(-1)?.hold?.services.find(({ name }) => name === NGINX.name);
  assertEquals(held?.boundUnits, ["shop-cache.service", "shop.timer"]);
});

Deno.test("look() does not give up what was stopped after it had looked", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.running.add(NGINX);
  host.duringLook = async (): Promise<void> => {
    host.keeper.pause(CAUSE);
    await host.settle();
  };
  assertEquals([await host.keeper.look(), host.names], [undefined, []]);
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names.length, 2);
});

Deno.test("look() does not say of what could not be stopped that somebody started it", async () => {
  const host = new Host();
  host.unstoppable.add(NGINX);
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals([host.names, await host.keeper.look()], [["nginx.service"], "partly-stopped"]);
  host.running.add(FPM);
  assertEquals(await host.keeper.look(), "partly-started");
  const others = host.events.filter((event) => event.kind === "started-by-others");
  assertEquals(others.map(({ services }) => services), [[FPM]]);
});

Deno.test("what could not be stopped at once and ends later is started again", async () => {
  const host = new Host();
  host.unstoppable.add(NGINX).add(FPM);
  host.keeper.pause(CAUSE);
  await host.settle();
  assertEquals(await host.keeper.look(), "partly-stopped");
  host.running.clear();
  assertEquals(await host.keeper.look(), "stopped");
  host.keeper.giveBack();
  await host.settle();
  assertEquals(host.names.length, 2);
});

Deno.test("what was taken away during a pause is given up after a while, and nothing else is", async () => {
  const host = new Host();
  host.keeper.pause(CAUSE);
  await host.settle();
  host.gone.add(FPM);
  host.startFailures.set(FPM, 100).set(NGINX, 12);
  host.keeper.giveBack();
  await host.settle();
  assertEquals([host.names, host.written.at(-1)?.hold], [["nginx.service"], undefined]);
  assertEquals(host.sleeps.length, 12);
  const failures = host.events.filter((event) => event.kind === "start-failed");
  assertEquals(
    failures.filter(({ outcomes }) => outcomes.some(({ ok }) => ok)).map(({ attempt }) => attempt),
    [10],
  );
});

for (const phase of ["stopping", "held", "starting"] as const) {
  Deno.test(`an agent that was killed while ${phase} takes the hold up and gives everything back`, async () => {
    const host = new Host({
      ...CAUSE,
      sinceBootMs: 1,
      sinceWallMs: 1,
      services: [FPM, NGINX],
      phase,
      startedAgain: phase === "starting" ? [FPM.name] : [],
    });
    host.running.clear();
    if (phase === "stopping") host.running.add(NGINX);
    if (phase === "starting") host.running.add(FPM);
    await host.settle();
    assertEquals(host.names.length, phase === "starting" ? 2 : 0);
    host.keeper.giveBack();
    await host.settle();
    assertEquals([host.names.length, host.keeper && host.written.at(-1)?.hold], [2, undefined]);
  });
}
