import { assert, assertEquals, assertThrows } from "@std/assert";
import { readInvocation, UsageError } from "./arguments.ts";
import { VERBS } from "./verbs.ts";

/** The arguments of a verb, or a failed test. */
function argumentsOf(
  ...words: readonly string[]
): Extract<ReturnType<typeof readInvocation>, { kind: "verb" }>["args"] {
  const invocation = readInvocation(words);
  assert(invocation.kind === "verb");
  return invocation.args;
}

Deno.test("readInvocation() reads flags with and without a value, repeated ones, and operands", () => {
  const args = argumentsOf("replay", "night.jsonl", "--json", "--set", "ladder.max=5", "--set=ladder.crit=9");
  assertEquals(args.operands, ["night.jsonl"]);
  assertEquals([args.has("json"), args.has("once"), args.value("config")], [true, false, undefined]);
  assertEquals(args.values("set"), ["ladder.max=5", "ladder.crit=9"]);
});

Deno.test("readInvocation() takes a lone dash for an operand, and what follows -- as it is", () => {
  assertEquals(argumentsOf("replay", "-", "--json").operands, ["-"]);
  assertEquals(argumentsOf("status", "--config", "-").value("config"), "-");
  assertEquals(argumentsOf("replay", "--", "--odd-name").operands, ["--odd-name"]);
});

Deno.test("readInvocation() keeps a name that looks like a number", () => {
  assertEquals(argumentsOf("record", "007").operands, ["007"]);
  assertEquals(argumentsOf("record", "1e3").operands, ["1e3"]);
});

Deno.test("readInvocation() gives help and version wherever they are asked for", () => {
  assertEquals(readInvocation(["--help"]), { kind: "help", verb: undefined });
  assertEquals(readInvocation(["help", "run"]).kind, "help");
  assertEquals(readInvocation(["run", "--help"]).kind, "help");
  assertEquals(readInvocation(["run", "-h"]).kind, "help");
  assertEquals(readInvocation(["--version"]), { kind: "version" });
  assertEquals(readInvocation(["status", "--version"]), { kind: "version" });
});

const REFUSED: readonly (readonly [string, readonly string[], string])[] = [
  ["nothing", [], "no verb given"],
  ["an unknown verb", ["rnu"], "unknown verb rnu, did you mean run?"],
  ["a verb that resembles none", ["frobnicate"], "unknown verb frobnicate;"],
  ["an unknown flag", ["run", "--dryrun"], "unknown flag --dryrun, did you mean --dry-run?"],
  ["an unknown flag with a value", ["run", "--procf=/x"], "unknown flag --procf, did you mean --procfs?"],
  ["a flag before the verb", ["--helpp"], "unknown flag --helpp, did you mean --help?"],
  ["an unknown short flag", ["run", "-x"], "unknown flag -x"],
  ["a flag of another verb", ["status", "--once"], "unknown flag --once"],
  ["a flag without its value", ["status", "--config"], "--config needs a value"],
  ["a flag with a value it does not take", ["run", "--dry-run=yes"], "--dry-run takes no value"],
  ["an operand too many", ["status", "now"], 'unexpected "now" after status'],
  ["an operand too few", ["replay"], "replay needs TRACE|-"],
  ["a flag given twice", ["status", "--config", "a", "--config", "b"], "--config is given twice"],
];

for (const [name, words, message] of REFUSED) {
  Deno.test(`readInvocation() refuses ${name}`, () => {
    assertThrows(() => readInvocation(words), UsageError, message);
  });
}

Deno.test("VERBS is in alphabetical order, and every flag has help with its default or meaning", () => {
  const names = VERBS.map(({ name }) => name);
  assertEquals(names, names.toSorted());
  for (const verb of VERBS) {
    assert(verb.examples.length > 0, `${verb.name} has no example`);
    for (const { name, help } of verb.flags) {
      assert(/^[a-z]/.test(help), `--${name} of ${verb.name}: ${help}`);
    }
    assertEquals(verb.flags.map(({ name }) => name), verb.flags.map(({ name }) => name).toSorted());
  }
});
