/**
 * The text of the crawler block for hosts that have none of their own: `nginx_high_load_off.conf`, included
 * at server level.
 *
 * @see https://nginx.org/en/docs/http/ngx_http_rewrite_module.html
 * @see https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header
 * @see https://nginx.org/en/docs/http/ngx_http_core_module.html#internal
 */

import { CRAWLER_BLOCKS } from "./crawler_block.ts";
import { type CrawlerGroup, CRAWLERS } from "./crawlers.ts";

/**
 * Marks the file as one that loadweir may switch off although it does not remember to have switched it on, as
 * after a reboot. A line of its own; who wants the block to stay on takes it out.
 */
export const BLOCK_MARK = "# loadweir: managed crawler block";

/** The line that a site needs, at server level. A pattern, so that nginx starts while the block is off. */
export const BLOCK_INCLUDE = `include ${CRAWLER_BLOCKS.generic.on.replace(/onf$/, "*")};`;

/**
 * Seconds after which a crawler may come again. The block goes off when the load is back, a minute or two
 * after its cause has ended; it is only a hint, and crawlers that honour it come back spread out.
 */
const RETRY_AFTER_S = 120;

/**
 * The location that answers. An exact one is found before all others of a site, those with `^~` and regular
 * expressions too, and goes before what comes after the rewriting: `auth_basic`, `deny`, `limit_req`. Being
 * internal, it is 404 for who asks for it by name; no site has one of that name.
 *
 * Rejected: `return` at server level with `add_header` beside it. It takes the headers of the http level from
 * all visitors, and a site's own page for 429 may answer crawlers with 200, or come round to itself and end in
 * 500. Rejected as well: a location by regular expression, which a site's own may go before.
 */
const PLACE = "/.loadweir-crawler-block";

/** Columns of a line, as of all that the project writes. */
const WIDTH = 110;

/** The whole file. */
export const BLOCK_CONF = `${BLOCK_MARK}
#
# Turns crawlers away with 429 while the load is high. Printed by \`loadweir print nginx-block\`; belongs to
# the second of these names, and loadweir renames it:
#
#     ${CRAWLER_BLOCKS.generic.on}      on
#     ${CRAWLER_BLOCKS.generic.off}  off
#
# For root; the last line is for hosts with systemd, where the sandbox of an agent took the folder as it was:
#
#     install -d ${CRAWLER_BLOCKS.generic.off.replace(/\/[^/]*$/, "")}
#     loadweir print nginx-block > ${CRAWLER_BLOCKS.generic.off}
#     systemctl try-restart loadweir
#
# Each site needs this line in its server block, before other rewrite rules:
#
#     ${BLOCK_INCLUDE}
#
# - robots.txt stays readable: crawlers that get 429 for it may leave the whole site alone for hours. So do
#   the answers to ACME challenges, by which certificates are renewed.
# - Once in each server block, and outside of its locations: a second time, and in most of those, "nginx -t"
#   refuses the location below, and the block stays off.
# - In an access log, $uri of who is turned away names that location; $request_uri is what was asked for.
# - Without the first line of this file, loadweir leaves a block alone that it has not put on itself.

set $loadweir_wait "";

${CRAWLERS.map(renderGroup).join("\n")}
# Free for all; the URI as sent, because a site may rewrite these to a script.
if ($request_uri ~ "^/(robots\\.txt|\\.well-known/acme-challenge/[\\w-]+)(\\?|$)") { set $loadweir_wait ""; }

# In a place of its own, so that the site keeps the headers that it has from the http level.
if ($loadweir_wait) { rewrite ^ ${PLACE} last; }

location = ${PLACE} {
  internal;
  # In place of the pages that the site has for errors: one for 429 could cost much, or answer 200.
  error_page 599 /;
  # A large upload is no other case.
  client_max_body_size 0;
  add_header Retry-After $loadweir_wait always;
  return 429;
}
`;

/** The rules of a group, as many names in each as a line holds. */
function renderGroup({ title, names }: CrawlerGroup): string {
  const lines: string[] = [`# ${title}`];
  let alternatives = "";
  for (const name of names.map(escaped)) {
    const longer = alternatives === "" ? name : `${alternatives}|${name}`;
    if (renderRule(longer).length > WIDTH) {
      lines.push(renderRule(alternatives));
      alternatives = name;
    } else {
      alternatives = longer;
    }
  }
  return `${[...lines, renderRule(alternatives)].join("\n")}\n`;
}

function renderRule(alternatives: string): string {
  return `if ($http_user_agent ~* "${alternatives}") { set $loadweir_wait ${RETRY_AFTER_S}; }`;
}

function escaped(name: string): string {
  return name.replaceAll(".", "\\.");
}
