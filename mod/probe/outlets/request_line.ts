/**
 * The first line of an HTTP request, and nothing of what follows it.
 *
 *     HEAD /healthz HTTP/1.0
 *
 * A strict server once refused a balancer's HEAD for an invalid Content-Length, and with it every healthy host
 * behind that balancer. So no header is looked at, and any version will do.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3
 */

/** Longer than any address of a check. */
export const REQUEST_LINE_LIMIT = 2_048;

/** What has been read of a request so far. */
export type RequestLine =
  /** The line is not whole yet. */
  | { readonly kind: "more" }
  | { readonly kind: "request"; readonly method: "GET" | "HEAD"; readonly path: string }
  /** The status to answer with. */
  | { readonly kind: "refused"; readonly status: 400 | 405 | 414 };

const LINE = /^([A-Za-z]+) +([!-~]+)(?: [ -~]*)?$/;

/** An address with scheme and host, as proxies send it. */
const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * Reads the line. Empty lines before it are passed over. Never throws.
 *
 * @param text What came so far, each byte as one character
 */
export function readRequestLine(text: string): RequestLine {
  const begun = text.replace(/^[\r\n]+/, "");
  const end = begun.indexOf("\n");
  if ((end < 0 ? text.length : end) > REQUEST_LINE_LIMIT) return { kind: "refused", status: 414 };
  if (end < 0) return { kind: "more" };
  const [, word, target] = LINE.exec(begun.slice(0, end).replace(/\r$/, "")) ?? [];
  if (word === undefined || target === undefined) return { kind: "refused", status: 400 };
  const method = word.toUpperCase();
  if (method !== "GET" && method !== "HEAD") return { kind: "refused", status: 405 };
  const path = target.replace(ORIGIN, "").replace(/[?#].*$/, "");
  return { kind: "request", method, path: path === "" ? "/" : path };
}
