/** `loadweir run`: guards this host, or with `--dry-run` watches it and says what would be done. */

import { recordOfEvidence, renderEvidence } from "../../mod/report/evidence.ts";
import { type Pass, runAgent } from "../agent.ts";
import { createAuditExecutor } from "../audit_executor.ts";
import { runCommand } from "../command.ts";
import { type Diagnostics, openDiagnostics } from "../diagnostics.ts";
import { tellMissing } from "../sensor_notices.ts";
import { durationType } from "../../mod/config/values.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { type Host, openHost } from "./host.ts";
import { maybeForeignLoad, notesOf } from "./notes.ts";
import { complain, OutputClosedError, print } from "./output.ts";

/** What is told of each pass, and what must be put in order at the end. */
interface Report {
  readonly show: (pass: Pass) => void;
  readonly end: () => void;
}

/** Runs the agent; with `--dry-run` as an audit, until it is interrupted or for a number of passes. */
export async function run(args: Arguments): Promise<ExitCode> {
  if (!args.has("dry-run")) {
    refuseAuditFlags(args);
    const { runArmed } = await import("./armed_run.ts");
    return await runArmed(args, "run");
  }
  const passLimit = passLimitOf(args);
  const intervalMs = timeOf(args, "every", EVERY);
  const host = await openHost(args);
  const rules = intervalMs === undefined ? host.settings.rules : { ...host.settings.rules, intervalMs };
  const onTerminal = Deno.stdout.isTerminal() && !args.has("json");
  const diagnostics = await openDiagnostics((line) => onTerminal ? undefined : complain(line));
  const foreignLoad = await maybeForeignLoad(host);
  const notes = [...notesOf(host), ...foreignLoad === undefined ? [] : [foreignLoad]];
  for (const note of notes) diagnostics.tell(note);
  const report = onTerminal
    ? await panelReport(host, notes, passLimit === 1)
    : lineReport(host, diagnostics, args.has("json"));
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, onSignal);
  try {
    if (onTerminal) await host.sampler.take("load");
    await runAgent({
      rules: () => rules,
      clock: host.clock,
      sampler: host.sampler,
      execute: createAuditExecutor(host.settings.config, {
        ...host,
        run: runCommand,
        profile: host.settings.profile,
      }),
      report: (pass) => showUnlessClosed(report, pass, onSignal),
    }, { passLimit, closeLook: onTerminal, signal: stop.signal });
  } finally {
    report.end();
    host.processes.close();
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.removeSignalListener(signal, onSignal);
  }
  return EXIT.ok;
}

/** What counts with `--dry-run` alone. */
const AUDIT_FLAGS = ["every", "json", "once", "passes"] as const;

/** Whoever types one of them means to look: arming the host instead would be the worst way to take it. */
function refuseAuditFlags(args: Arguments): void {
  const flag = AUDIT_FLAGS.find((name) => args.has(name) || args.value(name) !== undefined);
  if (flag !== undefined) {
    throw new UsageError(
      `--${flag} is for --dry-run, and without it run is armed: loadweir run --dry-run --${flag}`,
    );
  }
}

/** Time between passes: 0 is back to back, for measuring. */
const EVERY = durationType(1, 3_600_000, "back to back");

/** The number of passes asked for; undefined is without end. */
function passLimitOf(args: Arguments): number | undefined {
  const text = args.value("passes");
  if (text === undefined) return args.has("once") ? 1 : undefined;
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1) {
    throw new UsageError(`--passes is ${JSON.stringify(text)}, expected a whole number, 1 or more`);
  }
  return count;
}

function showUnlessClosed(report: Report, pass: Pass, stop: () => void): void {
  try {
    report.show(pass);
  } catch (error) {
    if (!(error instanceof OutputClosedError)) throw error;
    stop();
  }
}

function lineReport({ source }: Host, diagnostics: Diagnostics, json: boolean): Report {
  return {
    show({ decision, sample, outcomes }: Pass): void {
      tellMissing(sample, diagnostics);
      const would = outcomes.map(({ text }) => text);
      const context = { wallMs: sample.wallMs, mode: "audit", source: source.name, would } as const;
      print(
        json
          ? `${JSON.stringify(recordOfEvidence(decision, context))}\n`
          : `${renderEvidence(decision, context)}\n`,
      );
    },
    end(): void {},
  };
}

async function panelReport(host: Host, notes: readonly string[], once: boolean): Promise<Report> {
  const { createPanelReport } = await import("./panel_report.ts");
  return createPanelReport(host, notes, once);
}
