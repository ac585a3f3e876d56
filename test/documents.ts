/** The documents as tests read them: README.md and docs/, block by block. */

import { join } from "node:path";
import { PROJECT } from "../scripts/project_files.ts";

/** A fenced block. */
export interface Block {
  /** Relative to the project. */
  readonly document: string;
  /** Of the fence, from 1. */
  readonly line: number;
  /** What the fence says. */
  readonly language: string;
  /** What a comment `<!-- test: NAME -->` before it says. */
  readonly name: string | undefined;
  readonly text: string;
}

/** A command of a document, as a person types it. */
export interface Command {
  readonly document: string;
  readonly line: number;
  readonly text: string;
}

/** All documents for people who run hosts. */
export const DOCUMENTS: readonly string[] = [
  "README.md",
  ...[...Deno.readDirSync(join(PROJECT, "docs"))].map(({ name }) => `docs/${name}`).filter((path) =>
    path.endsWith(".md")
  ).sort(),
];

/** Every document, those for people who work on the code too. */
export const ALL_DOCUMENTS: readonly string[] = [
  ...DOCUMENTS,
  ".github/ARCHITECTURE.md",
  ".github/CONTRIBUTING.md",
  "CHANGELOG.md",
];

/** The text of a document. */
export function readDocument(document: string): string {
  return Deno.readTextFileSync(join(PROJECT, document));
}

/** The fenced blocks of a document, in order. */
export function blocksOf(document: string): readonly Block[] {
  const text = readDocument(document);
  return [...text.matchAll(/(?:<!-- test: ([^\n]*) -->\n\n)?^```(.*)\n([^]*?)^```$/gm)].map((match) => {
    const [, name, language = "", inside = ""] = match;
    const fence = text.indexOf("```", match.index);
    return { document, line: text.slice(0, fence).split("\n").length, language, name, text: inside };
  });
}

/** All blocks of a language, of all documents. */
export function blocksIn(language: string): readonly Block[] {
  return DOCUMENTS.flatMap(blocksOf).filter((block) => block.language === language);
}

/** Lines of a document outside of its blocks. */
export function proseOf(document: string): readonly string[] {
  return readDocument(document).replace(/^```.*\n[^]*?^```$/gm, (block) => block.replace(/.+/g, "")).split(
    "\n",
  );
}

/** What is typed in a block of commands: a line each, without what a comment says of it. */
export function commandsOf({ document, line, text }: Block): readonly Command[] {
  return text.split("\n").flatMap((typed, index) => {
    const command = typed.replace(/(^|\s+)# .*$/, "").trim();
    return command === "" ? [] : [{ document, line: line + 1 + index, text: command }];
  });
}

/** Anchors of a document as GitHub makes them of its headings. */
export function anchorsOf(document: string): readonly string[] {
  return [...readDocument(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  );
}
