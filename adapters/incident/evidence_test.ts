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
  return { started, time, ports: { run, clock: { monotonicMs: () => time.ms, wallMs: () => time.ms } } };
}

Deno.test("createEvidenceCollector() shows processes and CPU figures of this machine", async () => {
  const clock = { monotonicMs: () => 0, wallMs: () => 0 };
  const sections = await createEvidenceCollector({ run: runCommand, clock }).take();
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
  const first = await collector.take();
  assertEquals(started, ["/usr/bin/ps", "/usr/bin/vmstat"]);
  time.ms = 60_000;
  assertEquals(await collector.take(), first);
  time.ms = 200_000;
  await collector.take();
  assertEquals(started.length, 4);
});

Deno.test("createEvidenceCollector() says what could not be seen, and why", async () => {
  const missing = host({ code: 127, stderr: "No such file" });
  const sections = await createEvidenceCollector(missing.ports).take();
  assertEquals(sections.map(({ lines }) => lines), [
    ["ps exited 127: No such file"],
    ["vmstat exited 127: No such file"],
  ]);
  assertEquals(missing.started.sort(), ["/bin/ps", "/bin/vmstat", "/usr/bin/ps", "/usr/bin/vmstat"]);
  const hung = await createEvidenceCollector(host({ code: 137, timedOut: true }).ports).take();
  assertEquals(hung[0]?.lines, ["ps gave no answer within 5000 ms"]);
});
