import { assertEquals } from "@std/assert";
import { type CheckResult, fine, type HostCheck, siteCheck } from "../../mod/probe/check.ts";
import { systemClock } from "../clock.ts";
import { createChecks } from "./checks.ts";

Deno.test("createChecks() gives what was seen by the deadline, however long one check takes", async () => {
  const checks = createChecks([], {
    clock: systemClock,
    version: "1.0.0",
    tellChange: () => {},
    host: {
      async look(wanted, seen): Promise<ReadonlyMap<HostCheck, CheckResult>> {
        for (const name of wanted) if (name !== "database") seen?.(name, fine("well"));
        return await new Promise(() => {});
      },
      close(): void {},
    },
  });
  const wanted = (["nginx", "database"] as const).map((id) => ({ id, action: "drain" as const }));
  const seen = await checks.look(wanted, 20);
  assertEquals([...seen], [["nginx", fine("well")]]);
});

Deno.test("createChecks() tells of a slow site in words that stay the same, for its log not to fill", async () => {
  let now = 0;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("well"),
  );
  const told = new Set<string | undefined>();
  // Each time the clock is asked, so much has passed: a look takes over a second, and never the same.
  const clock = { ...systemClock, monotonicMs: () => now += 900 + now % 7 };
  const checks = createChecks([{
    name: "a",
    url: `http://a.example:${server.addr.port}/`,
    text: "well",
    action: "drain",
    address: "127.0.0.1",
    deadlineMs: 60_000,
  }], {
    clock,
    version: "1.0.0",
    tellChange: (_subject, line) => told.add(line),
    host: { look: () => Promise.resolve(new Map()), close: () => {} },
  });
  for (let tick = 0; tick < 3; tick++) await checks.look([{ id: siteCheck("a"), action: "drain" }], 5_000);
  checks.close();
  await server.shutdown();
  assertEquals([...told], ["a: it takes over 1000 ms"]);
});

Deno.test("createChecks() finds a site that hangs, also where it may take longer than it is waited for", async () => {
  // The kernel takes connections, and nobody answers.
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const checks = createChecks([{
    name: "a",
    url: `http://a.example:${listener.addr.port}/`,
    text: "well",
    action: "drain",
    address: "127.0.0.1",
    deadlineMs: 200,
  }], {
    clock: systemClock,
    version: "1.0.0",
    tellChange: () => {},
    host: { look: () => Promise.resolve(new Map()), close: () => {} },
  });
  const wanted = [{ id: siteCheck("a"), action: "drain" as const }];
  const states: (string | undefined)[] = [];
  for (let tick = 0; tick < 6; tick++) {
    states.push((await checks.look(wanted, 80)).get(siteCheck("a"))?.state);
    // It may end between two looks, too.
    await systemClock.sleep(25);
  }
  checks.close();
  await systemClock.sleep(20);
  assertEquals(states, [undefined, undefined, "bad", undefined, undefined, "bad"]);
});
