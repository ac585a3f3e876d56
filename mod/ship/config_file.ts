/** A complete `loadweir.ini` in which nothing is set: every setting with its help, and its default as a comment. */

import { renderIni } from "../config/print.ts";
import { resolveConfig } from "../config/resolve.ts";

/** Where it belongs. */
export const CONFIG_FILE_PATH = "/etc/loadweir/loadweir.ini";

const HEAD = `; Settings of loadweir. Printed by \`loadweir print config\`; belongs to ${CONFIG_FILE_PATH}
;
; Each setting stands here with its default, which applies unless the line is set: take the ; before it away.
; loadweir check says what is wrong with this file; systemctl reload loadweir, or service loadweir reload, reads it again.
`;

/** A site, to show how one is named. */
const SITE = `[probe www.example.org]
url = https://www.example.org/
text = Welcome to my site
`;

/** A line that sets something. */
const SETTING = /^\w+ =/gm;

/** Renders the file. Never throws. */
export function renderConfigFile(): string {
  const { origins } = resolveConfig({});
  const { siteOrigins } = resolveConfig({ ini: { source: "example", text: SITE } });
  const site = renderIni([], siteOrigins.map((origin) => ({ ...origin, source: "default" })));
  return [
    HEAD,
    renderIni(origins).replace(SETTING, ";$&"),
    "; A site that is probed, one section each",
    site.replace(SETTING, ";$&").replace(/^\[/gm, ";["),
  ].join("\n");
}
