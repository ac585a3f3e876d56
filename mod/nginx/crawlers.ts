/**
 * Crawlers that can wait while a host is busy, by what their `User-Agent` holds:
 *
 *     Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)
 *
 * Names as their operators publish them, each long enough to occur in no other one. The bare word `bot` would
 * also mean monitors (`Pingdom.com_bot`, `Better Uptime Bot`) and phones (`CUBOT`).
 *
 * Left out on purpose, because a person or a service waits for the answer:
 * - monitors and uptime checkers, the validators of certificate authorities, loadweir's own probe
 * - link previews (`facebookexternalhit`, `Twitterbot`) and fetches that somebody asked an assistant for
 *   (`ChatGPT-User`, `Perplexity-User`)
 * - checks of paid advertisements (`AdsBot-Google`, `AdIdxBot`), which are withdrawn when they fail
 * - tools and libraries (`curl`, `python-requests`), which cron jobs and other sites' interfaces use too
 */

/** Crawlers that do the same kind of work. */
export interface CrawlerGroup {
  /** For people, as a heading. */
  readonly title: string;
  /** Parts of the `User-Agent`, compared without regard to case. */
  readonly names: readonly string[];
}

/** All that the crawler block turns away. */
export const CRAWLERS: readonly CrawlerGroup[] = [
  {
    title: "Search engines",
    names: [
      ...["Googlebot", "GoogleOther", "bingbot", "Slurp", "DuckDuckBot", "YandexBot", "YandexImages"],
      ...["YandexRenderResourcesBot", "Baiduspider", "Sogou web spider", "360Spider", "Yisouspider", "Yeti/"],
      ...["Applebot", "PetalBot", "SeznamBot", "coccocbot", "Qwantbot", "Qwantify", "MojeekBot", "Exabot"],
      ...["SeekportBot", "archive.org_bot", "ia_archiver"],
    ],
  },
  {
    title: "Search engine optimization and market research",
    names: [
      ...[
        "AhrefsBot",
        "AhrefsSiteAudit",
        "SemrushBot",
        "SiteAuditBot",
        "SplitSignalBot",
        "MJ12bot",
        "DotBot",
      ],
      ...["rogerbot", "BLEXBot", "DataForSeoBot", "serpstatbot", "SERankingBacklinksBot", "SEOkicks"],
      ...["seobilitybot", "Barkrowler", "MegaIndex", "linkdexbot", "BacklinksExtendedBot", "ZoominfoBot"],
      ...[
        "Screaming Frog",
        "AwarioBot",
        "AwarioSmartBot",
        "magpie-crawler",
        "Dataprovider",
        "peer39_crawler",
      ],
      ...["VelenPublicWebCrawler", "IonCrawl", "trendictionbot"],
    ],
  },
  {
    title: "Training and search of language models",
    names: [
      ...["GPTBot", "OAI-SearchBot", "ClaudeBot", "Claude-Web", "Claude-SearchBot", "anthropic-ai", "CCBot"],
      ...["PerplexityBot", "meta-externalagent", "FacebookBot", "Bytespider", "TikTokSpider", "Amazonbot"],
      ...["Google-CloudVertexBot", "cohere-ai", "cohere-training-data-crawler", "Diffbot", "ImagesiftBot"],
      ...[
        "omgili",
        "Timpibot",
        "YouBot",
        "AI2Bot",
        "PanguBot",
        "DuckAssistBot",
        "Kangaroo Bot",
        "img2dataset",
      ],
    ],
  },
  { title: "Copiers of whole sites", names: ["Scrapy", "HTTrack", "Nutch", "WebCopier", "FriendlyCrawler"] },
];
