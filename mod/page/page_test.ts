import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { CALM_COURSE, OVERRUN_COURSE, pageInput } from "../testing/page.ts";
import { fine, siteCheck } from "../probe/check.ts";
import { renderReply } from "../probe/outlets/reply.ts";
import { aVerdict } from "../testing/probe.ts";
import { pageReply, renderPage, SCRIPT_HASH, statusReply, STYLE_HASH } from "./page.ts";
import { type PageInput, pageModel } from "./page_of_now.ts";
import { SCRIPT } from "./page_script.ts";
import { STYLE } from "./page_style.ts";

const CALM = pageInput(CALM_COURSE);
const OVERRUN = pageInput(OVERRUN_COURSE);

function page(input: PageInput): string {
  return renderPage(pageModel(input));
}

/** The tags of a page with the names of their attributes: what no text may change. */
function skeletonOf(text: string): string {
  return text.replace(/"[^"]*"/g, '""').replace(/>[^<]*</g, "><");
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

Deno.test("STYLE_HASH and SCRIPT_HASH are those of what the page has between its tags", async () => {
  const text = page(CALM);
  assertEquals(/<style>(.*?)<\/style>/s.exec(text)?.[1], STYLE);
  assertEquals(/<script>(.*?)<\/script>/s.exec(text)?.[1], SCRIPT);
  assertEquals([STYLE_HASH, SCRIPT_HASH], [await hashOf(STYLE), await hashOf(SCRIPT)]);
});

Deno.test("pageReply() lets a browser apply the one sheet, run the one script, and ask nobody else", () => {
  const pages = new Map([["/", { reply: () => pageReply(pageModel(CALM)), readsHost: true }]]);
  const reply = renderReply({ kind: "request", method: "GET", path: "/" }, pages, {
    isLoopback: true,
    usesOwnName: true,
  });
  const policy = /^Content-Security-Policy: (.*)\r$/m.exec(reply)?.[1];
  assertEquals(
    policy,
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; script-src 'sha256-${SCRIPT_HASH}'; ` +
      "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  const body = reply.slice(reply.indexOf("\r\n\r\n") + 4);
  assertEquals(/^Content-Length: (\d+)\r$/m.exec(reply)?.[1], `${new TextEncoder().encode(body).length}`);
});

Deno.test("renderPage() names nothing outside, and has neither styles nor handlers in attributes", () => {
  for (const input of [CALM, OVERRUN]) {
    const text = page(input).replace(STYLE, "").replace(SCRIPT, "");
    assertEquals([...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to?.slice(0, 12)), [
      "data:image/s",
      "/status.json",
    ]);
    assertEquals(/ (?:style|on\w+)="/.exec(text), null);
  }
});

Deno.test("renderPage() takes no text from outside for markup, wherever it comes from", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }),
    fc.constantFrom(
      `"><script>alert(1)</script>`,
      `' onload='alert(1)`,
      "</title><svg onload=alert(1)>",
      "</style>",
      "]]>",
      "<!--",
      "javascript:alert(1)",
      "\u202egnp.exe",
    ),
  );
  const plain = skeletonOf(page(withText("x")));
  fc.assert(
    fc.property(word, (text) => {
      const rendered = page(withText(text));
      assertMatch(rendered, /^[\n -~]*$/);
      assertEquals(skeletonOf(rendered), plain);
    }),
    { numRuns: 60 },
  );
});

