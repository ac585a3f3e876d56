/**
 * Makes the binaries: `dist/loadweir-x86_64`, `dist/loadweir-aarch64`, their bill of materials `dist/loadweir.cdx.json`
 * and `dist/SHA256SUMS`.
 *
 *     scripts/deno task compile [--official]
 *
 * With `--official` the runtime is Deno's own download; else `DENORT_BIN`, the cache or npm. Whichever it is,
 * it must have the pinned sum. Progress goes to standard error.
 */

import { join } from "node:path";
import { parseArgs } from "@std/cli/parse-args";
import { messageOf } from "../mod/errors.ts";
import manifest from "../deno.json" with { type: "json" };
import { bundleProgram, npmCacheOf } from "./bundle.ts";
import { compileProgram } from "./compile_program.ts";
import { sha256Hex } from "./denort.ts";
import { runToolOk } from "./run_tool.ts";
import { findRuntime, runtimeCacheDir } from "./runtime.ts";
import { licensesIn, renderSbom } from "./sbom.ts";
import { DENO_VERSION, TARGETS } from "./targets.ts";

/** Name of the bill of materials. */
const BILL = "loadweir.cdx.json";

const CHECK_DEADLINE_MS = 5 * 60_000;

/** What to compile, and how. */
export interface Build {
  /** Folder of the project. */
  readonly root: string;
  /** Main module, relative to `root`. */
  readonly entry: string;
  /** Folder for the binaries, relative to `root`; made when missing. */
  readonly outDir: string;
  /** Whether Deno downloads the runtime itself. */
  readonly official: boolean;
  readonly log: (line: string) => void;
}

/**
 * Compiles the program for every target and writes the bill and the sums, in the form that `sha256sum --check` reads.
 *
 * @throws {Error} If the program holds a package that is not locked
 * @throws {ToolError} If the program does not type-check, bundle or compile, or npm fails
 * @throws {RuntimeError} If a runtime is not the pinned one
 */
export async function build({ root, entry, outDir, official, log }: Build): Promise<void> {
  const out = join(root, outDir);
  await Deno.mkdir(out, { recursive: true });
  log(`checking and bundling ${entry}`);
  await runToolOk(Deno.execPath(), {
    args: ["check", "--quiet", entry],
    cwd: root,
    deadlineMs: CHECK_DEADLINE_MS,
  });
  const program = await bundleProgram(entry, root);
  const sums: string[] = [];
  for (const target of TARGETS) {
    const name = `loadweir-${target.arch}`;
    const output = join(out, name);
    const getEnv = (variable: string): string | undefined => Deno.env.get(variable);
    const runtime = official ? undefined : await findRuntime(target, {
      denortBin: getEnv("DENORT_BIN"),
      cacheDir: runtimeCacheDir(getEnv, root),
      log,
    });
    log(`${target.arch}: compiling${official ? " with Deno's own download of the runtime" : ""}`);
    await compileProgram({ program, target, runtime, output });
    sums.push(`${await sha256Hex(await Deno.readFile(output))}  ${name}\n`);
    log(`${target.arch}: ${join(outDir, name)}`);
  }
  const bill = renderSbom({
    version: manifest.version,
    code: [...program.values()].join(""),
    lock: JSON.parse(await Deno.readTextFile(join(root, "deno.lock"))),
    licenseOf: licensesIn(await npmCacheOf(root)),
  });
  await Deno.writeTextFile(join(out, BILL), bill);
  sums.push(`${await sha256Hex(new TextEncoder().encode(bill))}  ${BILL}\n`);
  log(join(outDir, BILL));
  await Deno.writeTextFile(join(out, "SHA256SUMS"), sums.join(""));
  log(join(outDir, "SHA256SUMS"));
}

if (import.meta.main) {
  const log = (line: string): void => {
    Deno.stderr.writeSync(new TextEncoder().encode(`compile: ${line}\n`));
  };
  const unknown: string[] = [];
  const flags = parseArgs(Deno.args, {
    boolean: ["official"],
    string: ["entry", "out"],
    default: { entry: "main.ts", out: "dist" },
    unknown: (arg) => {
      unknown.push(arg);
      return false;
    },
  });
  if (unknown.length > 0) {
    log(`unknown argument ${unknown[0]}; usage: compile [--official] [--entry main.ts] [--out dist]`);
    Deno.exit(2);
  }
  if (Deno.version.deno !== DENO_VERSION) {
    log(`Deno is ${Deno.version.deno}, expected ${DENO_VERSION}: run it as scripts/deno task compile`);
    Deno.exit(2);
  }
  try {
    await build({
      root: join(import.meta.dirname ?? ".", ".."),
      entry: String(flags.entry),
      outDir: String(flags.out),
      official: flags.official === true,
      log,
    });
  } catch (error) {
    log(messageOf(error));
    if (flags.official === true) log("where Deno's own site is closed, leave out --official");
    Deno.exit(1);
  }
}
