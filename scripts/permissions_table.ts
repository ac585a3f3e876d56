/**
 * Writes the list of permissions into the README, between two marks:
 *
 *     <!-- permissions: made by `scripts/deno task docs` -->
 *     <!-- end of permissions -->
 *
 * With `--check` it changes nothing and fails when the README is not up to date.
 */

import { join } from "node:path";
import { messageOf } from "../mod/errors.ts";
import { type Permission, PERMISSION_KINDS, PERMISSIONS, permittedValues } from "../mod/permissions.ts";
import { PROJECT } from "./project_files.ts";

const START = "<!-- permissions: made by `scripts/deno task docs` -->";
const END = "<!-- end of permissions -->";

/** Titles of the kinds, as a reader who does not know Deno understands them. */
const TITLES: Readonly<Record<Permission["kind"], string>> = {
  read: "reads",
  write: "writes",
  run: "runs",
  net: "listens on, connects to",
  env: "reads variable",
  sys: "asks the kernel for",
};

/**
 * The permissions as a Markdown table. Values with the same purpose share a row, so that a reviewer reads
 * each purpose once; every value is there, that of a program which may be run and read as well in the rows of
 * what is run.
 */
export function renderPermissions(permissions: readonly Permission[] = PERMISSIONS): string {
  const programs = new Set(permittedValues("run", permissions));
  const rows = PERMISSION_KINDS.flatMap((kind) => {
    const ofKind = permissions.filter((permission) => permission.kind === kind);
    if (ofKind.length === 0) return [`| ${TITLES[kind]} | nothing | |`];
    return [...Map.groupBy(ofKind, ({ why }) => why)].map(([why, group]) => {
      const values = group.map(({ value }) => `\`${value}\``).join(" ");
      const alsoRun = kind === "read" && group.every(({ value }) => programs.has(value));
      return `| ${TITLES[kind]} | ${alsoRun ? "every program that it runs" : values} | ${why} |`;
    });
  });
  return ["| it | what | what for |", "| --- | --- | --- |", ...rows].join("\n");
}

/**
 * A document with the table between its marks.
 *
 * @throws {Error} If the marks are not there, each once and in order
 */
export function withTable(document: string, table: string): string {
  const [before, inside, ...more] = document.split(START);
  const [, after, ...rest] = inside?.split(END) ?? [];
  if (before === undefined || after === undefined || more.length > 0 || rest.length > 0) {
    throw new Error(`Cannot place the permissions: expected once each, in this order: ${START} and ${END}`);
  }
  // The formatter would make every row as wide as the widest.
  return [
    `${before}${START}`,
    "<!-- deno-fmt-ignore-start -->",
    "",
    table,
    "",
    "<!-- deno-fmt-ignore-end -->",
    "",
  ]
    .concat(`${END}${after}`).join("\n");
}

if (import.meta.main) {
  const path = join(PROJECT, "README.md");
  try {
    const written = await Deno.readTextFile(path);
    const wanted = withTable(written, renderPermissions());
    if (Deno.args.includes("--check")) {
      if (written !== wanted) {
        throw new Error("README.md does not show the permissions as they are: run scripts/deno task docs");
      }
    } else {
      await Deno.writeTextFile(path, wanted);
    }
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${messageOf(error)}\n`));
    Deno.exit(1);
  }
}
