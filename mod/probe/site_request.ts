/**
 * The request of the site probe.
 *
 *     GET / HTTP/1.1
 *     Host: www.example.org
 *     User-Agent: loadweir-probe/0.1.0
 */

import { authorityOf, type SiteTarget } from "./site.ts";

/** What the user agent of the probe begins with, for those who leave it out of what they count. */
export const PROBE_MARK = "loadweir-probe/";

/** The whole request, in ASCII: nothing is kept open, and nothing packed is asked for. */
export function renderSiteRequest(
  target: Pick<SiteTarget, "host" | "port" | "isHttps" | "path">,
  version: string,
): string {
  return [
    `GET ${target.path} HTTP/1.1`,
    `Host: ${authorityOf(target)}`,
    `User-Agent: ${PROBE_MARK}${version}`,
    "Accept: */*",
    "Accept-Encoding: identity",
    "Cache-Control: no-cache",
    "Connection: close",
    "",
    "",
  ].join("\r\n");
}
