/** Standard output and standard error. */

const encoder = new TextEncoder();

/** Where texts become bytes before they are written: one place, however much is printed, so that no garbage piles up. */
const buffer = new Uint8Array(64 * 1024);

/** Thrown when whoever reads standard output has gone, as `| head` does: the program ends quietly. */
export class OutputClosedError extends Error {
  override readonly name = "OutputClosedError";
}

/**
 * Writes a text to standard output as it is.
 *
 * @throws {OutputClosedError} If nobody reads it any more
 */
export function print(text: string): void {
  writeAll(Deno.stdout, text);
}

/** Writes a line to standard error; one that nobody reads is lost. */
export function complain(line: string): void {
  try {
    writeAll(Deno.stderr, `${line}\n`);
  } catch {
    // There is nowhere left to say it.
  }
}

type SyncWriter = Pick<typeof Deno.stdout, "writeSync">;

function writeAll(stream: SyncWriter, text: string): void {
  let rest = text;
  while (rest !== "") {
    const { read, written } = encoder.encodeInto(rest, buffer);
    writeBytes(stream, buffer.subarray(0, written));
    rest = rest.slice(read);
  }
}

function writeBytes(stream: SyncWriter, bytes: Uint8Array): void {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw new OutputClosedError("standard output is closed");
    throw error;
  }
}
