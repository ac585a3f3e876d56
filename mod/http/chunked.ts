/**
 * A body in chunks, each after its size in hexadecimal digits; one of size 0 ends it.
 *
 *     7              9                 0
 *     Welcome        to my Site
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 */

import { quote } from "../errors.ts";

/** Longer lines than a size with its extensions, or a field of a trailer, ever are. */
const LINE_LIMIT = 8_192;

/** Eight digits are more than 4 GB, which nobody reads. */
const SIZE_LINE = /^[ \t]*([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?$/;

/** How far a body has come. */
export type ChunkedState =
  | { readonly kind: "more" }
  | { readonly kind: "whole" }
  | { readonly kind: "broken"; readonly problem: string };

/** Takes a body apart as it comes. */
export interface ChunkedReader {
  /** Reads on; gives what is inside of the chunks to `take`. Never throws, and never looks at a byte twice. */
  readonly push: (bytes: Uint8Array, take: (content: Uint8Array) => void) => ChunkedState;
}

/** A reader at the beginning of a body. */
export function createChunkedReader(): ChunkedReader {
  let part: "size" | "content" | "content-end" | "trailer" = "size";
  let leftBytes = 0;
  let line = "";
  let state: ChunkedState = { kind: "more" };

  /** What a whole line means for what comes next. */
  function takeLine(): ChunkedState {
    const text = line.replace(/\r$/, "");
    line = "";
    if (part === "trailer") return text === "" ? { kind: "whole" } : { kind: "more" };
    if (part === "content-end") {
      part = "size";
      return text === "" ? { kind: "more" } : broken(`a chunk goes on with ${quote(text)} after its end`);
    }
    const size = SIZE_LINE.exec(text)?.[1];
    if (size === undefined) return broken(`a chunk has the size ${quote(text)}, expected hexadecimal digits`);
    leftBytes = Number.parseInt(size, 16);
    part = leftBytes === 0 ? "trailer" : "content";
    return { kind: "more" };
  }

  return {
    push(bytes: Uint8Array, take: (content: Uint8Array) => void): ChunkedState {
      let at = 0;
      while (at < bytes.length && state.kind === "more") {
        if (part === "content") {
          const content = bytes.subarray(at, at + leftBytes);
          take(content);
          at += content.length;
          leftBytes -= content.length;
          if (leftBytes === 0) part = "content-end";
          continue;
        }
        const end = bytes.indexOf(LINE_FEED, at);
        const piece = bytes.subarray(at, end < 0 ? bytes.length : end);
        if (line.length + piece.length > LINE_LIMIT) {
          state = broken(`a line between chunks is longer than ${LINE_LIMIT} bytes`);
          break;
        }
        line += latin1Of(piece);
        at += piece.length + (end < 0 ? 0 : 1);
        if (end >= 0) state = takeLine();
      }
      return state;
    },
  };
}

const LINE_FEED = 0x0a;

function broken(problem: string): ChunkedState {
  return { kind: "broken", problem };
}

/** Each byte as one character. At most some thousand bytes: they are arguments of one call. */
export function latin1Of(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
