/** Who waits at which socket, from the kernel: nobody is asked for it, and nobody has to answer. */

import { messageOf } from "../../mod/errors.ts";
import type { FpmListen } from "../../mod/fpm_pools.ts";
import { parseTcpListeners, type TcpListener, waitingAtPort } from "../../mod/proc/net_listeners.ts";
import { parseUnixQueues } from "../../mod/proc/net_unix.ts";
import { absent, failed, mapReading, ok, type Reading } from "../../mod/reading.ts";
import type { Source } from "../source.ts";
import { NO_PROC_ROOT, readFigure } from "./figures.ts";

/** The queues of one moment. */
export interface SocketQueues {
  /** Connections that wait at a socket; absent where nobody listens there. Never throws. */
  readonly waitingAt: (listen: FpmListen) => Reading<number>;
}

/** Each file is read when it is first asked for. */
export function readSocketQueues(source: Source): SocketQueues {
  let unix: Reading<ReadonlyMap<string, number>> | undefined;
  let tcp: Reading<readonly TcpListener[]> | undefined;
  return {
    waitingAt(listen: FpmListen): Reading<number> {
      switch (listen.kind) {
        case "unix":
          unix ??= readFigure(source, "net/unix", parseUnixQueues);
          return orNobody(mapReading(unix, (queues) => queues.get(listen.path)), listen.path);
        case "tcp": {
          tcp ??= readTcpListeners(source);
          const address = /^\d+\.\d+\.\d+\.\d+$/.test(listen.host ?? "") ? listen.host : undefined;
          return orNobody(
            mapReading(tcp, (rows) => waitingAtPort(rows, listen.port, address)),
            `port ${listen.port}`,
          );
        }
        case "unclear":
          return failed(`it is not clear what "${listen.text}" is relative to`);
      }
    },
  };
}

function orNobody(waiting: Reading<number | undefined>, at: string): Reading<number> {
  if (waiting.kind !== "ok") return waiting;
  return waiting.value === undefined ? absent(`nobody listens at ${at}`) : ok(waiting.value);
}

function readTcpListeners(source: Source): Reading<readonly TcpListener[]> {
  if (source.kind !== "proc-root") return NO_PROC_ROOT;
  const { root } = source;
  try {
    return ok(["tcp", "tcp6"].flatMap((name) => parseTcpListeners(readListenerRows(`${root}/net/${name}`))));
  } catch (error) {
    return failed(messageOf(error));
  }
}

/** Used for every read, which are one after the other: the runtime collects buffers late, and this is on every look. */
const chunk = new Uint8Array(65_536);

/** A row of a socket that does not listen. */
const OTHER_ROW = /^ *\d+: [\dA-F]+:[\dA-F]{4} [\dA-F]+:[\dA-F]{4} (?!0A)[\dA-F]{2} /m;

/**
 * The rows of listeners, which the kernel writes before all others: the rest, on a busy host a hundred thousand
 * connections, is not read.
 *
 * @returns Empty where there is no such file, as without IPv6
 * @throws What Deno throws for a file that cannot be read
 */
function readListenerRows(path: string): string {
  const decoder = new TextDecoder();
  let text = "";
  try {
    using file = Deno.openSync(path);
    while (!OTHER_ROW.test(text)) {
      const count = file.readSync(chunk);
      if (count === null) break;
      text += decoder.decode(chunk.subarray(0, count), { stream: true });
    }
    return text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
