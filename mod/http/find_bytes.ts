/**
 * Where some bytes stand among others; -1 where they do not. Nothing is found at the start. Never throws.
 *
 * @param from Where to begin: what was looked through before, less the length of what is looked for
 */
export function findBytes(among: Uint8Array, wanted: Uint8Array, from = 0): number {
  const [first] = wanted;
  if (first === undefined) return 0;
  let at = among.indexOf(first, Math.max(0, from));
  while (at >= 0 && at + wanted.length <= among.length) {
    if (wanted.every((byte, index) => among[at + index] === byte)) return at;
    at = among.indexOf(first, at + 1);
  }
  return -1;
}
