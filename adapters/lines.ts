/** Reads lines of a file or of standard input, many at a time, in constant memory. */

import { ParseError } from "../mod/errors.ts";

/** Bytes of one read. V8 keeps texts beyond 64 KB apart and frees them late, so that larger reads grow to 100 MB. */
const CHUNK_BYTES = 16 * 1024;

/** The longest line that is waited for, in characters: a file without line ends is no trace. */
const LINE_LIMIT = 1024 * 1024;

/**
 * Reads all lines, a batch for each chunk read. The last line may lack its line end.
 *
 * @param source What is read, for the error
 * @throws {ParseError} If a line is longer than a million characters
 */
export function* readLineBatches(
  stream: { readSync(buffer: Uint8Array): number | null },
  source: string,
): Generator<readonly string[]> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  const decoder = new TextDecoder();
  let rest = "";
  for (let size = stream.readSync(buffer); size !== null; size = stream.readSync(buffer)) {
    const lines = (rest + decoder.decode(buffer.subarray(0, size), { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_LIMIT) {
      throw new ParseError(
        source,
        `a line is longer than ${LINE_LIMIT} characters, expected one sample a line`,
      );
    }
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield [rest];
}
