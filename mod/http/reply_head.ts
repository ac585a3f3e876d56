/**
 * The head of an HTTP reply: its status, and what says where its body ends.
 *
 *     HTTP/1.1 301 Moved Permanently
 *     Location: https://www.example.org/
 *     Content-Length: 169
 *
 * Own code, as is the rest of this folder: the parsers that are there as packages go back in their input for ever
 * on a negative chunk size, and the agent has one loop.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */

import { quote } from "../errors.ts";
import { withoutOuterBlanks } from "./blanks.ts";

/** Where the body ends. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly byteCount: number }
  | { readonly kind: "chunked" }
  /** At the end of the connection. */
  | { readonly kind: "until-close" };

/** A head. */
export interface ReplyHead {
  /** 100 to 999. */
  readonly status: number;
  /** Where a redirect leads, as it is written. */
  readonly location: string | undefined;
  /** How the body is packed, in lower case: `gzip`; empty where it is not. */
  readonly encoding: string;
  /** What the body is, as it is written: `text/plain; version=0.0.4`; empty where it is not said. */
  readonly contentType: string;
  readonly framing: BodyFraming;
}

/** A head, or why these lines are none. */
export type ReplyHeadReading =
  | { readonly kind: "head"; readonly head: ReplyHead }
  | { readonly kind: "broken"; readonly problem: string };

const STATUS_LINE = /^HTTP\/\d(?:\.\d+)? +([1-9]\d\d)(?: |$)/;

const FIELD = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/;

/** Statuses whose replies have no body, whatever their fields say. */
const BODILESS: readonly number[] = [204, 304];

/**
 * Reads a head. Lines that are no fields are passed over: browsers do so too.
 *
 * @param lines The lines without their ends, each byte as one character
 * @returns Broken for what is no HTTP, and for two lengths or one that is none. Never throws
 */
export function readReplyHead(lines: readonly string[]): ReplyHeadReading {
  const [first = "", ...rest] = lines;
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) {
    return { kind: "broken", problem: `the reply begins with ${quote(first)}, expected HTTP` };
  }
  const fields = rest.map((line) => FIELD.exec(line)).filter((field) => field !== null);
  const valuesOf = (name: string): readonly string[] =>
    fields.filter(([, found = ""]) => found.toLowerCase() === name).map(([, , value = ""]) =>
      withoutOuterBlanks(value)
    );
  const framing = framingOf(
    Number(status),
    valuesOf("transfer-encoding").join(",").toLowerCase(),
    valuesOf("content-length"),
  );
  if ("problem" in framing) return { kind: "broken", problem: framing.problem };
  const [location] = valuesOf("location");
  const encoding = valuesOf("content-encoding").join(",").trim().toLowerCase();
  const [contentType = ""] = valuesOf("content-type");
  return { kind: "head", head: { status: Number(status), location, encoding, contentType, framing } };
}

function framingOf(
  status: number,
  transfer: string,
  lengths: readonly string[],
): BodyFraming | { readonly problem: string } {
  if (status < 200 || BODILESS.includes(status)) return { kind: "none" };
  // As browsers do: what is chunked has no length, whatever is written there.
  if (transfer !== "" && transfer !== "identity") {
    return /(?:^|,)\s*chunked$/.test(transfer) ? { kind: "chunked" } : { kind: "until-close" };
  }
  const [length] = lengths;
  if (length === undefined) return { kind: "until-close" };
  if (!/^\d{1,15}$/.test(length) || lengths.some((other) => other !== length)) {
    return { problem: `Content-Length is ${quote(lengths.join(", "))}, expected one number of bytes` };
  }
  return { kind: "length", byteCount: Number(length) };
}
