import { assertEquals } from "@std/assert";
import type { CommandResult, RunCommand } from "../command.ts";
import { systemClock } from "../clock.ts";
import { mechanismOk } from "../../mod/drain/ping_outcome.ts";
import { openIcmp } from "./icmp.ts";
import type { PingMechanism } from "./mechanism.ts";

const ECHO = "add element inet loadweir silent { icmp }\nadd element inet loadweir silent { ipv6-icmp }\n" +
  "add rule inet loadweir input icmp type echo-request meta l4proto @silent drop\n" +
  "add rule inet loadweir input icmpv6 type echo-request meta l4proto @silent drop\n";
const NO_TABLE: CommandResult = {
  code: 1,
  stdout: "",
  stderr: "Error: No such file or directory\n",
  timedOut: false,
  tookMs: 3,
};

/** A switch by nft whose programs end when the test lets them, and the first line that each was given. */
function slowNft(after?: Promise<void>): {
  readonly icmp: ReturnType<typeof openIcmp>;
  readonly began: string[];
  readonly letGo: () => void;
} {
  const began: string[] = [];
  const gate = Promise.withResolvers<void>();
  const run: RunCommand = async (_program, args, { stdin = "" }) => {
    began.push(args.includes("-e") ? "silence" : stdin === "" ? "look" : "answer");
    await gate.promise;
    return args[0] === "list" ? NO_TABLE : { ...NO_TABLE, code: 0, stdout: ECHO, stderr: "" };
  };
  const icmp = openIcmp(
    { mode: "nft", owner: "agent", expiresS: 15, boot: "b", ...after === undefined ? {} : { after } },
    { run, clock: systemClock, source: { kind: "kernel-calls", name: "kernel-calls" } },
  );
  return { icmp, began, letGo: gate.resolve };
}

Deno.test("openIcmp() keeps one wish waiting while a program hangs, the newest", async () => {
  const { icmp, began, letGo } = slowNft();
  const first = icmp.want(true);
  await systemClock.sleep(5);
  // The host was ill for a hundred ticks, each with a wish, and is well now.
  const ticks = Array.from({ length: 100 }, () => icmp.want(true));
  const well = icmp.want(false);
  letGo();
  assertEquals((await first).pings, "silent");
  assertEquals((await well).pings, "answered");
  assertEquals(new Set(await Promise.all(ticks)).size, 1);
  assertEquals(began.filter((one) => one === "silence"), ["silence"]);
  assertEquals((await icmp.want(true)).pings, "silent");
});

Deno.test("openIcmp() begins when the switch that it replaces has let go", async () => {
  const gate = Promise.withResolvers<void>();
  const { icmp, began, letGo } = slowNft(gate.promise);
  letGo();
  const wish = icmp.want(true);
  await systemClock.sleep(5);
  assertEquals(began, []);
  gate.resolve();
  assertEquals((await wish).pings, "silent");
});

const LATE: CommandResult = { code: 137, stdout: "", stderr: "", timedOut: true, tookMs: 3_000 };
const DONE: CommandResult = { code: 0, stdout: ECHO, stderr: "", timedOut: false, tookMs: 3 };
/** As under the printed unit, which may not write there. */
const NO_SYSCTL: PingMechanism = {
  name: "sysctl",
  silence: () => Promise.resolve({ kind: "failed", error: "may not" }),
  answer: () => Promise.resolve(mechanismOk(false)),
};
const NOT_THERE: CommandResult = {
  code: 127,
  stdout: "",
  stderr: "No such file or directory",
  timedOut: false,
  tookMs: 0,
};

for (
  const [what, answers, expected] of [
    // A trial, a look and a wish that are late, and then a look and a wish that are not.
    ["when it was late at first", [LATE, LATE, NO_TABLE, DONE], ["failed", "silent"]],
    ["when it was late in between", [DONE, NO_TABLE, DONE, LATE, NO_TABLE, DONE], [
      "silent",
      "failed",
      "silent",
    ]],
  ] as const
) {
  Deno.test(`openIcmp() takes nft again ${what}`, async () => {
    const left = [...answers];
    const run: RunCommand = () => Promise.resolve(left.shift() ?? DONE);
    const icmp = openIcmp(
      { mode: "auto", owner: "agent", expiresS: 15, boot: "b" },
      {
        run,
        clock: systemClock,
        source: { kind: "kernel-calls", name: "kernel-calls" },
        others: [NO_SYSCTL],
      },
    );
    const seen: string[] = [];
    for (const _ of expected) {
      const { kind, pings, mechanism } = await icmp.want(true);
      seen.push(kind === "failed" ? "failed" : pings);
      assertEquals(mechanism, kind === "failed" ? "sysctl" : "nft");
    }
    assertEquals(seen, [...expected]);
  });
}

Deno.test("openIcmp() does not ask for an nft again that is not there", async () => {
  let asked = 0;
  const run: RunCommand = () => {
    asked++;
    return Promise.resolve(NOT_THERE);
  };
  const icmp = openIcmp(
    { mode: "auto", owner: "agent", expiresS: 15, boot: "b" },
    { run, clock: systemClock, source: { kind: "kernel-calls", name: "kernel-calls" }, others: [NO_SYSCTL] },
  );
  for (let tick = 0; tick < 5; tick++) await icmp.want(true);
  assertEquals(asked, 1);
});
