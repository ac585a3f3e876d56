import { assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { isTestFile, listProjectFiles, PROJECT } from "./project_files.ts";
import { releaseNotes } from "./release_notes.ts";

const CHANGELOG = `## 1.2.0 / 2027-01-31

- [FEATURE] new: a thing
  that takes two lines.

## 1.1.0 / unreleased

- [FIX] old: another.

## 1.0.0 / 2026-12-01
`;

Deno.test("releaseNotes() gives the part of the changelog that belongs to the tag", () => {
  assertEquals(
    releaseNotes("v1.2.0", "1.2.0", CHANGELOG),
    "- [FEATURE] new: a thing\n  that takes two lines.\n",
  );
});

for (
  const { name, tag, version, says } of [
    { name: "of another version", tag: "v1.2.1", version: "1.2.0", says: "expected the tag v1.2.0" },
    { name: "without a v", tag: "1.2.0", version: "1.2.0", says: "expected the tag v1.2.0" },
    { name: "that is missing", tag: "v1.3.0", version: "1.3.0", says: 'no heading "## 1.3.0 / DATE"' },
    { name: "without a date", tag: "v1.1.0", version: "1.1.0", says: 'dates it "unreleased"' },
    { name: "of which nothing is said", tag: "v1.0.0", version: "1.0.0", says: "says nothing of it" },
  ]
) {
  Deno.test(`releaseNotes() refuses a release ${name}`, () => {
    assertThrows(() => releaseNotes(tag, version, CHANGELOG), Error, says);
  });
}

Deno.test("the version stands in deno.json, in a heading of the changelog, and nowhere else", () => {
  const documents = [
    "README.md",
    ...[...Deno.readDirSync(join(PROJECT, "docs"))].map(({ name }) => `docs/${name}`),
    ...["ci.yml", "release.yml"].map((name) => `.github/workflows/${name}`),
  ];
  const code = listProjectFiles(PROJECT).filter((file) => !isTestFile(file) && !file.startsWith("test/"));
  const holding = [...documents, ...code].filter((file) => {
    const text = Deno.readTextFileSync(join(PROJECT, file));
    // A comment may show what a line looks like.
    return text.replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, "").includes(manifest.version);
  });
  assertEquals(holding, []);
  const changelog = Deno.readTextFileSync(join(PROJECT, "CHANGELOG.md"));
  assertEquals(changelog.split("\n")[0]?.split(" / ")[0], `## ${manifest.version}`);
});
