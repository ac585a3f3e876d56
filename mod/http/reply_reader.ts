/** Reads an HTTP reply as it comes, piece by piece: its head, and the first part of its body. */

import { createChunkedReader, latin1Of } from "./chunked.ts";
import { quote } from "../errors.ts";
import { readReplyHead, type ReplyHead } from "./reply_head.ts";

/** Longer than the head of any page: nginx takes 8 KiB from what is behind it unless told otherwise. */
const HEAD_LIMIT_BYTES = 65_536;

/** Room for a body at first; it doubles from there. */
const FIRST_BODY_BYTES = 8_192;

/** How far a reply has come. */
export type ReplyState =
  /** More is to come: of the head, while there is none, else of the body. */
  | { readonly kind: "more" }
  | { readonly kind: "whole" }
  /** As much of the body is there as is looked at. */
  | { readonly kind: "limit" }
  | { readonly kind: "broken"; readonly problem: string };

/** Reads one reply. */
export interface ReplyReader {
  /** Reads on. What comes after the end is passed over. Never throws. */
  readonly push: (bytes: Uint8Array) => ReplyState;
  /** The connection has ended: what that makes of the reply. Never throws. */
  readonly end: () => ReplyState;
  /** Undefined until it is whole. Replies before the final one, as 100, are passed over. */
  readonly head: () => ReplyHead | undefined;
  /** The body so far, chunks taken apart, as a view. */
  readonly body: () => Uint8Array;
}

/**
 * A reader before the first byte.
 *
 * @param bodyLimitBytes What there may be of the body
 */
export function createReplyReader(bodyLimitBytes: number): ReplyReader {
  let lines: string[] = [];
  let line = "";
  let headBytes = 0;
  let head: ReplyHead | undefined;
  let body = new Uint8Array(Math.min(FIRST_BODY_BYTES, bodyLimitBytes));
  let bodyBytes = 0;
  let chunked = createChunkedReader();
  let state: ReplyState = { kind: "more" };

  function keep(content: Uint8Array): void {
    const kept = content.subarray(0, bodyLimitBytes - bodyBytes);
    if (bodyBytes + kept.length > body.length) {
      const larger = new Uint8Array(Math.min(bodyLimitBytes, 2 * (bodyBytes + kept.length)));
      larger.set(body.subarray(0, bodyBytes));
      body = larger;
    }
    body.set(kept, bodyBytes);
    bodyBytes += kept.length;
  }

  /** Takes bytes of the head; gives back those after it. */
  function takeHead(bytes: Uint8Array): Uint8Array {
    let at = 0;
    while (at < bytes.length && state.kind === "more" && head === undefined) {
      const feed = bytes.indexOf(LINE_FEED, at);
      const end = Math.min(feed < 0 ? bytes.length : feed + 1, at + PIECE_BYTES);
      line += latin1Of(bytes.subarray(at, end));
      headBytes += end - at;
      at = end;
      if (lines.length === 0 && !maybeHttp(line)) {
        state = broken(`the reply begins with ${quote(line)}, expected HTTP`);
      } else if (headBytes > HEAD_LIMIT_BYTES) {
        state = broken(`the head of the reply is longer than ${HEAD_LIMIT_BYTES} bytes`);
      } else if (line.endsWith("\n")) takeLine();
    }
    return bytes.subarray(at);
  }

  function takeLine(): void {
    const text = line.replace(/\r?\n$/, "");
    line = "";
    if (text !== "") lines.push(text);
    // An empty line before the reply is none of it.
    else if (lines.length > 0) takeHeadOf(lines);
  }

  function takeHeadOf(whole: readonly string[]): void {
    lines = [];
    const reading = readReplyHead(whole);
    if (reading.kind === "broken") {
      state = broken(reading.problem);
    } else if (reading.head.status >= 200 || reading.head.status === SWITCHING) {
      head = reading.head;
      chunked = createChunkedReader();
      if (head.framing.kind === "none" || isAllOfIt(0)) state = { kind: "whole" };
    }
  }

  function isAllOfIt(byteCount: number): boolean {
    return head?.framing.kind === "length" && head.framing.byteCount <= byteCount;
  }

  function takeBody(bytes: Uint8Array): ReplyState {
    switch (head?.framing.kind) {
      case "chunked": {
        const outcome = chunked.push(bytes, keep);
        if (outcome.kind !== "more") return outcome;
        break;
      }
      case "length":
        keep(bytes.subarray(0, head.framing.byteCount - bodyBytes));
        if (isAllOfIt(bodyBytes)) return { kind: "whole" };
        break;
      case "until-close":
        keep(bytes);
        break;
      case "none":
      case undefined:
        return state;
    }
    return bodyBytes >= bodyLimitBytes ? { kind: "limit" } : { kind: "more" };
  }

  return {
    push(bytes: Uint8Array): ReplyState {
      if (state.kind !== "more") return state;
      const rest = head === undefined ? takeHead(bytes) : bytes;
      if (state.kind === "more" && head !== undefined) state = takeBody(rest);
      return state;
    },
    end(): ReplyState {
      if (state.kind !== "more") return state;
      if (head?.framing.kind === "until-close") return state = { kind: "whole" };
      const where = head !== undefined
        ? `within its body, after ${bodyBytes} bytes of it`
        : headBytes === 0
        ? "before a reply"
        : "within the head of the reply";
      return state = broken(`the connection was closed ${where}`);
    },
    head: () => head,
    body: () => body.subarray(0, bodyBytes),
  };
}

const LINE_FEED = 0x0a;

/** Switching protocols, which nobody asked for: the reply after it is in another one. */
const SWITCHING = 101;

/** How many bytes become characters at once. */
const PIECE_BYTES = 4_096;

function broken(problem: string): ReplyState {
  return { kind: "broken", problem };
}

/** Whether a text may be the first line of a reply, or an empty one before it, so that no one waits for the end of what is none. */
function maybeHttp(text: string): boolean {
  return /^\r?\n/.test(text) || text === "\r" || text.startsWith("HTTP/") || "HTTP/".startsWith(text);
}
