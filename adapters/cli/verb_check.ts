/** `loadweir check`: whether this host is set up, and every problem of its configuration. */

import { bold, dim, green, red, yellow } from "@std/fmt/colors";
import { judge } from "../../mod/check/verdict.ts";
import { recordOfCheck } from "../../mod/report/check_record.ts";
import { renderCheck } from "../../mod/report/check_report.ts";
import { checkHost } from "../check/host_check.ts";
import { createHostFiles } from "../check/host_files.ts";
import { systemClock } from "../clock.ts";
import { runCommand } from "../command.ts";
import { CONFIG_PATH, readConfig, STANDARD_INPUT } from "../config_files.ts";
import { onItsOwn, readConfigInEffect } from "../config_in_effect.ts";
import { createProcessReader } from "../process_reader.ts";
import { createSampler } from "../sampler.ts";
import { chooseSource, ProcRootError, type SourceChoice } from "../source.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { print } from "./output.ts";
import { VERSION } from "./version.ts";

const EXIT_CODES = { 0: EXIT.ok, 2: EXIT.usage, 3: EXIT.unsuitable } as const;

/** Width of the labels at the start of lines. */
const LABEL_WIDTH = 10;

/**
 * Prints all that was found. A configuration that cannot be used is a finding like others here, also one that
 * was named: that one is judged on its own.
 *
 * @throws {UsageError} If the folder of `--procfs` is no proc root
 */
export async function check(args: Arguments): Promise<ExitCode> {
  const configPath = args.value("config");
  const loaded = configPath === undefined
    ? await readConfigInEffect()
    : onItsOwn(await readConfig({ configPath }));
  const { config } = loaded;
  const choice = chooseNamedSource(args.value("procfs"), config.procfsPath);
  const processes = createProcessReader(choice.source, runCommand);
  const backups = {
    patterns: { engines: config.backupEngines, orchestrators: config.backupOrchestrators },
    markerPath: config.backupMarkerPath,
  };
  const findings = await checkHost({
    version: VERSION,
    configPath: configPath === STANDARD_INPUT ? "standard input" : configPath ?? CONFIG_PATH,
    loaded,
    choice,
    sampler: createSampler(choice.source, { clock: systemClock, run: runCommand, processes, backups }),
    processes,
    files: createHostFiles(),
    run: runCommand,
    clock: systemClock,
  });
  processes.close();
  const { exitCode } = judge(findings);
  if (args.has("json")) print(`${JSON.stringify(recordOfCheck(findings))}\n`);
  else {
    const lines = renderCheck(findings);
    print(`${(Deno.stdout.isTerminal() ? coloured(lines, exitCode) : lines).join("\n")}\n`);
  }
  return EXIT_CODES[exitCode];
}

function chooseNamedSource(named: string | undefined, configured: string | undefined): SourceChoice {
  try {
    return chooseSource(named, configured);
  } catch (error) {
    if (error instanceof ProcRootError) throw new UsageError(error.message);
    throw error;
  }
}

/** The head bold, labels dim, the verdict in the colour of a traffic light. */
function coloured(lines: readonly string[], exitCode: 0 | 2 | 3): readonly string[] {
  const light = { 0: green, 2: yellow, 3: red }[exitCode];
  return lines.map((line, index) => {
    if (index === 0) return bold(line);
    if (index === lines.length - 1) return light(line);
    return dim(line.slice(0, LABEL_WIDTH)) + line.slice(LABEL_WIDTH);
  });
}