/** A page in which everything that somebody else wrote is this text. */
function withText(text: string): PageInput {
  const { state, pressure, decision } = OVERRUN;
  assert(state?.hold !== undefined && pressure !== undefined && decision !== undefined);
  return {
    ...OVERRUN,
    host: text,
    version: text,
    source: text,
    state: {
      ...state,
      hold: { ...state.hold, text, services: [text] },
      lastActions: [{ wallMs: 0, text }],
      lastErrors: [{ wallMs: 0, text }],
    },
    verdict: aVerdict({
      text,
      checks: [{
        id: siteCheck(text),
        action: "drain",
        settled: "ok",
        isUnproven: false,
        result: fine(text),
      }],
    }),
    pressure: {
      ...pressure,
      instances: pressure.instances.map((one) => ({ ...one, name: text })),
      apps: pressure.apps.map((one) => ({ ...one, name: text, pools: [] })),
      because: { ...pressure.because, text },
      classBecause: { ...pressure.classBecause, text },
    },
    recent: OVERRUN.recent.map((one) => ({
      ...one,
      explain: () => ({
        ...one.explain(),
        found: text,
        inputs: text,
        rule: text,
        margin: text,
        result: text,
      }),
    })),
  };
}

Deno.test("renderPage() says in words why a section is empty, and what would fill it", () => {
  const text = page({
    ...CALM,
    state: undefined,
    decision: undefined,
    spans: [],
    verdict: undefined,
    pressure: undefined,
    isPressureWatched: false,
    recent: [],
  });
  for (
    const words of [
      "what is held is not known",
      "No load has been read yet",
      "The probe has not looked yet",
      "Nothing is watched: <code>[tier] template</code>",
      "None yet: the first comes with the first pass",
      "Nothing has been done since this agent started",
      "Nothing has gone wrong since this agent started",
    ]
  ) assert(text.includes(words), words);
  assert(page({ ...CALM, verdict: aVerdict() }).includes("No site is probed"));
});

Deno.test("renderPage() shows a hold, and what it waits for", () => {
  const text = page(OVERRUN);
  assertMatch(text, /HOLD: web paused for 10 m 36 s/);
  assertMatch(text, /<dt>Waits<\/dt><dd>for 5m 513\.0 % to fall below 488 %<\/dd>/);
  assertMatch(text, /<dt>Stopped<\/dt><dd>php8\.2-fpm\.service, nginx\.service; will be started again<\/dd>/);
  assertMatch(text, /<title>SPIDER, web held &#xb7; web-3 &#xb7; loadweir<\/title>/);
  assertEquals(page(CALM).includes("HOLD"), false);
});

Deno.test("renderPage() warns in large letters of an agent whose pass is late", () => {
  assertEquals(page(CALM).includes("LATE"), false);
  assertMatch(page({ ...CALM, nowBootMs: CALM.nowBootMs + 60_000 }), /LATE: the last pass was 1 m \d+ s ago/);
});

Deno.test("statusReply() is JSON in ASCII, of what the page shows", () => {
  const { body } = statusReply(pageModel(withText("m\u00fcde \u{1f980} \u2028")));
  assertMatch(body, /^[ -~]*\n$/);
  const read = JSON.parse(body);
  assertEquals([read.host, read.tier, read.hold.waitsFor], [
    "m\u00fcde \u{1f980} \u2028",
    "spider",
    "waits for 5m 513.0 % to fall below 488 %",
  ]);
});

Deno.test("STYLE has a contrast of 4.5 or more for every text, light and dark", () => {
  const [light = "", dark = ""] = STYLE.split("prefers-color-scheme:dark");
  for (const sheet of [light.slice(0, light.indexOf("}")), dark.slice(0, dark.indexOf("}}"))]) {
    const colours = new Map(
      [...sheet.matchAll(/--([\w-]+):#([0-9a-f]{3,6})/g)].map(([, name, hex]) => [name, hex]),
    );
    const ratio = (one: string, other: string): number =>
      contrastOf(colours.get(one) ?? "", colours.get(other) ?? "");
    for (const text of ["ink", "soft", "good", "spider", "max", "crit", "quiet"]) {
      for (const ground of ["bg", "card"]) assert(ratio(text, ground) >= 4.5, `${text} on ${ground}`);
    }
    assert(ratio("ink", "fill") >= 4.5 && ratio("late-ink", "late") >= 4.5);
    // Graphics need 3:1.
    assert(ratio("course", "card") >= 3);
  }
});

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOf(one: string, other: string): number {
  const luminance = (hex: string): number => {
    const long = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
    const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16) / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
