import { assertEquals } from "@std/assert";
import type { ActionName, Decision } from "../../mod/ladder/decision.ts";
import { climb, sampleAt } from "../../mod/testing/climb.ts";
import { systemClock } from "../clock.ts";
import { createArmedExecutor } from "./armed_executor.ts";

function decisionWith(actions: readonly ActionName[]): Decision {
  const decision = climb([sampleAt(0, 900), sampleAt(9_000, 900)]).at(-1)?.decision;
  if (decision === undefined) throw new Error("no sample was due");
  return { ...decision, actions };
}

Deno.test("an armed executor ends runaways before it pauses, and waits for neither", async () => {
  const done: string[] = [];
  const killed = Promise.withResolvers<void>();
  const { execute } = createArmedExecutor({
    clock: { ...systemClock, sleep: () => new Promise(() => {}) },
    web: { pause: ({ reason, text }) => void done.push(`pause ${reason}: ${text}`), giveBack: () => {} },
    block: { want: () => {} },
    kill: () => killed.promise.then(() => void done.push("kill")),
    mark: (present) => void done.push(`mark ${present.join(" ")}`),
  });
  const outcomes = await execute(decisionWith(["kill-runaways", "pause-web"]));
  assertEquals(outcomes.map(({ action }) => action), ["kill-runaways", "pause-web"]);
  assertEquals(done, ["mark critical_load"]);
  killed.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(done.slice(1), ["kill", "pause crit: load 1m 900.0 %, 5m 900.0 % over 810 %"]);
});

Deno.test("an armed executor gives the web back also when ending runaways hangs", async () => {
  const done: string[] = [];
  const { execute } = createArmedExecutor({
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    web: { pause: () => {}, giveBack: () => void done.push("give back") },
    block: { want: (wanted) => void done.push(`block ${wanted}`) },
    kill: () => new Promise(() => {}),
    mark: () => {},
  });
  await execute(decisionWith(["kill-runaways"]));
  await execute(decisionWith(["resume-web", "crawler-block-off"]));
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(done, ["block off", "give back"]);
});

Deno.test("an armed executor that ends pauses nothing any more, and waits until runaways have ended", async () => {
  const done: string[] = [];
  const killed = Promise.withResolvers<void>();
  const executor = createArmedExecutor({
    clock: { ...systemClock, sleep: () => new Promise(() => {}) },
    web: { pause: () => void done.push("pause"), giveBack: () => void done.push("give back") },
    block: { want: () => {} },
    kill: () => killed.promise.then(() => void done.push("kill")),
    mark: () => {},
  });
  await executor.execute(decisionWith(["kill-runaways", "pause-web", "kill-runaways", "resume-web"]));
  executor.end();
  killed.resolve();
  await executor.settle(1_000);
  assertEquals(done, ["kill", "give back"]);
});
