import { assertEquals } from "@std/assert";
import { join } from "node:path";
import plugin from "./lint_rules.ts";
import { PROJECT } from "./project_files.ts";

/** The rules that a text breaks, in order. */
function broken(filename: string, text: string): readonly string[] {
  return Deno.lint.runPlugin(plugin, filename, text).map(({ id, message }) => `${id}: ${message}`);
}

const NOW = "loadweir/pure-core: The time now in mod/: the time comes in with the sample";
const DATE_NOW = "loadweir/pure-core: Date.now in mod/: the time comes in with the sample";
const RANDOM = "loadweir/pure-core: Math.random in mod/: the core gives the same answer each time";
const SPAWN = "loadweir/one-spawner: Deno.Command outside of adapters/command.ts, which starts every program";

const REFUSED: readonly (readonly [string, string, readonly string[]])[] = [
  ["mod/x.ts", "export const t = Date.now();", [DATE_NOW]],
  ["mod/deep/x.ts", "export const t = Date.now;", [DATE_NOW]],
  [join(PROJECT, "mod/x.ts"), 'export const t = Date["now"]();', [DATE_NOW]],
  ["mod/x.ts", "export const t = globalThis.Date.now();", [DATE_NOW]],
  ["mod/x.ts", "export const t = new Date();", [NOW]],
  ["mod/x.ts", "export const t = new Date;", [NOW]],
  ["mod/x.ts", "export const t = Date();", [NOW]],
  ["mod/x.ts", "export const r = Math.random();", [RANDOM]],
  ["adapters/x.ts", 'new Deno.Command("ps");', [SPAWN]],
  ["adapters/cli/command.ts", 'new Deno.Command("ps");', [SPAWN]],
  ["adapters/x.ts", "const C = globalThis.Deno.Command;", [SPAWN]],
];
for (const [filename, text, rules] of REFUSED) {
  Deno.test(`lint rules refuse ${text} in ${filename}`, () => assertEquals(broken(filename, text), rules));
}

const ALLOWED: readonly (readonly [string, string])[] = [
  ["mod/x.ts", "export const t = new Date(0), u = Date.parse(x), v = Math.round(y);"],
  ["mod/x.ts", '// not Date.now()\nexport const t = "new Date() and Math.random()";'],
  ["/srv/mod/adapters/x.ts", 'Date.now(); new Deno.Command("ps");'],
  ["mod/testing/x.ts", "Date.now();"],
  ["mod/x_test.ts", "Date.now(); new Date(); Math.random();"],
  ["adapters/clock.ts", "Date.now(); new Date();"],
  ["adapters/command.ts", 'new Deno.Command("ps");'],
  ["adapters/x_test.ts", 'new Deno.Command("ps");'],
  ["scripts/x.ts", 'new Deno.Command("ps");'],
];
for (const [filename, text] of ALLOWED) {
  Deno.test(`lint rules allow ${text} in ${filename}`, () => assertEquals(broken(filename, text), []));
}
