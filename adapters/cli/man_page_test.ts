import { assert, assertEquals } from "@std/assert";
import { testNeeding } from "../../test/needs.ts";
import { runCommand } from "../command.ts";
import { renderVerbHelp } from "./help.ts";
import { renderManPage } from "./man_page.ts";
import { VERBS } from "./verbs.ts";

/** The page as it is read, 78 columns wide. */
async function formatted(page: string): Promise<{ readonly text: string; readonly complaints: string }> {
  const { code, stdout, stderr } = await runCommand("/usr/bin/groff", [
    "-man",
    "-ww",
    "-Tutf8",
    "-P-c",
    "-P-bou",
  ], {
    deadlineMs: 10_000,
    stdin: page,
  });
  assertEquals(code, 0);
  return { text: stdout, complaints: stderr };
}

/** Words alone: where lines break is a matter of the page. */
function words(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

testNeeding(["/usr/bin/groff"], "renderManPage() is formatted without a warning", async () => {
  assertEquals((await formatted(renderManPage())).complaints, "");
});

testNeeding(["/usr/bin/groff"], "renderManPage() says of every verb what its help says", async () => {
  const page = words((await formatted(renderManPage())).text);
  for (const verb of VERBS) {
    const { details, flags, examples } = verb;
    const help = words(renderVerbHelp(verb));
    const said = [details, ...flags.map(({ help }) => help), ...examples.flatMap(([command]) => command)];
    for (const text of said) {
      assert(help.includes(words(text)), `help of ${verb.name}: ${text}`);
      assert(page.includes(words(text)), `page on ${verb.name}: ${text}`);
    }
  }
});

testNeeding(["/usr/bin/man"], "man shows the page without a warning", async () => {
  const { code, stdout, stderr } = await runCommand("/usr/bin/man", ["--warnings", "-l", "-"], {
    deadlineMs: 10_000,
    stdin: renderManPage(),
  });
  assertEquals([code, stderr], [0, ""]);
  assert(stdout.includes("EXIT STATUS"));
});
