/**
 * Prints what is new in a release, from `CHANGELOG.md`, and fails when the tag is not that of this version:
 *
 *     deno run --allow-read scripts/release_notes.ts v1.2.0
 */

import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { messageOf } from "../mod/errors.ts";
import { PROJECT } from "./project_files.ts";

/**
 * The part of a changelog that belongs to a tag.
 *
 * @param changelog Its text, in which each release begins with `## VERSION / YYYY-MM-DD`
 * @throws {Error} If the tag is not that of the version, or the release is missing, empty or without a date
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  if (tag !== `v${version}`) {
    throw new Error(
      `Cannot release "${tag}": deno.json has version ${version}, expected the tag v${version}`,
    );
  }
  for (const part of changelog.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = part.split("\n");
    const [name, date = ""] = heading.split(" / ");
    if (name !== version) continue;
    if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) {
      throw new Error(`Cannot release "${tag}": CHANGELOG.md dates it "${date}", expected YYYY-MM-DD`);
    }
    const notes = lines.join("\n").trim();
    if (notes === "") throw new Error(`Cannot release "${tag}": CHANGELOG.md says nothing of it`);
    return `${notes}\n`;
  }
  throw new Error(`Cannot release "${tag}": CHANGELOG.md has no heading "## ${version} / DATE"`);
}

if (import.meta.main) {
  try {
    const changelog = await Deno.readTextFile(join(PROJECT, "CHANGELOG.md"));
    const notes = releaseNotes(Deno.args[0] ?? "", manifest.version, changelog);
    Deno.stdout.writeSync(new TextEncoder().encode(notes));
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${messageOf(error)}\n`));
    Deno.exit(1);
  }
}
