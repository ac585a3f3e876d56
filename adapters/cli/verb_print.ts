/** `loadweir print [NAME]`: the files that the binary carries, on standard output. */

import { nearest } from "../../mod/nearest.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { print } from "./output.ts";
import { allPrinted } from "./printed.ts";

/** Prints one file as it belongs on the host, or what there is and where it belongs. */
export function printFile(args: Arguments): Promise<ExitCode> {
  const [name] = args.operands;
  if (name === undefined) {
    print(renderList());
    return Promise.resolve(EXIT.ok);
  }
  const file = allPrinted().find((printed) => printed.name === name);
  if (file === undefined) {
    const names = allPrinted().map((printed) => printed.name);
    const near = nearest(name, names);
    const cure = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
    throw new UsageError(`nothing to print is called ${JSON.stringify(name)}, ${cure}`);
  }
  print(file.text());
  return Promise.resolve(EXIT.ok);
}

function renderList(): string {
  const place = (path: string | undefined): string => path ?? "to be run";
  const files = allPrinted();
  const nameWidth = Math.max(...files.map(({ name }) => name.length));
  const pathWidth = Math.max(...files.map(({ path }) => place(path).length));
  return files.map(({ name, path, summary }) =>
    `${name.padEnd(nameWidth)}   ${place(path).padEnd(pathWidth)}   ${summary}\n`
  ).join("");
}
