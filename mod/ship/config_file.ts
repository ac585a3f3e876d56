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

/** A site, an instance and an application, to show how they are named. */
const EXAMPLES = `[probe www.example.org]
url = https://www.example.org/
text = Welcome to my site

[instance:nginx]
metrics = http://127.0.0.1:8081/status
unit = nginx.service

[app:php]
class = php
unit = php8.2-fpm.service
`;

/** A line that sets something. */
const SETTING = /^\w+ =/gm;

/** Renders the file. Never throws. */
export function renderConfigFile(): string {
  const { origins } = resolveConfig({});
  const { sectionOrigins } = resolveConfig({ ini: { source: "example", text: EXAMPLES } });
  const examples = renderIni([], sectionOrigins.map((origin) => ({ ...origin, source: "default" })));
  return [
    HEAD,
    renderIni(origins).replace(SETTING, ";$&"),
    "; Sites that are probed, instances and applications that are watched have a section each",
    examples.replace(SETTING, ";$&").replace(/^\[/gm, ";["),
  ].join("\n");
}
