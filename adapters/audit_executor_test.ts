import { assertEquals } from "@std/assert";
import { resolveConfig } from "../mod/config/resolve.ts";
import type { ActionName } from "../mod/ladder/decision.ts";
import { climb, sampleAt } from "../mod/testing/climb.ts";
import { createAuditExecutor } from "./audit_executor.ts";
import { runCommand } from "./command.ts";
import { createProcessReader } from "./process_reader.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/** What an audit says that these actions would do on a recorded host. */
async function wouldDo(tree: string, ...actions: readonly ActionName[]): Promise<readonly string[]> {
  const root = `${FIXTURES}${tree}`;
  const source = { kind: "proc-root", root, name: "procfs-flag" } as const;
  const processes = createProcessReader(source, runCommand);
  const decision = climb([sampleAt(0, 20)])[0]?.decision;
  if (decision === undefined) throw new Error("no sample was due");
  const outcomes = await createAuditExecutor(resolveConfig({}).config, {
    source,
    processes,
    run: runCommand,
    profile: "generic",
  })({
    ...decision,
    actions,
  });
  return outcomes.map(({ text }) => text);
}

Deno.test("an audit says which masters and workers a pause would stop", async () => {
  assertEquals(await wouldDo("proc/6.1_crawler_storm", "pause-web"), [
    "pause nginx (master 812, 2 workers)",
    "pause php-fpm8.2 (master 831, pool www: 5 workers)",
  ]);
});

Deno.test("an audit says that there is no web to pause", async () => {
  assertEquals(await wouldDo("cases/c40-cmdline-arguments-with-blanks/proc", "pause-web"), [
    "pause the web: neither nginx nor php-fpm runs here",
  ]);
});

Deno.test("an audit of a recording shows the runaways and why each would be spared", async () => {
  assertEquals(await wouldDo("cases/c29-zombie-php/proc", "kill-runaways"), [
    "kill runaways (php, drush.php, wget, curl): none that may be ended",
    "spare php (pid 2002): namespace-unknown",
  ]);
});

Deno.test("an audit names every action in its order", async () => {
  assertEquals(await wouldDo("proc/6.1_quiet_web_host", "resume-web", "crawler-block-off", "recheck"), [
    "start the web again: php-fpm, then nginx",
    "serve crawlers again",
    "look again in 9 s before anything is done",
  ]);
});
