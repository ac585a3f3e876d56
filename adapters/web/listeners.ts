/** Which sockets wait for connections, and whose they are. */

import { type Listener, parseTcpListeners, parseUnixListeners } from "../../mod/proc/net_listeners.ts";
import { maybeText } from "../quiet_file.ts";

/** The listeners in the network that a process sees; undefined where it cannot be read. Never throws. */
export function maybeListeners(root: string, pid: number | "self"): readonly Listener[] | undefined {
  const folder = `${root}/${pid}/net`;
  const tcp = maybeText(`${folder}/tcp`);
  const tcp6 = maybeText(`${folder}/tcp6`);
  const unix = maybeText(`${folder}/unix`);
  // Without IPv6 there is no tcp6.
  if (tcp === undefined || unix === undefined) return undefined;
  return [...parseTcpListeners(tcp), ...parseTcpListeners(tcp6 ?? ""), ...parseUnixListeners(unix)];
}

/**
 * The inodes of the sockets that a process has open; undefined where they cannot be seen, as of a process of
 * root by one that has not all of root's capabilities. Never throws.
 */
export function maybeSocketInodes(root: string, pid: number): ReadonlySet<number> | undefined {
  const folder = `${root}/${pid}/fd`;
  const inodes = new Set<number>();
  try {
    for (const { name } of Deno.readDirSync(folder)) {
      const inode = inodeOf(`${folder}/${name}`);
      if (inode !== undefined) inodes.add(inode);
    }
    return inodes;
  } catch {
    return undefined;
  }
}

/**
 * The number in a link such as `socket:[31337]`; undefined for other files, and for one closed meanwhile.
 *
 * @throws What `Deno.readLinkSync` throws for a link that may not be read, as it may be listed all the same
 */
function inodeOf(path: string): number | undefined {
  try {
    const inode = /^socket:\[(\d+)\]$/.exec(Deno.readLinkSync(path))?.[1];
    return inode === undefined ? undefined : Number(inode);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
