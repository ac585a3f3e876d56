/** Draws texts over one another on a terminal. */

import { print } from "./output.ts";

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_TO_END = "\x1b[J";

/** Where the width of the terminal is not known. */
const DEFAULT_COLUMNS = 80;

/** A place on the terminal. */
export interface Redraw {
  /** Draws lines where those before were. */
  readonly show: (lines: readonly string[]) => void;
  readonly end: () => void;
}

/** Begins below the cursor, which is hidden until the end. */
export function beginRedraw(): Redraw {
  let drawnLines = 0;
  print(HIDE_CURSOR);
  return {
    show(lines): void {
      const back = drawnLines === 0 ? "" : `\x1b[${drawnLines}A\r${CLEAR_TO_END}`;
      print(`${back}${lines.join("\n")}\n`);
      drawnLines = lines.length;
    },
    end: () => print(SHOW_CURSOR),
  };
}

/** A line cut to the terminal: a longer one would wrap, and could not be drawn over. It holds no colours. */
export function fitted(line: string): string {
  const columns = terminalColumns();
  return line.length > columns ? `${line.slice(0, Math.max(1, columns - 1))}…` : line;
}

/** A terminal that does not know its size, as a serial console, says 0. */
function terminalColumns(): number {
  try {
    const { columns } = Deno.consoleSize();
    return columns === 0 ? DEFAULT_COLUMNS : columns;
  } catch {
    return DEFAULT_COLUMNS;
  }
}
