/** Unpacks a body that was packed although nobody asked for it. */

/** Formats of the runtime by their name in HTTP. */
const FORMATS: Readonly<Record<string, CompressionFormat>> = {
  "gzip": "gzip",
  "x-gzip": "gzip",
  "deflate": "deflate",
};

/** What was inside. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** All of it, without damage. */
  readonly isAll: boolean;
}

/**
 * Unpacks as much as there may be: a few packed bytes can be gigabytes of zeros.
 *
 * @returns Undefined for a format that is not known here. Never rejects
 */
export async function maybeUnpacked(
  encoding: string,
  packed: Uint8Array,
  limitBytes: number,
): Promise<Unpacked | undefined> {
  const format = FORMATS[encoding];
  if (format === undefined) return undefined;
  const bytes = new Uint8Array(limitBytes);
  let byteCount = 0;
  const reader = new Blob([new Uint8Array(packed)]).stream()
    .pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { bytes: bytes.subarray(0, byteCount), isAll: true };
      const piece = value.subarray(0, limitBytes - byteCount);
      bytes.set(piece, byteCount);
      byteCount += piece.length;
      if (piece.length < value.length) break;
    }
  } catch {
    // Damaged, or cut at what is looked at: what came out before counts.
  }
  await reader.cancel().catch(() => {});
  return { bytes: bytes.subarray(0, byteCount), isAll: false };
}
