/** Wall clock times in text. */

/** A wall clock time, milliseconds since 1970, as `2026-11-29T19:31:05Z`. */
export function timestamp(wallMs: number): string {
  return new Date(wallMs).toISOString().replace(/\.\d+Z$/, "Z");
}
