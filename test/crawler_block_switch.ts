/**
 * Switches the crawler block in a world and prints what became of it as one line of JSON:
 *
 *     crawler_block_switch.ts on generic                     all of it
 *     crawler_block_switch.ts on generic before reload       dies instead of the first such program
 *     crawler_block_switch.ts on generic after reload        dies right after it
 *     crawler_block_switch.ts on generic within reload       dies 5 ms after it has started
 *     crawler_block_switch.ts on generic watch 3000          watches nginx for 3 s at most
 */

import { type CommandResult, runCommand } from "../adapters/command.ts";
import { systemClock } from "../adapters/clock.ts";
import { type CrawlerBlockPorts, isOurs, setCrawlerBlock } from "../adapters/crawler_block.ts";
import { createProcessReader } from "../adapters/process_reader.ts";
import { chooseSource } from "../adapters/source.ts";

const [wanted, profile, moment, victim = ""] = Deno.args;
if ((wanted !== "on" && wanted !== "off") || (profile !== "generic" && profile !== "boa")) Deno.exit(2);

const DYING_MS = 5;

const { source } = chooseSource(undefined, undefined);
const processes = createProcessReader(source, runCommand);
const ports: CrawlerBlockPorts = {
  source,
  processes,
  clock: systemClock,
  async run(program, args, options): Promise<CommandResult> {
    const isVictim = moment !== undefined && [program, ...args].join(" ").includes(victim);
    // The exit lets go of files and locks as a signal would.
    if (isVictim && moment === "before") Deno.exit(9);
    if (isVictim && moment === "within") setTimeout(() => Deno.exit(9), DYING_MS);
    const result = await runCommand(program, args, options);
    if (isVictim && moment === "after") Deno.exit(9);
    return result;
  },
};
const outcome = await setCrawlerBlock(
  wanted,
  profile,
  ports,
  moment === "watch" ? { proofDeadlineMs: Number(victim) } : {},
);
processes.close();
const line = JSON.stringify({ ...outcome, isOurs: isOurs(profile), source: source.kind });
Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
