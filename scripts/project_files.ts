/** Lists the TypeScript files of the project. */

import { join, relative } from "node:path";

/** The folders that hold code. */
const FOLDERS = ["adapters", "mod", "scripts", "test"] as const;

/** A folder of the project that holds code. */
export type Folder = typeof FOLDERS[number];

/** Folder of the project. */
export const PROJECT = join(import.meta.dirname ?? ".", "..");

/** Every `.ts` file in the folders that hold code, and `main.ts`: paths relative to `root`, sorted. */
export function listProjectFiles(root: string, folders: readonly Folder[] = FOLDERS): readonly string[] {
  const files = folders.flatMap((folder) => listTypeScript(join(root, folder)));
  if (folders === FOLDERS) files.push(join(root, "main.ts"));
  return files.map((file) => relative(root, file)).sort();
}

/** Whether a file is a test, or only serves tests. */
export function isTestFile(file: string): boolean {
  return file.endsWith("_test.ts") || /(^|\/)(test|testing)\//.test(file);
}

/** The `.ts` files in a folder and below. */
function listTypeScript(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory) return listTypeScript(path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}
