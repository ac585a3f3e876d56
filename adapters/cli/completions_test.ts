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
