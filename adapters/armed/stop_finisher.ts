/**
 * Finishes what was begun with a stop: a process that was chosen to end and is stopped still, because its agent was killed
 * or no further signal could be sent, is ended; one that was stopped in its place goes on. In the background, one round at
 * a time.
 */

import { type IncidentEvent, plainEvent } from "../../mod/incident/event.ts";
import { type NextStep, nextStepOf, type StoppedProcess } from "../../mod/processes/stop_list.ts";
import { waitAtMost } from "../deadline.ts";
import { continueProcesses, endProcesses, isOwnTable, maybeState, type SignalPorts } from "../signal.ts";
import type { Source } from "../source.ts";
import type { StopList } from "../stop_list_file.ts";

/** Finishes what is on the list. */
export interface StopFinisher {
  /** Looks at what is on the list, in the background; returns at once. */
  readonly follow: () => void;
  /** Does something that stops processes itself, while nothing is finished here. Rejects as that does. */
  readonly meanwhile: <T>(task: () => Promise<T>) => Promise<T>;
  /** Waits for what is being done, or until the time is over. */
  readonly settle: (deadlineMs: number) => Promise<void>;
}

/** What a finisher works with. */
export interface StopFinisherPorts extends Pick<SignalPorts, "run" | "clock"> {
  readonly source: Source;
  readonly list: StopList;
  readonly tell: (event: IncidentEvent) => void;
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

const SUBJECT = "stopped runaways";

/** Opens a finisher. */
export function openStopFinisher(ports: StopFinisherPorts): StopFinisher {
  const { run, clock, source, list, tell, tellChange } = ports;
  let working: Promise<unknown> = Promise.resolve();
  let isRoundWaiting = false;

  /** Does one thing after another. */
  function begin<T>(task: () => Promise<T>): Promise<T> {
    const work = working.then(task);
    working = work.catch(() => {});
    return work;
  }

  async function round(): Promise<void> {
    if (source.kind !== "proc-root" || !isOwnTable(source.root)) {
      return tellChange(SUBJECT, "without a proc root nobody can tell whether they are stopped still");
    }
    const { root } = source;
    const nowMs = clock.monotonicMs();
    const states = list.processes().map((process) => ({
      process,
      step: nextStepOf(process, maybeState(process, root), nowMs),
    }));
    const inStep = (wanted: NextStep): readonly StoppedProcess[] =>
      states.filter(({ step }) => step === wanted).map(({ process }) => process);
    list.forget(inStep("forget"));
    await continueProcesses(inStep("continue"), { run, root, clock });
    const toEnd = inStep("end");
    const endings = await endProcesses(toEnd, { run, root, clock, stops: list });
    const ended = toEnd.filter((_, index) => endings[index] === "ended");
    if (ended.length > 0) tell(plainEvent("kill-runaways", ended.map(({ pid }) => leftText(pid))));
    const left = [...toEnd, ...inStep("continue")].filter((process) => maybeState(process, root) === "T");
    const pids = left.map(({ pid }) => pid).join(", ");
    tellChange(SUBJECT, left.length === 0 ? undefined : `still stopped, and tried again: pid ${pids}`);
  }

  return {
    follow(): void {
      if (isRoundWaiting || list.processes().length === 0) return;
      isRoundWaiting = true;
      void begin(() => {
        isRoundWaiting = false;
        return round();
      });
    },
    meanwhile: begin,
    settle: (deadlineMs) => waitAtMost(deadlineMs, working, clock),
  };
}

function leftText(pid: number): string {
  return `pid ${pid}, which had been left stopped: ended`;
}
