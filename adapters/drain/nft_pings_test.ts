import { assertEquals, assertMatch } from "@std/assert";
import { EVERYBODY } from "../../mod/drain/scope.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import { openNft } from "./nft_pings.ts";

const ENDED: CommandResult = { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 3 };
const NO_TABLE: CommandResult = { ...ENDED, code: 1, stderr: "Error: No such file or directory\n" };
const HUNG: CommandResult = { ...ENDED, code: 137, timedOut: true, tookMs: 3_000 };
const NO_NFT: CommandResult = { ...ENDED, code: 127, stderr: "No such file or directory (os error 2)" };
const ECHO = "add element inet loadweir silent { icmp }\nadd element inet loadweir silent { ipv6-icmp }\n" +
  "add rule inet loadweir input icmp type echo-request meta l4proto @silent drop\n" +
  "add rule inet loadweir input icmpv6 type echo-request meta l4proto @silent drop\n";
const ECHOED: CommandResult = { ...ENDED, stdout: ECHO };

/** Answers one call after the other, and keeps what was asked. */
function play(...results: readonly CommandResult[]): { run: RunCommand; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    run(program, args, { stdin = "" }): Promise<CommandResult> {
      asked.push(`${[program, ...args].join(" ")} ${stdin.split("\n", 1)[0]}`.trim());
      const result = results[asked.length - 1];
      if (result === undefined) throw new Error(`Not expected: ${asked.at(-1)}`);
      return Promise.resolve(result);
    },
  };
}

const AGENT = { owner: "agent", scope: EVERYBODY, expiresS: 15 } as const;

Deno.test("openNft() runs no program while pings are answered, but one at the start", async () => {
  const { run, asked } = play(NO_TABLE);
  const nft = openNft(run, AGENT);
  for (let tick = 0; tick < 3; tick++) assertEquals((await nft.answer()).kind, "ok");
  assertEquals(asked, ["/usr/sbin/nft list table inet loadweir"]);
});

Deno.test("openNft() runs one program for each tick of silence, which tells when the table was gone", async () => {
  const { run, asked } = play(NO_TABLE, ECHOED, ECHOED, NO_TABLE, ECHOED, ENDED);
  const nft = openNft(run, AGENT);
  const first = { kind: "ok", changed: true, note: "", foundSilent: false } as const;
  assertEquals(await nft.silence(), first);
  assertEquals(await nft.silence(), { ...first, changed: false });
  const note = "somebody had removed table inet loadweir, it is there again";
  assertEquals(await nft.silence(), { ...first, note });
  assertEquals(await nft.answer(), first);
  assertEquals(await nft.answer(), { ...first, changed: false });
  assertEquals(asked, [
    "/usr/sbin/nft list table inet loadweir",
    "/usr/sbin/nft -e -f - add table inet loadweir",
    "/usr/sbin/nft -e -f - delete table inet loadweir",
    "/usr/sbin/nft -e -f - delete table inet loadweir",
    "/usr/sbin/nft -e -f - add table inet loadweir",
    "/usr/sbin/nft -f - delete table inet loadweir",
  ]);
});

Deno.test("openNft() believes what the kernel echoes, not the exit code", async () => {
  const { run } = play(NO_TABLE, { ...ENDED, stdout: ECHO.replace(/add rule.*icmpv6.*\n/, "") });
  const outcome = await openNft(run, AGENT).silence();
  assertMatch(outcome.kind === "failed" ? outcome.error : "", /the kernel does not echo all of it/);
});

Deno.test("openNft() takes a hung transaction for a failure, and looks anew after it", async () => {
  const { run, asked } = play(NO_TABLE, HUNG, ECHOED, ECHOED);
  const nft = openNft(run, AGENT);
  const outcome = await nft.silence();
  assertMatch(
    outcome.kind === "failed" ? outcome.error : "",
    /"\/usr\/sbin\/nft -e -f -" gave no answer within 3000 ms/,
  );
  assertEquals(await nft.silence(), { kind: "ok", changed: false, note: "", foundSilent: false });
  assertEquals(asked[2], "/usr/sbin/nft list table inet loadweir");
});

Deno.test("openNft() has nothing to end where there is no nft, and does not know where nft fails", async () => {
  const byHand = { ...AGENT, owner: "by-hand", expiresS: undefined } as const;
  assertEquals((await openNft(play(NO_NFT).run, byHand).answer()).kind, "ok");
  assertEquals((await openNft(play(HUNG).run, byHand).answer()).kind, "failed");
  // What an agent left is gone in a moment.
  assertEquals((await openNft(play(HUNG).run, AGENT).answer()).kind, "ok");
});
