/** Reads the reply of a site as far as it takes to say whether it is as it should be, and no further. */

import { findBytes } from "../http/find_bytes.ts";
import { createReplyReader } from "../http/reply_reader.ts";

/** How much of a body is looked at. Pages have their greeting long before; the rest only costs. */
export const SITE_BODY_LIMIT_BYTES = 262_144;

/** What came as a reply. */
export interface SiteReply {
  /** 100 to 999. */
  readonly status: number;
  /** Where a redirect leads, as it is written. */
  readonly location: string | undefined;
  readonly body: SiteBody;
  /** Bytes of the body that came. */
  readonly bodyBytes: number;
}

/** What the body of a reply says. */
export type SiteBody =
  /** The status has said enough. */
  | { readonly kind: "not-read" }
  | { readonly kind: "found" }
  /** All of it is there, or as much as is looked at. */
  | { readonly kind: "missing"; readonly isAll: boolean }
  /** It is packed, which nobody asked for: the text may be inside. */
  | { readonly kind: "packed"; readonly encoding: string; readonly packed: Uint8Array };

/** How far a reply has come. */
export type SiteReaderState =
  | { readonly kind: "more" }
  | { readonly kind: "replied"; readonly reply: SiteReply }
  | { readonly kind: "broken"; readonly problem: string };

/** Reads one reply of a site. */
export interface SiteReader {
  /** Reads on. Never throws. */
  readonly push: (bytes: Uint8Array) => SiteReaderState;
  /** The connection has ended. Never throws. */
  readonly end: () => SiteReaderState;
  /** For people: what has come so far. */
  readonly progress: () => string;
}

/**
 * A reader before the first byte. It is done as soon as the text is found or the status is not one of success:
 * a page that goes on for ever has answered all the same.
 *
 * @param text What is looked for, as bytes; nothing is found in every body
 */
export function createSiteReader(text: Uint8Array): SiteReader {
  const reader = createReplyReader(SITE_BODY_LIMIT_BYTES);
  let searchedBytes = 0;

  function judge(state: ReturnType<typeof reader.push>): SiteReaderState {
    const head = reader.head();
    if (head === undefined) return state.kind === "broken" ? state : { kind: "more" };
    const body = reader.body();
    const replied = (said: SiteBody): SiteReaderState => ({
      kind: "replied",
      reply: { status: head.status, location: head.location, body: said, bodyBytes: body.length },
    });
    if (!isSuccess(head.status)) return replied({ kind: "not-read" });
    const isPacked = head.encoding !== "" && head.encoding !== "identity";
    if (!isPacked) {
      if (findBytes(body, text, searchedBytes - text.length) >= 0) return replied({ kind: "found" });
      searchedBytes = body.length;
    }
    switch (state.kind) {
      case "more":
      case "broken":
        return state;
      case "whole":
      case "limit":
        return replied(
          isPacked
            ? { kind: "packed", encoding: head.encoding, packed: body.slice() }
            : { kind: "missing", isAll: state.kind === "whole" },
        );
    }
  }

  return {
    push: (bytes) => judge(reader.push(bytes)),
    end: () => judge(reader.end()),
    progress(): string {
      const head = reader.head();
      return head === undefined ? "no reply" : `status ${head.status} and ${reader.body().length} bytes`;
    },
  };
}

/** Whether a status is one of success: 200 to 299. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
