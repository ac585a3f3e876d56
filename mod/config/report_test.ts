import { assert, assertEquals } from "@std/assert";
import type { Problem } from "./problem.ts";
import { countProblems, problemRecord, renderProblem, renderProblems } from "./report.ts";
import { resolveConfig } from "./resolve.ts";

const NOWHERE = { line: undefined, key: undefined, value: undefined, using: undefined };

Deno.test("renderProblems() aligns lines under their source", () => {
  const text = "[ladder]\nmax = 6.1\ncrit = 2.5\n\n\n\n\n\nresume_fracton = 0.8\n[web]\nmax_hold = 5\n";
  const { problems } = resolveConfig({
    ini: { source: "/etc/loadweir/loadweir.ini", text },
    overrides: ["ladder.task=0.9"],
  });
  assertEquals(renderProblems(problems), [
    "/etc/loadweir/loadweir.ini",
    "  line 3   [ladder] crit = 2.5 is below max = 6.1, expected spider < max < crit   " +
    "using spider 2.1, max 6.1, crit 8.1",
    "  line 9   [ladder] resume_fracton: unknown key, did you mean resume_fraction?    ignored",
    '  line 11  [web] max_hold is "5", expected a time from 1s to 24h with its unit ms, s, m or h, ' +
    "or 0 for " +
    "no limit   using 30m",
    "--set",
    "  ladder.task = 0.9 is near or below 1.0 load per CPU, so that backend tasks would wait under " +
    "ordinary " +
    "traffic   kept",
  ]);
  assertEquals(renderProblems([]), []);
});

Deno.test("renderProblems() takes as many problems as a file can have lines", () => {
  const { problems } = resolveConfig({
    ini: { source: "x.ini", text: `[ladder]\n${"?\n".repeat(300_000)}` },
  });
  assertEquals(renderProblems(problems).length, 300_001);
});

Deno.test("countProblems() counts problems and advice apart, as check does", () => {
  const problemsOf = (text: string): readonly Problem[] =>
    resolveConfig({ ini: { source: "x.ini", text } }).problems;
  assertEquals(countProblems(problemsOf("[ladder]\nmax = x\n")), "1 problem");
  assertEquals(countProblems(problemsOf("[ladder]\nspider = 1\n")), "1 to think about");
  assertEquals(
    countProblems(problemsOf("[ladder]\nspider = 1\nmax = x\ncritt = 9\n")),
    "2 problems, 1 to think about",
  );
  assertEquals(countProblems([]), "");
});

Deno.test("renderProblem() says what was used instead, also when that is nothing", () => {
  const problem: Problem = { ...NOWHERE, source: "x.ini", message: "has NUL bytes", level: "error" };
  assertEquals(renderProblem(problem), 'Cannot use "x.ini": has NUL bytes; ignored');
  assertEquals(
    renderProblem({ ...problem, line: 2, key: "[incident] email", using: "", level: "warning" }),
    'Cannot use "x.ini" line 2: has NUL bytes; using nothing',
  );
});

Deno.test("renderProblem() never passes on control characters or endless text", () => {
  const message = `\u001b[2J\u009b${"x".repeat(100_000)}`;
  const sentence = renderProblem({ ...NOWHERE, source: "x.ini", message, level: "warning" });
  assert(sentence.length < 400);
  // deno-lint-ignore no-control-regex
  assert(!/[\x00-\x1f\x7f-\x9f]/.test(sentence));
});

Deno.test("problemRecord() has every part, null where there is none", () => {
  assertEquals(problemRecord({ ...NOWHERE, source: "x.ini", message: "m", level: "error" }), {
    level: "error",
    source: "x.ini",
    line: null,
    key: null,
    value: null,
    message: "m",
    using: null,
  });
});
