/**
 * What a person should know of the agent itself: a sensor that fails, a source that was passed over. Not the evidence,
 * which is the product, but what explains it. Through LogTape, to standard error.
 */

import { configure, getLogger, type LogRecord } from "@logtape/logtape";

/** Tells things once: a sensor that fails on every pass is one notice, and its return another. */
export interface Diagnostics {
  /** Tells a line. */
  readonly tell: (line: string) => void;
  /**
   * Tells a line about a subject, unless the line about it is the same as last time.
   *
   * @param line Undefined when all is well again, which is told if something else was before
   */
  readonly tellChange: (subject: string, line: string | undefined) => void;
}

/**
 * Opens the diagnostics of this process. LogTape is set up once a process, so a second call takes the first one's place.
 *
 * @param write Takes each line, without a line end
 */
export async function openDiagnostics(write: (line: string) => void): Promise<Diagnostics> {
  await configure({
    reset: true,
    sinks: { lines: (record) => write(`loadweir: ${textOf(record)}`) },
    loggers: [
      { category: "loadweir", sinks: ["lines"], lowestLevel: "info" },
      // LogTape's own logger announces itself on every start unless it is told not to.
      { category: ["logtape", "meta"], sinks: ["lines"], lowestLevel: "error" },
    ],
  });
  const logger = getLogger("loadweir");
  const last = new Map<string, string>();
  // As a value and not as a template: braces in a path or a process name are no placeholders.
  const tell = (line: string): void => logger.warn("{line}", { line });
  return {
    tell,
    tellChange(subject: string, line: string | undefined): void {
      const before = last.get(subject);
      if (before === line) return;
      if (line === undefined) {
        last.delete(subject);
        tell(`${subject}: well again`);
      } else {
        last.set(subject, line);
        tell(line);
      }
    },
  };
}

function textOf({ message }: LogRecord): string {
  return message.map((part) => typeof part === "string" ? part : String(part)).join("");
}
