/**
 * The text of the crawler block for hosts that have none of their own: `nginx_high_load_off.conf`, included
 * at server level.
 *
 * @see https://nginx.org/en/docs/http/ngx_http_rewrite_module.html
 * @see https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header
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

/** Columns of a line, as of all that the project writes. */
const WIDTH = 110;

/** The whole file. */
export const BLOCK_CONF = `${BLOCK_MARK}
#
# Turns crawlers away with 429 while the load is high. loadweir renames this file:
#
#     ${CRAWLER_BLOCKS.generic.on}      on
#     ${CRAWLER_BLOCKS.generic.off}  off
#
# Each site needs this line in its server block, before other rewrite rules:
#
#     ${BLOCK_INCLUDE}
#
# - robots.txt stays readable: crawlers that get 429 for it may leave the whole site alone for hours. So do
#   the answers to ACME challenges, by which certificates are renewed.
# - While the block is on, the add_header below takes the place of those that the server inherits from the
#   http level, for all visitors, until it is off again. A site that needs them (Strict-Transport-Security,
#   say) has to have them in its own server block, where all of one level count.
# - Without the first line of this file, loadweir leaves a block alone that it has not put on itself.

set $loadweir_wait "";

${CRAWLERS.map(renderGroup).join("\n")}
# Free for all; the URI as sent, because a site may rewrite these to a script.
if ($request_uri ~ "^/(robots\\.txt|\\.well-known/acme-challenge/[\\w-]+)(\\?|$)") { set $loadweir_wait ""; }

if ($loadweir_wait) { return 429; }

# Outside of the if, where nginx would not allow it; an empty value sends no header.
add_header Retry-After $loadweir_wait always;
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
