/** `loadweir pressure`: which tier is the bottleneck, and what would be done about it. */

import { isPressureWatched, pressureRulesOf, type Watched } from "../../mod/pressure/config_rules.ts";
import { NO_ACTIONS } from "../../mod/pressure/actions.ts";
import { countEvaluation, type PressureCount } from "../../mod/pressure/tally.ts";
import { type PressureView, pressureView } from "../../mod/report/pressure_view.ts";
import { keepPressure } from "../armed/pressure_keeper.ts";
import { readBootId } from "../boot.ts";
import { createHostFiles } from "../check/host_files.ts";
import { runCommand } from "../command.ts";
import { createSampler } from "../pressure/look.ts";
import { readPressureState } from "../pressure/pressure_state_file.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { type Host, openHost } from "./host.ts";
import { complain, OutputClosedError, print } from "./output.ts";
import { renderPressure } from "./pressure_report.ts";
import { beginRedraw } from "./redraw.ts";

/** What shows views one after the other, and whether it wants more. */
interface Show {
  readonly view: (view: PressureView, source: string) => void;
  /** How far a first window has come. */
  readonly progress: (text: string) => void;
  readonly end: () => void;
}

/** How often what the agent found is looked at. */
const POLL_MS = 500;

/** Shows pressure once, or until it is interrupted. */
export async function pressure(args: Arguments): Promise<ExitCode> {
  if (args.has("once") && args.has("watch")) throw new UsageError("--once and --watch exclude each other");
  const host = await openHost(args);
  const { settings: { config, instances, apps } } = host;
  const watched: Watched = { config, instances, apps };
  if (!isPressureWatched(watched)) {
    complain(
      "loadweir: nothing to watch: the configuration has no [instance:NAME], no [app:NAME] and no [tier] template; " +
        "see docs/pressure.md",
    );
    return EXIT.usage;
  }
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, onSignal);
  const show = args.has("json")
    ? jsonShow()
    : Deno.stdout.isTerminal() && args.has("watch")
    ? panelShow()
    : textShow();
  const once = !args.has("watch");
  try {
    await follow(host, watched, { show, once, stop, isOwnLook: args.value("config") !== undefined });
  } catch (error) {
    if (!(error instanceof OutputClosedError)) throw error;
  } finally {
    show.end();
    host.processes.close();
    for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.removeSignalListener(signal, onSignal);
  }
  return EXIT.ok;
}

/** How views are followed. */
interface Following {
  readonly show: Show;
  readonly once: boolean;
  readonly stop: AbortController;
  /** Whether the agent's settings may be others than those asked for. */
  readonly isOwnLook: boolean;
}

/**
 * From the agent where one watches: two who ask the same instance may steal one another's figures, as prom-client begins
 * its quantiles anew whenever it is asked. Else by looking here.
 */
async function follow(
  host: Host,
  watched: Watched,
  { show, once, stop, isOwnLook }: Following,
): Promise<void> {
  const { clock, source } = host;
  const bootId = readBootId(source, clock.monotonicMs(), clock.wallMs());
  let shownMs = -Infinity;
  while (!isOwnLook && !stop.signal.aborted) {
    const found = readPressureState({ bootMs: clock.monotonicMs(), bootId });
    if (found.kind !== "ok") break;
    if (found.value.evaluatedBootMs > shownMs) {
      shownMs = found.value.evaluatedBootMs;
      show.view(found.value, "by the running agent");
    }
    if (once) return;
    await clock.sleep(POLL_MS, stop.signal);
  }
  if (!stop.signal.aborted) await look(host, watched, bootId, { show, once, stop });
}

/** Looks here, and changes nothing. */
async function look(
  { clock, source }: Host,
  watched: Watched,
  bootId: string,
  { show, once, stop }: Pick<Following, "show" | "once" | "stop">,
): Promise<void> {
  const sampler = createSampler({ clock, source, run: runCommand, host: createHostFiles() }, watched);
  const rules = { ...pressureRulesOf(watched), mode: "observe" as const };
  let counts: readonly PressureCount[] = [];
  let looks = 0;
  try {
    await keepPressure({
      clock,
      rules: () => rules,
      look: async () => {
        looks += 1;
        if (counts.length === 0 || once) show.progress(`look ${looks}, ${rules.neededSamples} needed`);
        return await sampler.take();
      },
      scaler: { scale: () => {}, isScaling: () => false, takeOutcome: () => undefined },
      isHeld: () => false,
      past: NO_ACTIONS,
      remember: () => {},
      report(evaluation): void {
        counts = countEvaluation(counts, evaluation);
        // One look says little: the first that counts is of a window that is full.
        if (once && looks < rules.neededSamples) return;
        show.view(pressureView(evaluation, bootId, counts), "looked at from here, nothing is changed");
        if (once) stop.abort();
      },
      tellOutcome: () => {},
    }, stop.signal);
  } finally {
    sampler.close();
  }
}

function jsonShow(): Show {
  return {
    view: ({ record }) => print(`${JSON.stringify(record)}\n`),
    progress: () => {},
    end: () => {},
  };
}

function textShow(): Show {
  const isColoured = Deno.stdout.isTerminal() && !Deno.noColor;
  const showsProgress = Deno.stderr.isTerminal();
  const encoder = new TextEncoder();
  return {
    view(view, source): void {
      if (showsProgress) Deno.stderr.writeSync(encoder.encode("\r\x1b[K"));
      print(`${renderPressure(view, source, isColoured)}\n`);
    },
    progress(text): void {
      if (showsProgress) Deno.stderr.writeSync(encoder.encode(`\r${text}\x1b[K`));
    },
    end: () => {},
  };
}

function panelShow(): Show {
  const redraw = beginRedraw();
  const isColoured = !Deno.noColor;
  return {
    view(view, source): void {
      redraw.show([...renderPressure(view, source, isColoured).split("\n"), "", "Ctrl-C ends it"]);
    },
    progress: (text) => redraw.show([text]),
    end: redraw.end,
  };
}
