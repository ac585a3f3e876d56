/** Writes the list of permissions into the README; with `--check` it only looks whether it is there. */

import { type Permission, PERMISSION_KINDS, PERMISSIONS, permittedValues } from "../mod/permissions.ts";
import { placeTable } from "./document_table.ts";

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

if (import.meta.main) {
  await placeTable({ file: "README.md", subject: "permissions", table: renderPermissions() }, Deno.args);
}
