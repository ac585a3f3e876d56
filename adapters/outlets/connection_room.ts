/**
 * The connections of one listener: so many at a time, each for so long.
 *
 * When there are too many, the oldest go, not the newest: a balancer has asked within milliseconds, and whoever
 * holds connections open to keep others out has had their time.
 */

import type { Clock } from "../clock.ts";
import { waitAtMost } from "../deadline.ts";

/** How many, and for how long. */
export interface RoomLimits {
  /** Connections at a time. Open files of the agent are for more than this. */
  readonly connectionLimit: number;
  /** A connection is closed after this long, whatever it is at. */
  readonly deadlineMs: number;
  /** A connection that is younger makes no room for another. */
  readonly graceMs: number;
}

/**
 * Limits for the outlets. HAProxy waits 2 s; a lost packet of a request comes again after 1 s or 3. A request
 * comes right behind the connection, so that the grace is long for it; and 1 280 connections a second get their
 * turn while all the room is taken by some that never ask.
 */
export const ROOM_LIMITS: RoomLimits = { connectionLimit: 128, deadlineMs: 5_000, graceMs: 100 };

/** The open connections. */
export interface ConnectionRoom {
  /** Takes a connection in until its answer ends, then closes it. The answer must not reject. */
  readonly take: (connection: Deno.TcpConn, answer: (connection: Deno.TcpConn) => Promise<void>) => void;
  /** Waits until there is room for one more, and makes some. Whether any had to go. */
  readonly makeRoom: () => Promise<boolean>;
  /** Closes all, and takes no more. */
  readonly close: () => void;
}

/** Opens a room. */
export function openRoom({ connectionLimit, deadlineMs, graceMs }: RoomLimits, clock: Clock): ConnectionRoom {
  /** Since when, the oldest first. */
  const open = new Map<Deno.TcpConn, number>();
  const closing = new AbortController();
  let isSweeping = false;
  let left = Promise.withResolvers<void>();

  function leave(connection: Deno.TcpConn): void {
    if (!open.delete(connection)) return;
    closeQuietly(connection);
    left.resolve();
  }

  /** Closes those that are as old as that, once they are. */
  async function sweepOldest(ageMs: number): Promise<void> {
    const [oldest] = open;
    if (oldest === undefined) return;
    const [connection, sinceMs] = oldest;
    await clock.sleep(sinceMs + ageMs - clock.monotonicMs(), closing.signal);
    leave(connection);
  }

  /** One timer for all, as all have the same deadline. */
  async function sweep(): Promise<void> {
    if (isSweeping) return;
    isSweeping = true;
    while (open.size > 0) await sweepOldest(deadlineMs);
    isSweeping = false;
  }

  return {
    take(connection, answer): void {
      if (closing.signal.aborted) return closeQuietly(connection);
      open.set(connection, clock.monotonicMs());
      void answer(connection).finally(() => leave(connection));
      void sweep();
    },
    async makeRoom(): Promise<boolean> {
      let hadToGo = false;
      while (open.size >= connectionLimit && !closing.signal.aborted) {
        const [oldest] = open;
        left = Promise.withResolvers();
        const waitMs = (oldest?.[1] ?? 0) + graceMs - clock.monotonicMs();
        await waitAtMost(waitMs, left.promise, clock);
        if (open.size < connectionLimit || oldest === undefined) break;
        leave(oldest[0]);
        hadToGo = true;
      }
      return hadToGo;
    },
    close(): void {
      closing.abort();
      for (const connection of [...open.keys()]) leave(connection);
    },
  };
}

/** Closes a connection that may be closed already. */
function closeQuietly(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // The peer was faster.
  }
}
