/**
 * A program for worlds: finds, stops and starts the web tier of its host as the agent does, and says as JSON
 * what came of it.
 *
 *     web_tier find            what runs; kept in /tmp/services.json
 *     web_tier stopped         what does not run and should
 *     web_tier stop [JSON]     stops what the file names, with these options
 *     web_tier start [JSON]    starts what the file names
 *
 * With `bare` as last argument it looks without a proc root.
 */

import { systemClock } from "../adapters/clock.ts";
import { runCommand } from "../adapters/command.ts";
import { createProcessReader } from "../adapters/process_reader.ts";
import { chooseSource, type Source } from "../adapters/source.ts";
import {
  findRunningServices,
  findStartedServices,
  findStoppedServices,
  startServices,
  stopServices,
} from "../adapters/web/web_tier.ts";
import { maybeValue, whyMissing } from "../mod/reading.ts";

const FILE = "/tmp/services.json";

const [verb = "", ...rest] = Deno.args;
const source: Source = rest.at(-1) === "bare"
  ? { kind: "kernel-calls", name: "kernel-calls" }
  : chooseSource(undefined, undefined).source;
const processes = createProcessReader(source, runCommand);
const ports = { run: runCommand, processes, source, clock: systemClock };
const options = rest[0]?.startsWith("{") ? JSON.parse(rest[0]) : {};

/** What was kept by `find`. */
function keptServices(): Parameters<typeof stopServices>[0] {
  return JSON.parse(Deno.readTextFileSync(FILE));
}

/** What a verb has to say. */
async function answer(): Promise<unknown> {
  switch (verb) {
    case "find": {
      const running = await findRunningServices(ports);
      const value = maybeValue(running);
      if (value !== undefined) Deno.writeTextFileSync(FILE, JSON.stringify(value.services));
      return value === undefined
        ? whyMissing(running)
        : { ...value, started: maybeValue(await findStartedServices(ports)) };
    }
    case "stopped":
      return maybeValue(await findStoppedServices(ports));
    case "stop":
      return await stopServices(keptServices(), ports, options);
    case "start":
      return await startServices(keptServices(), ports, options);
    default:
      throw new Error(`There is no verb ${verb}`);
  }
}

await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(await answer())}\n`));
processes.close();
