/**
 * `/proc/sys/fs/file-nr`: open files of the whole system, and how many there may be.
 *
 *     1952	0	9223372036854775807
 *
 * The second figure is 0 since Linux 2.6. systemd raises the last one to 2^63-1, which is no limit at all.
 *
 * @see https://www.kernel.org/doc/html/latest/admin-guide/sysctl/fs.html#file-max-file-nr
 */

import { ParseError, quote } from "../errors.ts";

/** Open files of the system. */
export interface FileNr {
  readonly allocatedCount: number;
  /** `unlimited` above the greatest exact number: nothing ever opens so many. */
  readonly maxCount: number | "unlimited";
}

const FILE_NR = /^(\d{1,15})\s+\d{1,15}\s+(\d{1,19})$/;

/**
 * Reads `file-nr`.
 *
 * @param text The whole file
 * @param source Where the text is from, for errors
 * @throws {ParseError} If the text is not three whole numbers, or if the last one is 0
 */
export function parseFileNr(text: string, source = "/proc/sys/fs/file-nr"): FileNr {
  const [, allocated, max] = FILE_NR.exec(text.trim()) ?? [];
  if (allocated === undefined || Number(max) === 0) {
    throw new ParseError(source, `is ${quote(text.trim())}, expected three whole numbers, the last above 0`);
  }
  return {
    allocatedCount: Number(allocated),
    maxCount: Number.isSafeInteger(Number(max)) ? Number(max) : "unlimited",
  };
}
