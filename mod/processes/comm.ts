/**
 * The kernel's short name of a process (`comm`): what it becomes for a given program, and when it says too
 * little.
 */

/** The kernel's TASK_COMM_LEN without the closing NUL, in bytes. */
const COMM_BYTES = 15;

/** What stands for the bytes of a character that was cut in two. */
const REPLACEMENT = "\uFFFD";

/**
 * The comm that a program or script of this name gets: its first 15 bytes in UTF-8. Never throws.
 *
 * @param name A base name, as `mysql_cluster_backup.sh`
 * @returns What is read from `/proc/<pid>/comm`, as `mysql_cluster_b`
 */
export function commOf(name: string): string {
  let bytes = 0;
  let comm = "";
  for (const character of name) {
    const width = utf8Width(character);
    if (bytes + width > COMM_BYTES) return bytes < COMM_BYTES && width > 1 ? comm + REPLACEMENT : comm;
    comm += character;
    bytes += width;
  }
  return comm;
}

/**
 * Whether the comm of a program of this name fits longer names as well: all of the 15 bytes are in use, so
 * whether something was cut off cannot be seen. `mysql_backup.sh` is 15 bytes long.
 */
export function isAmbiguousComm(name: string): boolean {
  let bytes = 0;
  for (const character of name) bytes += utf8Width(character);
  return bytes >= COMM_BYTES;
}

function utf8Width(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}
