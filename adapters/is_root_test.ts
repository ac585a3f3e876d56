import { assertEquals } from "@std/assert";
import { isRoot } from "./is_root.ts";

for (
  const [who, uid, expected] of [
    ["root", () => 0, true],
    ["a user", () => 1000, false],
    ["nobody", () => 65_534, false],
    ["a system without user ids", () => null, false],
    ["a sandbox that does not tell", () => {
      throw new Deno.errors.NotCapable('Requires sys access to "uid"');
    }, true],
  ] as const
) {
  Deno.test(`isRoot() is ${expected} for ${who}`, () => assertEquals(isRoot(uid), expected));
}

Deno.test("isRoot() asks the runtime, and takes its refusal for root", async () => {
  const answers = await Promise.all([["--allow-sys=uid"], []].map(async (grants) => {
    const script = `import { isRoot } from ${JSON.stringify(import.meta.resolve("./is_root.ts"))};
      console.log(isRoot());`;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-config",
        "--no-lock",
        "--no-prompt",
        ...grants,
        `data:text/javascript,${encodeURIComponent(script)}`,
      ],
    }).output();
    return new TextDecoder().decode(stdout).trim();
  }));
  assertEquals(answers, [`${Deno.uid() === 0}`, "true"]);
});
