/** `loadweir record NAME`: records this host for a replay. */

import { messageOf } from "../../mod/errors.ts";
import { durationType } from "../../mod/config/values.ts";
import { timestamp } from "../../mod/report/timestamp.ts";
import { durationText } from "../../mod/report/duration.ts";
import { copyProcTree } from "../proc_tree.ts";
import { RECORDINGS, recordSamples } from "../recorder.ts";
import { describeSource } from "../source.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { openHost } from "./host.ts";
import { complain, print } from "./output.ts";
import { VERSION } from "./version.ts";

/** A name is one folder name: it cannot lead elsewhere. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const EVERY = durationType(500, 3_600_000);
const FOR = durationType(1_000, 31 * 86_400_000);

const DEFAULT_EVERY_MS = 5_000;
const DEFAULT_FOR_MS = 600_000;

/** Records until the time is over or Ctrl-C. */
export async function record(args: Arguments): Promise<ExitCode> {
  const [name = ""] = args.operands;
  if (!NAME.test(name)) {
    throw new UsageError(
      `NAME is ${JSON.stringify(name)}, expected letters, digits, dot, dash or underscore`,
    );
  }
  const everyMs = timeOf(args, "every", EVERY) ?? DEFAULT_EVERY_MS;
  const forMs = timeOf(args, "for", FOR) ?? DEFAULT_FOR_MS;
  const host = await openHost(args);
  const folder = `${RECORDINGS}/${name}`;
  makeFolder(folder, name);
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, onSignal);
  try {
    if (host.source.kind === "proc-root") {
      const origin =
        `recorded ${timestamp(host.clock.wallMs())} by loadweir ${VERSION} from ${
          describeSource(host.source)
        }; ` +
        "command lines cut to program and script names";
      const copied = await copyProcTree(host.source.root, `${folder}/proc`, origin);
      complain(`loadweir: ${copied} processes copied to ${folder}/proc`);
    } else {
      complain(
        "loadweir: without a proc root only the trace is recorded; `loadweir check` says how to mount one",
      );
    }
    const onTerminal = Deno.stderr.isTerminal();
    const { samples, tracePath } = await recordSamples(host.clock, host.sampler, {
      folder,
      everyMs,
      forMs,
      signal: stop.signal,
      progress(count: number, leftMs: number): void {
        if (onTerminal) Deno.stderr.writeSync(progressLine(count, leftMs));
      },
    });
    if (onTerminal) complain("");
    print(`${samples} samples in ${tracePath}; replay with: loadweir replay ${tracePath}\n`);
  } finally {
    host.processes.close();
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.removeSignalListener(signal, onSignal);
  }
  return EXIT.ok;
}

function progressLine(samples: number, leftMs: number): Uint8Array {
  return new TextEncoder().encode(`\r\x1b[K${samples} samples, ${durationText(leftMs)} left, Ctrl-C ends it`);
}

function makeFolder(folder: string, name: string): void {
  try {
    Deno.mkdirSync(RECORDINGS, { recursive: true, mode: 0o750 });
    Deno.mkdirSync(folder);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new UsageError(`there is a recording ${name} already: choose another name, or remove ${folder}`);
    }
    if (error instanceof Deno.errors.PermissionDenied) {
      throw new Error(`Cannot make ${folder}: ${messageOf(error)}; recording needs root`);
    }
    throw error;
  }
}
