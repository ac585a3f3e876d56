/** A host in a temporary folder, for tests: its files, and programs that answer as they are told. */

import { dirname } from "node:path";
import type { CommandResult, RunCommand } from "../command.ts";
import { createHostFiles, type HostFiles } from "./host_files.ts";

/** What stands at a path: the text of a file, or where a link points to. */
export type TempEntry = string | { readonly link: string } | { readonly program: string };

/** A folder that is removed when it is disposed of. */
export interface TempHost extends AsyncDisposable {
  /** The folder that stands for `/`. */
  readonly root: string;
  readonly files: HostFiles;
}

/** Makes a host of files, links and programs by their absolute paths. */
export async function makeTempHost(entries: Readonly<Record<string, TempEntry>>): Promise<TempHost> {
  const root = await Deno.makeTempDir({ prefix: "loadweir-host-" });
  for (const [path, entry] of Object.entries(entries)) {
    await Deno.mkdir(dirname(root + path), { recursive: true });
    if (typeof entry === "string") await Deno.writeTextFile(root + path, entry);
    else if ("link" in entry) await Deno.symlink(entry.link, root + path);
    else await Deno.writeTextFile(root + path, entry.program, { mode: 0o755 });
  }
  return {
    root,
    files: createHostFiles(root),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** What a program answers; it succeeds and prints nothing unless said otherwise. */
export type Answer = Partial<CommandResult>;

/**
 * Programs that answer by their command line, as `/usr/sbin/nginx -v`. Any other one cannot be started.
 *
 * @param calls Gets each command line that is run
 */
export function answering(answers: Readonly<Record<string, Answer>>, calls: string[] = []): RunCommand {
  return (program, args) => {
    const line = [program, ...args].join(" ");
    calls.push(line);
    const answer = answers[line] ?? { code: 127, stderr: "not found" };
    return Promise.resolve({ code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1, ...answer });
  };
}
