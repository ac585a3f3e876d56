/**
 * Writes a table into a document, between two marks:
 *
 *     <!-- permissions: made by `scripts/deno task docs` -->
 *     <!-- end of permissions -->
 */

import { join } from "node:path";
import { messageOf } from "../mod/errors.ts";
import { PROJECT } from "./project_files.ts";

/** A table and its place. */
export interface DocumentTable {
  /** The document, relative to the project. */
  readonly file: string;
  /** What the table is of, as its marks say. */
  readonly subject: string;
  /** The table in Markdown. */
  readonly table: string;
}

/**
 * A document with the table between its marks.
 *
 * @throws {Error} If the marks are not there, each once and in order
 */
export function withTable(document: string, { subject, table }: Omit<DocumentTable, "file">): string {
  const start = `<!-- ${subject}: made by \`scripts/deno task docs\` -->`;
  const end = `<!-- end of ${subject} -->`;
  const [before, inside, ...more] = document.split(start);
  const [, after, ...rest] = inside?.split(end) ?? [];
  if (before === undefined || after === undefined || more.length > 0 || rest.length > 0) {
    throw new Error(`Cannot place the ${subject}: expected once each, in this order: ${start} and ${end}`);
  }
  // The formatter would make every row as wide as the widest.
  return [
    `${before}${start}`,
    "<!-- deno-fmt-ignore-start -->",
    "",
    table,
    "",
    "<!-- deno-fmt-ignore-end -->",
    "",
  ]
    .concat(`${end}${after}`).join("\n");
}

/**
 * What a script does that places a table: it writes the document, or with `--check` changes nothing. Ends the program with
 * 1 where it is not up to date, or cannot be.
 */
export async function placeTable(place: DocumentTable, args: readonly string[]): Promise<void> {
  const path = join(PROJECT, place.file);
  try {
    const written = await Deno.readTextFile(path);
    const wanted = withTable(written, place);
    if (!args.includes("--check")) return await Deno.writeTextFile(path, wanted);
    if (written !== wanted) {
      throw new Error(
        `${place.file} does not show the ${place.subject} as they are: run scripts/deno task docs`,
      );
    }
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${messageOf(error)}\n`));
    Deno.exit(1);
  }
}
