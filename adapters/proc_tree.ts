/** Copies a proc root into a folder that rules can be tried on, without what it says about people. */

import { parsePidStat, type PidStat } from "../mod/proc/pid_stat.ts";
import { maybeValue } from "../mod/reading.ts";
import { redactArguments } from "../mod/recording/redact.ts";
import { createCmdlineReader } from "./cmdline_reader.ts";
import { isPsiMissing } from "./psi.ts";

/** Files of a proc root that hold nothing about people. */
const SYSTEM_FILES = ["loadavg", "stat", "meminfo", "pressure/cpu", "pressure/io", "pressure/memory"];

/**
 * Copies what the rules read of a proc root. Command lines are cut to program and script names. What vanishes
 * meanwhile or cannot be read is left out.
 *
 * @returns Processes copied
 */
export async function copyProcTree(root: string, folder: string, origin: string): Promise<number> {
  Deno.mkdirSync(`${folder}/pressure`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/ORIGIN`, `${origin}\n`);
  for (const file of SYSTEM_FILES) copyText(`${root}/${file}`, `${folder}/${file}`);
  const texts = [...Deno.readDirSync(root)].map(({ name }) => maybeProcess(root, name))
    .filter((process) => process !== undefined);
  const reader = createCmdlineReader({ root, deadlineMs: CMDLINE_DEADLINE_MS });
  const cmdlines = await reader.readAll(texts.map(({ stat }) => stat));
  reader.close();
  const poolName = numberedPools();
  for (const [index, process] of texts.entries()) {
    const argv = maybeValue(cmdlines[index]);
    writeProcess(folder, process, argv === undefined ? undefined : redactArguments(argv, poolName));
  }
  return texts.length;
}

/** A read that takes longer hangs on a process in uninterruptible sleep. */
const CMDLINE_DEADLINE_MS = 500;

/** What is kept of one process, but for its command line. */
interface ProcessTexts {
  readonly stat: PidStat;
  readonly statText: string;
  readonly comm: string;
  /** The line of its status that tells its pid namespace; the rest names users. Empty where there is none. */
  readonly namespaceLine: string;
}

/** The texts of a process that is still there, or undefined for what is none. */
function maybeProcess(root: string, name: string): ProcessTexts | undefined {
  if (!/^[1-9]\d*$/.test(name)) return undefined;
  try {
    const statText = Deno.readTextFileSync(`${root}/${name}/stat`);
    const comm = Deno.readTextFileSync(`${root}/${name}/comm`);
    const namespaceLine = /^NSpid:.*\n/m.exec(maybeText(`${root}/${name}/status`))?.[0] ?? "";
    return { stat: parsePidStat(statText), statText, comm, namespaceLine };
  } catch {
    return undefined;
  }
}

function writeProcess(folder: string, process: ProcessTexts, argv: readonly string[] | undefined): void {
  const own = `${folder}/${process.stat.pid}`;
  Deno.mkdirSync(own);
  Deno.writeTextFileSync(`${own}/stat`, process.statText);
  Deno.writeTextFileSync(`${own}/comm`, process.comm);
  if (process.namespaceLine !== "") Deno.writeTextFileSync(`${own}/status`, process.namespaceLine);
  if (argv !== undefined) Deno.writeTextFileSync(`${own}/cmdline`, argv.map((word) => `${word}\0`).join(""));
}

/** Gives pools the names pool1, pool2 and so on, the same pool the same name. */
function numberedPools(): (pool: string) => string {
  const names = new Map<string, string>();
  return (pool) => {
    const name = names.get(pool) ?? `pool${names.size + 1}`;
    names.set(pool, name);
    return name;
  };
}

function maybeText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

function copyText(from: string, to: string): void {
  try {
    Deno.writeTextFileSync(to, Deno.readTextFileSync(from));
  } catch (error) {
    // A kernel without PSI lacks those files; a disk that is full must be heard of.
    if (isPsiMissing(error)) return;
    throw error;
  }
}
