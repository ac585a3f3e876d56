import { assert, assertEquals } from "@std/assert";
import { testNeeding } from "../../test/needs.ts";
import { runCommand } from "../command.ts";
import { renderCompletions } from "./completions.ts";
import { VERBS } from "./verbs.ts";

/** What bash offers for a command line, its last word still being typed. */
async function offeredBy(words: readonly string[]): Promise<readonly string[]> {
  const script = `${renderCompletions("bash")}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length - 1}
_loadweir
printf '%s\\n' "\${COMPREPLY[@]}"
`;
  const { code, stdout, stderr } = await runCommand("/bin/bash", ["-c", script], { deadlineMs: 10_000 });
  assertEquals([code, stderr], [0, ""]);
  return stdout.split("\n").filter((line) => line !== "");
}

Deno.test("bash completes verbs, and the flags of each", async () => {
  assertEquals(await offeredBy(["loadweir", "re"]), ["record", "release", "replay", "resume"]);
  assertEquals(await offeredBy(["loadweir", "run", "--d"]), ["--dry-run"]);
  assertEquals(await offeredBy(["loadweir", "status", "--"]), [
    "--config",
    "--exit-code",
    "--json",
    "--procfs",
    "--help",
    "--version",
  ]);
});

Deno.test("bash completes shells, and files after a flag that takes one", async () => {
  assertEquals(await offeredBy(["loadweir", "completions", "z"]), ["zsh"]);
  assertEquals(
    await offeredBy(["loadweir", "status", "--config", "/etc/host"]).then((all) =>
      all.includes("/etc/hosts")
    ),
    true,
  );
});

/** What is to be offered after some words, and nothing else: operands of the verbs that have them. */
const OPERANDS = [
  ["loadweir print ma", ["man"]],
  ["loadweir print un", ["unit"]],
  ["loadweir completions f", ["fish"]],
  ["loadweir explain --p", ["--pressure"]],
  ["loadweir pressure --w", ["--watch"]],
  ["loadweir replay --p", ["--pressure"]],
] as const;

Deno.test("bash completes the operands and flags of print, explain and pressure", async () => {
  for (const [line, offered] of OPERANDS) assertEquals(await offeredBy(line.split(" ")), offered, line);
});

testNeeding(["/usr/bin/fish"], "fish completes the same", async () => {
  for (const [line, offered] of OPERANDS) {
    const script = `${renderCompletions("fish")}\ncomplete -C '${line}'\n`;
    const { code, stdout, stderr } = await runCommand("/usr/bin/fish", ["--no-config", "-c", script], {
      deadlineMs: 10_000,
    });
    assertEquals([code, stderr], [0, ""]);
    const words = stdout.trim().split("\n").map((row) => row.split("\t")[0]);
    assertEquals(words, [...offered], line);
  }
});

testNeeding(["/usr/bin/zsh"], "zsh is told the same", async () => {
  for (const [line, [offered]] of OPERANDS) {
    const script = `compdef() { }
_arguments() { print -l -- "$@" }
${renderCompletions("zsh")}
words=(${line}) CURRENT=3
_loadweir`;
    const { code, stdout, stderr } = await runCommand("/usr/bin/zsh", ["-f", "-c", script], {
      deadlineMs: 10_000,
    });
    assertEquals([code, stderr], [0, ""]);
    const specs = stdout.trim().split("\n");
    const words = specs.flatMap((spec) =>
      /^1:.*:\((.*)\)$/.exec(spec)?.[1]?.split(" ") ?? [spec.split("[")[0]]
    );
    assert(words.includes(offered), `${line}: ${stdout}`);
  }
});

for (const shell of ["bash", "zsh", "fish"] as const) {
  Deno.test(`renderCompletions() for ${shell} names every verb and flag`, () => {
    const script = renderCompletions(shell);
    for (const { name, flags } of VERBS) {
      assert(script.includes(name), name);
      for (const flag of flags) assert(script.includes(flag.name), flag.name);
    }
  });
}

for (const [shell, program] of [["zsh", "/usr/bin/zsh"], ["fish", "/usr/bin/fish"]] as const) {
  testNeeding([program], `${shell} reads its completions without a complaint`, async () => {
    const { code, stderr } = await runCommand(program, ["-n", "/dev/stdin"], {
      deadlineMs: 10_000,
      stdin: renderCompletions(shell),
    });
    assertEquals([code, stderr], [0, ""]);
  });
}
