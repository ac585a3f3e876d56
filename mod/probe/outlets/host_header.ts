/**
 * The name that a request calls this host by.
 *
 *     GET / HTTP/1.1
 *     Host: 127.0.0.1:9807
 *
 * Whoever owns a name may let it point to 127.0.0.1, and a browser then takes what this host answers for that
 * owner's own (DNS rebinding). An address, and `localhost`, nobody else can own.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-7.2
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */

import { withoutOuterBlanks } from "../../http/blanks.ts";

/** What has been read of the head of a request so far. */
export type HostHeader =
  /** Neither the header nor the end of the head has come. `rest` is the line that is not whole yet. */
  | { readonly kind: "more"; readonly rest: string }
  /** Undefined is a head without it, which no browser sends. */
  | { readonly kind: "host"; readonly host: string | undefined };

/**
 * Reads the header `Host` of a request. Never throws.
 *
 * @param text What came so far behind the first line, each byte as one character
 */
export function readHostHeader(text: string): HostHeader {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  for (const line of lines) {
    if (/^\r?$/.test(line)) return { kind: "host", host: undefined };
    const [head] = /^host[ \t]*:/i.exec(line) ?? [];
    if (head !== undefined) {
      return { kind: "host", host: withoutOuterBlanks(line.slice(head.length).replace(/\r$/, "")) };
    }
  }
  return { kind: "more", rest };
}

/** Whether a host, with or without its port, is an address or `localhost`: a name that no other site can have. Never throws. */
export function isOwnName(host: string): boolean {
  const name = host.replace(/:\d*$/, "").replace(/\.$/, "").toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") ||
    /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name);
}
