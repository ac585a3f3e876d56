import { assert, assertEquals, assertMatch } from "@std/assert";
import { runCommand } from "../command.ts";
import type { CommandResult, RunCommand } from "../command.ts";
import { createEvidenceCollector } from "./evidence.ts";

const RESULT: CommandResult = { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1 };

/** A host on which each program says its name, and a clock that a test moves. */
function host(answer: Partial<CommandResult> = {}): {
  readonly started: string[];
  readonly time: { ms: number };
  readonly ports: Parameters<typeof createEvidenceCollector>[0];
} {
  const started: string[] = [];
  const time = { ms: 0 };
  const run: RunCommand = (program) => {
    started.push(program);
    return Promise.resolve({ ...RESULT, stdout: `${program}\n`, ...answer });
  };
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms };
  return { started, time, ports: { run, clock, pressure: () => [] } };
}

Deno.test("createEvidenceCollector() shows processes and CPU figures of this machine", async () => {
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const sections = await createEvidenceCollector({ run: runCommand, clock, pressure: () => [] }).take(true);
  const titles = sections.map(({ title }) => title);
  assertMatch(titles[0] ?? "", /^processes by CPU, 1970/);
  assertMatch(titles.at(-1) ?? "", /^vmstat/);
  assert((sections[0]?.lines.length ?? 0) > 1);
  assertEquals(sections.at(-1)?.lines.length, 4);
});

Deno.test("createEvidenceCollector() keeps what it saw until that is too old", async () => {
  const { started, time, ports } = host();
  const collector = createEvidenceCollector(ports);
  collector.capture();
  collector.capture();
  const first = await collector.take(true);
  assertEquals(started, ["/usr/bin/ps", "/usr/bin/vmstat"]);
  time.ms = 60_000;
  assertEquals(await collector.take(true), first);
  time.ms = 200_000;
  await collector.take(true);
  assertEquals(started.length, 4);
});

Deno.test("createEvidenceCollector() says what could not be seen, and why", async () => {
  const missing = host({ code: 127, stderr: "No such file" });
  const sections = await createEvidenceCollector(missing.ports).take(true);
  assertEquals(sections.map(({ lines }) => lines), [
    ["ps exited 127: No such file"],
    ["vmstat exited 127: No such file"],
  ]);
  assertEquals(missing.started.sort(), ["/bin/ps", "/bin/vmstat", "/usr/bin/ps", "/usr/bin/vmstat"]);
  const hung = await createEvidenceCollector(host({ code: 137, timedOut: true }).ports).take(true);
  assertEquals(hung[0]?.lines, ["ps gave no answer within 5000 ms"]);
});

Deno.test("createEvidenceCollector() shows pressure as it was when it looked, with and without the tools", async () => {
  const { started, time, ports } = host();
  let found = ["PhpSaturated: pool www full"];
  const collector = createEvidenceCollector({ ...ports, pressure: () => found });
  collector.capture();
  found = ["Unknown (paused)"];
  time.ms = 60_000;
  const alone = await collector.take(false);
  assertEquals(alone, [{ title: "pressure, 1970-01-01T00:00:00Z", lines: ["PhpSaturated: pool www full"] }]);
  assertEquals((await collector.take(true))[0], alone[0]);
  assertEquals(started.length, 2);
  time.ms = 200_000;
  assertEquals((await collector.take(false))[0]?.lines, ["Unknown (paused)"]);
  assertEquals(started.length, 2);
});
