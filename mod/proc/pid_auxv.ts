/**
 * `/proc/<pid>/auxv`: what the kernel tells a program when it starts it, as pairs of 64-bit words, a kind and a value.
 *
 *     06 00 00 00 00 00 00 00  00 10 00 00 00 00 00 00      AT_PAGESZ, 4096
 *
 * @see https://man7.org/linux/man-pages/man3/getauxval.3.html
 */

/** AT_PAGESZ. */
const PAGE_SIZE = 6n;

const WORD_BYTES = 8;

/**
 * The size of a page of memory in bytes, which on arm64 is the kernel's choice. Never throws.
 *
 * @param bytes The whole file, of a 64-bit program on a machine that puts the low byte first
 * @returns Undefined where it is not told
 */
export function parsePageBytes(bytes: Uint8Array): number | undefined {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 2 * WORD_BYTES <= bytes.byteLength; at += 2 * WORD_BYTES) {
    if (words.getBigUint64(at, true) !== PAGE_SIZE) continue;
    const size = Number(words.getBigUint64(at + WORD_BYTES, true));
    // Anything else is another file.
    return size >= 1_024 && size <= 1 << 20 && Number.isInteger(Math.log2(size)) ? size : undefined;
  }
  return undefined;
}
