/** Whether nginx loads a file: the way of its `include` lines from the main configuration on. */

import { isGlob, matchesGlob } from "../glob.ts";
import { parseIncludes, resolveInclude } from "./include.ts";

/** What is searched. */
export interface IncludeSearch {
  /** Paths of all files that may be looked at. */
  readonly paths: readonly string[];
  /** Those that nginx loads for certain: the main configuration, and what it is known to include. */
  readonly entries: readonly string[];
  /** Folder of the main configuration: relative patterns count from it. */
  readonly folder: string;
  /** The text of one of the files; undefined when it cannot be read. */
  readonly maybeText: (path: string) => string | undefined;
}

/** A line that includes the file looked for. */
export interface IncludePlace {
  /** The file that the line is in. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What it includes, as an absolute path or pattern. */
  readonly pattern: string;
}

/**
 * What was found:
 * - `included`: nginx loads it
 * - `unreached`: lines would include it, but in files that nginx does not load
 * - `none`: no line includes it
 */
export type IncludeFinding =
  | { readonly kind: "included"; readonly places: readonly [IncludePlace, ...IncludePlace[]] }
  | { readonly kind: "unreached"; readonly places: readonly [IncludePlace, ...IncludePlace[]] }
  | { readonly kind: "none" };

/** Looks for the lines that include a path, which need not exist. Throws only what `maybeText` throws. */
export function findInclude(target: string, search: IncludeSearch): IncludeFinding {
  const { paths, entries, folder, maybeText } = search;
  const known = new Set(paths);
  const filesByPattern = new Map<string, readonly string[]>();
  function includesOf(path: string): readonly IncludePlace[] {
    return parseIncludes(maybeText(path) ?? "").map(({ pattern, line }) => (
      { path, line, pattern: resolveInclude(pattern, folder) }
    ));
  }
  function filesOf(pattern: string): readonly string[] {
    if (!isGlob(pattern)) return known.has(pattern) ? [pattern] : [];
    const files = filesByPattern.get(pattern) ?? paths.filter((path) => matchesGlob(pattern, path));
    filesByPattern.set(pattern, files);
    return files;
  }

  const reached = new Set(entries);
  const places: IncludePlace[] = [];
  // The set grows while it is walked: each file is looked at once, however often it is included.
  for (const path of reached) {
    for (const place of includesOf(path)) {
      if (matchesGlob(place.pattern, target)) places.push(place);
      for (const file of filesOf(place.pattern)) reached.add(file);
    }
  }
  const [first, ...rest] = places;
  if (first !== undefined) return { kind: "included", places: [first, ...rest] };

  const [idle, ...others] = paths.filter((path) => !reached.has(path)).flatMap(includesOf)
    .filter(({ pattern }) => matchesGlob(pattern, target));
  return idle === undefined ? { kind: "none" } : { kind: "unreached", places: [idle, ...others] };
}
