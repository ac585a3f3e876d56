/**
 * The output of `ps` with {@linkcode PS_ARGUMENTS}: all processes, for a host whose `/proc` may not be read.
 *
 *            2          0 S       1              0 kthreadd         [kthreadd]
 *          812          1 S       1          13820 nginx            nginx: master process /usr/sbin/nginx
 *
 * (The column of the name is 64 wide; the sample is narrower.)
 *
 * What `/proc` would tell and this does not: where one argument ends and the next begins, blanks at the end
 * of a name, and when a process started to the tick. `ps` prints `?` or another stand-in for line ends and
 * bytes beyond ASCII.
 *
 * @see https://man7.org/linux/man-pages/man1/ps.1.html
 */

import { ParseError, quote } from "../errors.ts";

/** One process as `ps` shows it. */
export interface PsRow {
  readonly pid: number;
  readonly ppid: number;
  /** One letter, as in `/proc/<pid>/stat`: R running, S sleeping, D waiting for a disk, Z zombie. */
  readonly state: string;
  readonly threadCount: number;
  /** The name of the program or script, cut after 15 bytes for programs, without blanks at its end. */
  readonly comm: string;
  /** All arguments, joined by blanks. `[name]` for a kernel thread, `[name] <defunct>` for a zombie. */
  readonly args: string;
  /** Whether it is a thread of the kernel itself: it runs no program, and a signal does nothing to it. */
  readonly isKernelThread: boolean;
}

/** The longest name that the kernel shows, that of a kernel worker: 63 bytes and one for the gap. */
const COMM_WIDTH = 64;

/** Width of a line: the columns before the arguments, and enough of these to tell program and script. */
const LINE_WIDTH = 1_024;

/**
 * What to ask `ps` for. Fixed columns, no header, and the arguments last, because names and arguments hold
 * blanks. Lines are cut: a single process may have megabytes of arguments.
 */
export const PS_ARGUMENTS: readonly string[] = [
  "--width",
  String(LINE_WIDTH),
  "-e",
  "-o",
  `pid:10=,ppid:10=,state:2=,nlwp:6=,vsz:14=,comm:${COMM_WIDTH}=,args=`,
];

/** One line in those columns: pid, parent, state, threads, memory in KiB, name, arguments. */
const ROW = new RegExp(
  `^ *([1-9]\\d{0,9}) +(\\d{1,10}) ([A-Za-z]) +(\\d{1,10}) +(\\d{1,15}) (.{${COMM_WIDTH}}) (.*)$`,
  "s",
);

/**
 * kthreadd, the parent of all other kernel threads. In a container 2 is a process like any other, with
 * memory.
 */
const KTHREADD_PID = 2;

/**
 * Reads the output of `ps` with {@linkcode PS_ARGUMENTS}.
 *
 * @param text What the command printed, with `LC_ALL=C`
 * @param source The command, for errors
 * @throws {ParseError} If the text is empty or if a line does not have these columns
 */
export function parsePs(text: string, source = `ps ${PS_ARGUMENTS.join(" ")}`): readonly PsRow[] {
  if (text.trim() === "") throw new ParseError(source, "is empty, expected one line for each process");
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => parseRow(line, source, index + 1));
}

function parseRow(line: string, source: string, lineNumber: number): PsRow {
  const [, pidText, ppidText, state, threads, vsizeKib, comm, args] = ROW.exec(line) ?? [];
  if (state === undefined || comm === undefined || args === undefined) {
    throw new ParseError(
      source,
      `is ${quote(line)}, expected pid, parent, state, threads, memory, name and arguments`,
      lineNumber,
    );
  }
  const pid = Number(pidText);
  const ppid = Number(ppidText);
  return {
    pid,
    ppid,
    state,
    threadCount: Number(threads),
    comm: comm.trimEnd(),
    args: args.trimEnd(),
    isKernelThread: (pid === KTHREADD_PID || ppid === KTHREADD_PID) && Number(vsizeKib) === 0 &&
      state !== "Z",
  };
}
