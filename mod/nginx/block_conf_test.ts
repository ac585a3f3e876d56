import { assert, assertEquals } from "@std/assert";
import { matchesGlob } from "../glob.ts";
import { BLOCK_CONF, BLOCK_INCLUDE, BLOCK_MARK } from "./block_conf.ts";
import { CRAWLER_BLOCKS } from "./crawler_block.ts";
import { CRAWLERS } from "./crawlers.ts";
import { parseDirectives } from "./directive.ts";
import { parseIncludes } from "./include.ts";

/** The expressions that the block holds a `User-Agent` against, as nginx reads them. */
const RULES = [...BLOCK_CONF.matchAll(/^if \(\$http_user_agent ~\* "(.+?)"\)/gm)]
  .map(([, expression = ""]) => new RegExp(expression, "i"));

function isTurnedAway(userAgent: string): boolean {
  return RULES.some((rule) => rule.test(userAgent));
}

const CHROME = "(KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

Deno.test("BLOCK_CONF turns crawlers away, whatever else their name holds", () => {
  for (
    const userAgent of [
      "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
      "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76",
      "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
      "Mozilla/5.0 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
      "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko; compatible; Bytespider)",
      "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
      "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/spd)",
    ]
  ) assert(isTurnedAway(userAgent), userAgent);
  for (const name of CRAWLERS.flatMap(({ names }) => names)) assert(isTurnedAway(name.toUpperCase()), name);
});

Deno.test("BLOCK_CONF serves people, monitors, validators and tools", () => {
  for (
    const userAgent of [
      "",
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${CHROME}`,
      `Mozilla/5.0 (Linux; Android 9; CUBOT_X19) AppleWebKit/537.36 ${CHROME}`,
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1",
      "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
      "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
      "Better Uptime Bot Mozilla/5.0",
      "check_http/v2.3.3 (monitoring-plugins 2.3.3)",
      "Mozilla/5.0 (compatible; Let's Encrypt validation server; +https://www.letsencrypt.org)",
      "Mozilla/5.0 (compatible; NodePing)",
      "AdsBot-Google (+http://www.google.com/adsbot.html)",
      "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
      "Mozilla/5.0 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
      "HAProxy",
      "ELB-HealthChecker/2.0",
      "loadweir/0.1.0",
      "curl/7.88.1",
      "Wget/1.21.3",
      "python-requests/2.31.0",
    ]
  ) assertEquals(isTurnedAway(userAgent), false, userAgent);
});

Deno.test("CRAWLERS names each once, and none that another one covers", () => {
  const names = CRAWLERS.flatMap((group) => group.names);
  for (const name of names) {
    const covering = names.filter((other) => name.toLowerCase().includes(other.toLowerCase()));
    assertEquals(covering, [name]);
  }
});

Deno.test("BLOCK_CONF carries the mark on its first line, and keeps to 110 columns but for one rule", () => {
  assertEquals(BLOCK_CONF.split("\n")[0], BLOCK_MARK);
  const wide = BLOCK_CONF.split("\n").filter((line) => line.length > 110);
  assertEquals(wide.filter((line) => !line.startsWith("if ($request_uri")), []);
});

Deno.test("BLOCK_CONF adds nothing to a site but a variable and one location", () => {
  const directives = [...parseDirectives(BLOCK_CONF)];
  assertEquals(
    directives.filter(({ depth }) => depth === 0).map(({ name, args }) => [name, ...args]),
    [["set", "$loadweir_wait", ""]],
  );
  assertEquals(BLOCK_CONF.match(/^[a-z]+ [^;{]*\{$/gm), ["location = /.loadweir-crawler-block {"]);
  assertEquals(
    directives.filter(({ depth, name }) => depth > 0 && name !== "set").map(({ name }) => name),
    ["rewrite", "internal", "error_page", "client_max_body_size", "add_header", "return"],
  );
});

Deno.test("BLOCK_INCLUDE loads the block while it is on, and only then", () => {
  assertEquals(BLOCK_INCLUDE, "include /etc/nginx/loadweir/nginx_high_load.c*;");
  const pattern = parseIncludes(BLOCK_INCLUDE)[0]?.pattern ?? "";
  assertEquals(matchesGlob(pattern, CRAWLER_BLOCKS.generic.on), true);
  assertEquals(matchesGlob(pattern, CRAWLER_BLOCKS.generic.off), false);
});
