/** Counts in words. */

/** `1 process`, `2 processes`. Never throws. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
