import { assertEquals } from "@std/assert";
import type { CommandResult, RunCommand } from "../command.ts";
import { rememberAnswers } from "./remembered_answers.ts";

const SOUND: CommandResult = { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 10 };
const BROKEN: CommandResult = { ...SOUND, code: 1, stderr: "[emerg] test failed" };
const LATE: CommandResult = { ...SOUND, code: 137, timedOut: true };

/** A host that answers as it is told, and a time. */
function host(): { answer: CommandResult; nowMs: number; asked: string[] } & { readonly run: RunCommand } {
  const self = {
    answer: SOUND,
    nowMs: 1_000,
    asked: [] as string[],
    run: (program: string, args: readonly string[], { deadlineMs }: { readonly deadlineMs: number }) => {
      self.asked.push(`${program} ${args.join(" ")} ${deadlineMs}`);
      return Promise.resolve(self.answer);
    },
  };
  return self;
}

Deno.test("rememberAnswers() gives the answer of before where none comes in time, to the same question alone", async () => {
  const here = host();
  const { run, runPatiently } = rememberAnswers(here.run, { monotonicMs: () => here.nowMs });
  here.answer = BROKEN;
  assertEquals(await runPatiently("nginx", ["-t"], { deadlineMs: 3_000 }), BROKEN);
  here.answer = LATE;
  here.nowMs += 59_999;
  assertEquals(await run("nginx", ["-t"], { deadlineMs: 3_000 }), BROKEN);
  assertEquals(await run("php-fpm8.2", ["-t"], { deadlineMs: 3_000 }), LATE);
  assertEquals(here.asked, ["nginx -t 12000", "nginx -t 3000", "php-fpm8.2 -t 3000"]);
});

Deno.test("rememberAnswers() takes what is said now before what was said, and forgets what is old", async () => {
  const here = host();
  const { run } = rememberAnswers(here.run, { monotonicMs: () => here.nowMs });
  here.answer = BROKEN;
  await run("nginx", ["-t"], { deadlineMs: 3_000 });
  here.answer = SOUND;
  assertEquals(await run("nginx", ["-t"], { deadlineMs: 3_000 }), SOUND);
  here.answer = LATE;
  assertEquals(await run("nginx", ["-t"], { deadlineMs: 3_000 }), SOUND);
  here.nowMs += 60_000;
  assertEquals(await run("nginx", ["-t"], { deadlineMs: 3_000 }), LATE);
});
