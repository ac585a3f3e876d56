/**
 * Cuts the runtime out of a program that `deno compile` made: `denort` comes first, the program after it.
 *
 * The runtime ends with its ELF section headers, and the ELF header says where those are:
 *
 *     0  7f 45 4c 46 02 01    magic, 64 bit, little endian
 *     18 e_machine            40 e_shoff    58 e_shentsize    60 e_shnum
 *
 * @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
 */

import type { Target } from "./targets.ts";

/** Size of the header of a 64-bit ELF file, in bytes. */
const ELF_HEADER_BYTES = 64;

/** What the start of an ELF file says. */
export interface ElfHeader {
  /** `e_machine`: 62 is x86_64, 183 is aarch64. */
  readonly machine: number;
  /** Where the section headers end, in bytes from the start of the file. */
  readonly endOfSectionHeaders: number;
}

/** Thrown when a file holds no runtime, or not the one that is pinned. */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
}

/**
 * Reads the header of a 64-bit little-endian ELF file.
 *
 * @param bytes The file, or at least its first 64 bytes
 * @param source Where the bytes come from, for the error
 * @throws {RuntimeError} If it is no such file
 */
export function parseElfHeader(bytes: Uint8Array, source: string): ElfHeader {
  const magic = [0x7f, 0x45, 0x4c, 0x46, 2, 1];
  if (bytes.length < ELF_HEADER_BYTES || magic.some((byte, index) => bytes[index] !== byte)) {
    throw new RuntimeError(`Cannot use "${source}": not a 64-bit little-endian ELF file`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, ELF_HEADER_BYTES);
  const sectionHeaderBytes = view.getUint16(58, true) * view.getUint16(60, true);
  return {
    machine: view.getUint16(18, true),
    endOfSectionHeaders: Number(view.getBigUint64(40, true)) + sectionHeaderBytes,
  };
}

/**
 * The runtime at the start of a compiled program, without what was appended to it.
 *
 * @param program The whole file
 * @param source Where it comes from, for the error
 * @throws {RuntimeError} If the file is no ELF file for the target, or ends before its section headers do
 */
export function cutRuntime(
  program: Uint8Array<ArrayBuffer>,
  target: Pick<Target, "arch" | "elfMachine">,
  source: string,
): Uint8Array<ArrayBuffer> {
  const { machine, endOfSectionHeaders } = parseElfHeader(program, source);
  if (machine !== target.elfMachine) {
    const expected = `expected ${target.elfMachine} for ${target.arch}`;
    throw new RuntimeError(`Cannot use "${source}": made for ELF machine ${machine}, ${expected}`);
  }
  if (endOfSectionHeaders > program.length) {
    throw new RuntimeError(
      `Cannot use "${source}": ${program.length} bytes, expected at least ${endOfSectionHeaders}: cut short`,
    );
  }
  return program.subarray(0, endOfSectionHeaders);
}

/**
 * Checks a runtime against the sum that is pinned for the target.
 *
 * @param runtime The runtime alone, as `cutRuntime` gives it
 * @param source Where it comes from, for the error
 * @throws {RuntimeError} If it is another runtime
 */
export async function verifyRuntime(
  runtime: Uint8Array<ArrayBuffer>,
  target: Pick<Target, "arch" | "runtimeSha256">,
  source: string,
): Promise<void> {
  const sum = await sha256Hex(runtime);
  if (sum !== target.runtimeSha256) {
    const seen = `SHA-256 is ${sum}, expected ${target.runtimeSha256}`;
    throw new RuntimeError(`Cannot use the runtime of "${source}" for ${target.arch}: ${seen}`);
  }
}

/** SHA-256 in hex, as `sha256sum` prints it. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
