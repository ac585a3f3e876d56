/**
 * Questions to servers of this host, over their sockets.
 *
 * A server that is out of workers leaves a connection in its queue until it has one. Each socket is therefore
 * asked one thing at a time: a question that was not answered in time stays, and the next look waits for the
 * same one. However long a server hangs, no more than one place of its queue is ours.
 */

import { messageOf } from "../../mod/errors.ts";
import { deadlineOf } from "../deadline.ts";

/** A socket of this host. */
export type LocalAddress =
  | { readonly kind: "unix"; readonly path: string }
  /** The host is an IP address. */
  | { readonly kind: "tcp"; readonly host: string; readonly port: number };

/** A question that is asked once. */
export interface Question<T> {
  /** Sent as soon as the connection stands; undefined for a server that speaks first. */
  readonly request: Uint8Array | undefined;
  /**
   * Takes what has come; undefined is the end of the connection.
   *
   * @returns The answer, or undefined while more must come
   * @throws {Error} If this is no answer
   */
  readonly take: (chunk: Uint8Array | undefined) => T | undefined;
}

/** Why there is no connection. `full` is a queue with no place left. */
export type NoConnection = "refused" | "missing" | "full";

/** What became of a question. */
export type Asked<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: NoConnection }
  /** Not answered yet. */
  | { readonly kind: "timed-out" }
  /** Something else went wrong, or was answered. */
  | { readonly kind: "failed"; readonly error: string };

/** Asks one socket. */
export interface Asker<T> {
  /** Asks, or waits for what was asked before. Never rejects. */
  readonly ask: (deadlineMs: number) => Promise<Asked<T>>;
  /** Whether a question of before is still there. */
  readonly isWaiting: () => boolean;
  /** Hangs up. */
  readonly close: () => void;
}

/** EAGAIN: the queue of a unix socket is full. */
const QUEUE_FULL = /os error 11\b/;

/** Makes an asker; it is meant to live as long as the server is looked at. */
export function createAsker<T>(address: LocalAddress, newQuestion: () => Question<T>): Asker<T> {
  let underWay: Promise<Asked<T>> | undefined;
  let connection: Deno.Conn | undefined;
  let isClosed = false;
  // One for all questions, of which there is one at a time: the runtime collects buffers late.
  const buffer = new Uint8Array(BUFFER_BYTES);

  async function askOnce(): Promise<Asked<T>> {
    try {
      const forbidden = whyForbidden(address);
      if (forbidden !== undefined) return { kind: "failed", error: forbidden };
      using open = await connect(address);
      if (isClosed) return { kind: "failed", error: "hung up" };
      connection = open;
      return { kind: "answered", value: await converse(open, newQuestion(), buffer) };
    } catch (error) {
      return outcomeOf(error);
    } finally {
      connection = undefined;
    }
  }

  return {
    async ask(deadlineMs: number): Promise<Asked<T>> {
      underWay ??= askOnce().finally(() => underWay = undefined);
      return await deadlineOf(deadlineMs, underWay) ?? { kind: "timed-out" };
    },
    isWaiting: () => underWay !== undefined,
    close(): void {
      isClosed = true;
      try {
        connection?.close();
      } catch {
        // It has ended meanwhile.
      }
    },
  };
}

/**
 * Tries whether a socket takes connections, by one that is closed at once: only for a socket where nobody
 * seems to listen. Never rejects.
 */
export async function tryConnection(address: LocalAddress, deadlineMs: number): Promise<Asked<undefined>> {
  const forbidden = whyForbidden(address);
  if (forbidden !== undefined) return { kind: "failed", error: forbidden };
  const attempt = connect(address).then((open): Asked<undefined> => {
    open.close();
    return { kind: "answered", value: undefined };
  }, (error) => outcomeOf(error));
  return await deadlineOf(deadlineMs, attempt) ?? { kind: "timed-out" };
}

/** An address as people write it. Never throws. */
export function addressText(address: LocalAddress): string {
  if (address.kind === "unix") return address.path;
  return address.host.includes(":") ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`;
}

/** Why the sandbox refuses a connection; undefined where it does not. Asked first, as a refusal can look like a closed port. */
export function whyForbidden(address: LocalAddress): string | undefined {
  const needs: readonly Deno.PermissionDescriptor[] = address.kind === "unix"
    ? [{ name: "read", path: address.path }, { name: "write", path: address.path }]
    : [{ name: "net", host: addressText(address) }];
  return needs.every((need) => Deno.permissions.querySync(need).state === "granted")
    ? undefined
    : `this binary may not connect to ${addressText(address)}: see \`loadweir check\``;
}

function connect(address: LocalAddress): Promise<Deno.Conn> {
  return address.kind === "unix"
    ? Deno.connect({ transport: "unix", path: address.path })
    : Deno.connect({ transport: "tcp", hostname: address.host, port: address.port });
}

async function converse<T>(
  connection: Deno.Conn,
  { request, take }: Question<T>,
  buffer: Uint8Array<ArrayBuffer>,
): Promise<T> {
  for (let sent = 0; request !== undefined && sent < request.length;) {
    sent += await connection.write(request.subarray(sent));
  }
  while (true) {
    const count = await connection.read(buffer);
    const value = take(count === null ? undefined : buffer.slice(0, count));
    if (value !== undefined) return value;
    if (count === null) throw new Error("the connection ended without an answer");
  }
}

const BUFFER_BYTES = 8_192;

function outcomeOf(error: unknown): Exclude<Asked<never>, { readonly kind: "answered" }> {
  if (error instanceof Deno.errors.ConnectionRefused) return { kind: "refused" };
  if (error instanceof Deno.errors.NotFound) return { kind: "missing" };
  const text = messageOf(error);
  return QUEUE_FULL.test(text) ? { kind: "full" } : { kind: "failed", error: text };
}
