/**
 * Switches pings in a world as an agent does, once a tick. Wishes come on standard input, and each outcome that is another one
 * than before is printed as one line of JSON. SIGTERM is a clean stop.
 *
 *     ping_agent auto 1000                      a tick a second
 *     ping_agent nft 1000 10.9.0.2 fd00:9::2    for these addresses alone
 *
 *     silent | answered
 */

import { readBootId, readUptimeMs } from "../adapters/boot.ts";
import { createClock } from "../adapters/clock.ts";
import { runCommand } from "../adapters/command.ts";
import { expiryOf, openIcmp } from "../adapters/drain/icmp.ts";
import { chooseSource } from "../adapters/source.ts";
import { PING_MODES, type PingOutcome } from "../mod/drain/ping_outcome.ts";
import { parseScope } from "../mod/drain/scope.ts";

const [word, tick = "1000", ...addresses] = Deno.args;
const mode = PING_MODES.find((known) => known === word);
const scope = parseScope(addresses);
if (mode === undefined || scope.kind !== "ok") Deno.exit(2);
const tickMs = Number(tick);

const { source } = chooseSource(undefined, undefined);
const clock = createClock(readUptimeMs(source));
const icmp = openIcmp({
  mode,
  scope: scope.value,
  owner: "agent",
  expiresS: expiryOf(tickMs),
  boot: readBootId(source, clock.monotonicMs(), clock.wallMs()),
}, { run: runCommand, clock, source });

let wish: boolean | undefined;
let told = "";
function tell(outcome: PingOutcome): void {
  const line = JSON.stringify(outcome);
  if (line === told) return;
  told = line;
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

async function readWishes(): Promise<void> {
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    for (const line of text.split("\n").filter((part) => part !== "")) wish = line === "silent";
  }
}

Deno.addSignalListener("SIGTERM", async () => {
  tell(await icmp.release());
  Deno.exit(0);
});
readWishes();
while (true) {
  if (wish !== undefined) tell(await icmp.want(wish));
  await clock.sleep(tickMs);
}
