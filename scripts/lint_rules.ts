/**
 * Lint rules of this project, for `deno lint` and editors: named under `lint.plugins` in `deno.json`.
 *
 * - `loadweir/pure-core`: `mod/` has no clock and no randomness. That it has no Deno, no console and no
 *   timers is a type error already, see `check_purity.ts`; these are what the language itself brings.
 * - `loadweir/one-spawner`: in `adapters/`, programs are started by `command.ts` alone, which gives each a
 *   deadline and a plain environment.
 *
 * Tests are free of both.
 */

import { relative, resolve } from "node:path";
import { isTestFile, PROJECT } from "./project_files.ts";

/** A reason to refuse a member such as `Date.now`, by `object.property`. */
const IMPURE_MEMBERS: Readonly<Record<string, string>> = {
  "Date.now": "the time comes in with the sample",
  "Math.random": "the core gives the same answer each time",
};

/** Ways to start a program, by `object.property`. */
const SPAWNING_MEMBERS: readonly string[] = ["Deno.Command"];

/** The one file that may start programs. */
const SPAWNER = resolve(PROJECT, "adapters/command.ts");

/** Refuses clocks and randomness in `mod/`. */
const pureCore: Deno.lint.Rule = {
  create(context): Deno.lint.LintVisitor {
    if (!isSource(context.filename, "mod")) return {};
    const refuseDate = (node: Deno.lint.NewExpression | Deno.lint.CallExpression): void => {
      const now = node.type === "CallExpression" || node.arguments.length === 0;
      if (now && textOf(node.callee) === "Date") {
        context.report({ node, message: "The time now in mod/: the time comes in with the sample" });
      }
    };
    return {
      MemberExpression(node): void {
        const member = memberOf(node);
        const reason = member === undefined ? undefined : IMPURE_MEMBERS[member];
        if (reason !== undefined) context.report({ node, message: `${member} in mod/: ${reason}` });
      },
      NewExpression: refuseDate,
      CallExpression: refuseDate,
    };
  },
};

/** Refuses starting programs in `adapters/`, but for `adapters/command.ts`. */
const oneSpawner: Deno.lint.Rule = {
  create(context): Deno.lint.LintVisitor {
    const { filename } = context;
    if (!isSource(filename, "adapters") || resolve(PROJECT, filename) === SPAWNER) return {};
    return {
      MemberExpression(node): void {
        const member = memberOf(node);
        if (member !== undefined && SPAWNING_MEMBERS.includes(member)) {
          context.report({
            node,
            message: `${member} outside of adapters/command.ts, which starts every program`,
          });
        }
      },
    };
  },
};

/** Whether a file, named by itself or from the project's folder, is in a top folder and is no test. */
function isSource(filename: string, folder: "mod" | "adapters"): boolean {
  return relative(PROJECT, resolve(PROJECT, filename)).startsWith(`${folder}/`) && !isTestFile(filename);
}

/** `Date.now` for `Date.now`, `Date["now"]` and `globalThis.Date.now`; undefined for what is computed. */
function memberOf(node: Deno.lint.MemberExpression): string | undefined {
  const object = textOf(node.object);
  const property = node.property.type === "Identifier" && !node.computed
    ? node.property.name
    : node.property.type === "Literal"
    ? String(node.property.value)
    : undefined;
  return object === undefined || property === undefined ? undefined : `${object}.${property}`;
}

/** The name of a global: `Date` for `Date` and `globalThis.Date`. */
function textOf(node: Deno.lint.Expression | Deno.lint.Super): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression") return undefined;
  const member = memberOf(node);
  return member?.startsWith("globalThis.") ? member.slice("globalThis.".length) : undefined;
}

const plugin: Deno.lint.Plugin = {
  name: "loadweir",
  rules: { "pure-core": pureCore, "one-spawner": oneSpawner },
};

export default plugin;
