/** The status page in a real browser, served as the agent serves it. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "npm:playwright-core@1.64.1";
import { systemClock } from "../adapters/clock.ts";
import { openHttp } from "../adapters/outlets/http.ts";
import type { Outlet } from "../adapters/outlets/outlet.ts";
import { pageReply, statusReply } from "../mod/page/page.ts";
import { type PageInput, pageModel } from "../mod/page/page_of_now.ts";
import { REFRESH_S } from "../mod/page/page_script.ts";
import { CALM_COURSE, OVERRUN_COURSE, pageInput } from "../mod/testing/page.ts";
import { testNeeding } from "./needs.ts";

const CHROMIUM = "/usr/bin/chromium";

/** Quiet in a machine without a way out: none of its own services are asked. */
const CHROMIUM_ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const CALM = pageInput(CALM_COURSE);
const OVERRUN = pageInput(OVERRUN_COURSE);

/** What a test of the page works with. */
interface Reader {
  /** Opens the page in a context of its own. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>;
  /** What is served from now on. */
  serve: PageInput;
  readonly stop: () => Promise<void>;
  readonly start: () => void;
  /** Errors on the console, policies that were broken, and what was asked of others. */
  readonly faults: string[];
}

/** Serves the page while a test reads it. */
async function whileReading(serve: PageInput, test: (reader: Reader) => Promise<void>): Promise<void> {
  const faults: string[] = [];
  let outlet: Outlet | undefined;
  let port = 0;
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS });
  const reader: Reader = {
    serve,
    faults,
    start(): void {
      const pages = new Map([
        ["/", { reply: () => pageReply(pageModel(reader.serve)), readsHost: true }],
        ["/status.json", { reply: () => statusReply(pageModel(reader.serve)), readsHost: true }],
      ]);
      outlet = openHttp({ address: "127.0.0.1", port, pages }, {
        clock: systemClock,
        tellChange: (_, line) => line === undefined ? undefined : void faults.push(line),
      });
      port = outlet.addresses()[0]?.port ?? 0;
    },
    stop: async () => await outlet?.close(),
    async open(options = {}): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
      const page = await context.newPage();
      const origin = `http://127.0.0.1:${port}`;
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
      });
      page.on("pageerror", (error) => void faults.push(error.message));
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) faults.push(`asked ${url}`);
      });
      if (options.javaScriptEnabled !== false) await page.clock.install();
      await page.goto(origin);
      return page;
    },
  };
  reader.start();
  try {
    await test(reader);
  } finally {
    await browser.close();
    await reader.stop();
  }
}

async function tierOf(page: Page): Promise<string | null> {
  return await page.locator(".tier").textContent();
}

/** Lets the time to the next refresh pass, and waits for what comes of it. */
async function refreshUntil(page: Page, selector: string): Promise<void> {
  await page.clock.runFor(REFRESH_S * 1_000);
  await page.waitForSelector(selector, { state: "attached", timeout: 10_000 });
}

testNeeding([CHROMIUM], "the page refreshes itself, and leaves what a person has opened", async () => {
  await whileReading(CALM, async (reader) => {
    const page = await reader.open();
    assertEquals(await tierOf(page), "NORMAL");
    assertEquals(await page.title(), "NORMAL \u00b7 web-3 \u00b7 loadweir");
    await page.locator("#well > summary").click();
    reader.serve = OVERRUN;
    await refreshUntil(page, ".hold");
    assertEquals(await tierOf(page), "SPIDER");
    assertEquals(await page.title(), "SPIDER, web held \u00b7 web-3 \u00b7 loadweir");
    assertEquals(await page.locator("#well").evaluate((one) => one.hasAttribute("open")), true);
    assertEquals(await page.evaluate("document.activeElement.parentElement.id"), "well");
    assertEquals(reader.faults, []);
  });
});

testNeeding([CHROMIUM], "the page asks nobody but the agent, and breaks no policy", async () => {
  await whileReading(OVERRUN, async (reader) => {
    for (const colorScheme of ["light", "dark"] as const) {
      reader.serve = OVERRUN;
      const page = await reader.open({ colorScheme });
      // The sheet is applied, and the script has run.
      const colour = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      assertEquals(colour, colorScheme === "light" ? "rgb(244, 245, 247)" : "rgb(14, 17, 21)");
      reader.serve = CALM;
      await refreshUntil(page, "#page.tier-normal");
    }
    assertEquals(reader.faults, []);
  });
});

testNeeding([CHROMIUM], "the page fits a phone: only tables scroll, inside themselves", async () => {
  const name = `web-${"long".repeat(12)}.example.org`;
  await whileReading({ ...OVERRUN, host: name }, async (reader) => {
    for (const width of [320, 360, 768]) {
      for (
        const input of [{ ...OVERRUN, host: name }, CALM, { ...CALM, state: undefined, decision: undefined }]
      ) {
        reader.serve = input;
        const page = await reader.open({ viewport: { width, height: 740 } });
        assertEquals(await page.evaluate("document.documentElement.scrollWidth"), width);
        // Nothing is cut either: what is wider than the page is inside of something that scrolls.
        assertEquals(await page.evaluate(CUT_OFF), []);
        await page.context().close();
      }
    }
  });
});

/** Elements that reach out of the page, and are in nothing that scrolls. */
const CUT_OFF = `[...document.querySelectorAll("main *")]
  .filter((one) => !one.closest(".scroll, svg") && one.getBoundingClientRect().right > innerWidth)
  .map((one) => one.tagName + "." + one.className)`;

testNeeding([CHROMIUM], "the page says so when the agent is gone, and goes on when it is back", async () => {
  await whileReading(CALM, async (reader) => {
    const page = await reader.open();
    assertEquals(await page.locator("#live").textContent(), "");
    await reader.stop();
    await refreshUntil(page, "#live.lost");
    assertMatch(
      await page.locator("#live").textContent() ?? "",
      /^NO ANSWER from the agent for \d+ s: what you see is old\. /,
    );
    assertEquals(await tierOf(page), "NORMAL");
    reader.serve = OVERRUN;
    reader.start();
    await refreshUntil(page, ".hold");
    assertEquals(await page.locator("#live").textContent(), "");
  });
});

testNeeding([CHROMIUM], "the page is not swapped under a selection", async () => {
  await whileReading(CALM, async (reader) => {
    const page = await reader.open();
    await page.locator(".posture").selectText();
    reader.serve = OVERRUN;
    await refreshUntil(page, "#live:not(:empty)");
    assertEquals([await tierOf(page), await page.locator("#live").textContent()], [
      "NORMAL",
      "Not refreshed while text is selected.",
    ]);
    await page.evaluate("getSelection().removeAllRanges()");
    await refreshUntil(page, ".hold");
  });
});

testNeeding(
  [CHROMIUM],
  "the page is whole without scripts, and shows what looks like markup as text",
  async () => {
    const host = `<img src=x onerror="document.title='owned'">&amp;`;
    await whileReading({ ...OVERRUN, host }, async ({ open, faults }) => {
      const page = await open({ javaScriptEnabled: false });
      assertEquals(await page.locator("h1").textContent(), host);
      assertEquals(await page.locator("meta[http-equiv=refresh]").getAttribute("content"), `${REFRESH_S}`);
      assertEquals(await page.locator("img").count(), 0);
      const chart = await page.locator(".chart").boundingBox();
      assert((chart?.width ?? 0) > 900 && (chart?.height ?? 0) > 200);
      assertEquals(faults, []);
    });
  },
);
