import { assertEquals } from "@std/assert";
import { METRICS_ADDRESS, TIER_METRICS, tierAddressOf } from "./metrics_address.ts";
import { METRICS_FOLDER } from "./pressure_config.ts";

const tcp = (host: string, port: number, path: string): unknown => ({
  at: { kind: "tcp", host, port },
  path,
});

const ADDRESSES: readonly (readonly [string, string, unknown])[] = [
  ["IPv4", "http://127.0.0.1:9101/metrics", tcp("127.0.0.1", 9_101, "/metrics")],
  ["IPv6", "http://[::1]:9101/metrics", tcp("::1", 9_101, "/metrics")],
  [
    "a query",
    "http://127.0.0.1:8404/metrics?scope=frontend&x",
    tcp("127.0.0.1", 8_404, "/metrics?scope=frontend&x"),
  ],
  ["the last port", "http://127.0.0.1:65535/", tcp("127.0.0.1", 65_535, "/")],
  ["a unix socket", "unix:/run/loadweir/metrics/web.sock:/metrics", {
    at: { kind: "unix", path: "/run/loadweir/metrics/web.sock" },
    path: "/metrics",
  }],
  ["a unix socket in a folder, and a page with a colon", "unix:/run/loadweir/metrics/a/b:/x:y", {
    at: { kind: "unix", path: "/run/loadweir/metrics/a/b" },
    path: "/x:y",
  }],
];

for (const [name, text, value] of ADDRESSES) {
  Deno.test(`METRICS_ADDRESS reads and writes ${name}`, () => {
    const read = METRICS_ADDRESS.maybeRead(text);
    assertEquals(read as unknown, { value });
    assertEquals(read && METRICS_ADDRESS.render(read.value), text);
  });
}

Deno.test("METRICS_ADDRESS takes port 80 and the first page where none is named", () => {
  assertEquals(METRICS_ADDRESS.maybeRead("http://127.0.0.1")?.value as unknown, tcp("127.0.0.1", 80, "/"));
  assertEquals(METRICS_ADDRESS.maybeRead("http://[::1]/x")?.value as unknown, tcp("::1", 80, "/x"));
});

const REFUSED: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["a name", "http://localhost:9101/metrics"],
  ["another host", "http://192.0.2.1:9101/metrics"],
  ["another address of loopback, which the sandbox does not grant", "http://127.0.0.2:9101/metrics"],
  ["an octal spelling of loopback", "http://0177.0.0.1:9101/metrics"],
  ["IPv6 without brackets", "http://::1:9101/metrics"],
  ["https", "https://127.0.0.1:9101/metrics"],
  ["a user", "http://a@127.0.0.1:9101/metrics"],
  ["a host that goes on", "http://127.0.0.1.example.org:9101/metrics"],
  ["port 0", "http://127.0.0.1:0/metrics"],
  ["a port too high", "http://127.0.0.1:65536/metrics"],
  ["an empty port", "http://127.0.0.1:/metrics"],
  ["a query without a page", "http://127.0.0.1:9101?x"],
  ["a blank", "http://127.0.0.1:9101/a b"],
  ["a line end", "http://127.0.0.1:9101/a\r\nX: y"],
  ["a fragment", "http://127.0.0.1:9101/#top"],
  ["letters beyond ASCII", "http://127.0.0.1:9101/é"],
  ["a socket elsewhere", "unix:/run/other.sock:/metrics"],
  ["a socket out of the folder", "unix:/run/loadweir/metrics/../state/x:/metrics"],
  ["the folder itself", "unix:/run/loadweir/metrics:/metrics"],
  ["the folder itself with a slash", "unix:/run/loadweir/metrics/:/metrics"],
  ["a folder with a longer name", "unix:/run/loadweir/metrics2/x:/metrics"],
  ["a socket without a page", "unix:/run/loadweir/metrics/web.sock"],
  ["a page with a blank at a socket", "unix:/run/loadweir/metrics/web.sock:/a b"],
  ["a page without a slash", "unix:/run/loadweir/metrics/web.sock:metrics"],
  ["a path that no socket can have", `unix:${METRICS_FOLDER}/${"x".repeat(107 - METRICS_FOLDER.length)}:/`],
];

for (const [name, text] of REFUSED) {
  Deno.test(`METRICS_ADDRESS refuses ${name}`, () =>
    assertEquals(METRICS_ADDRESS.maybeRead(text), undefined));
}

Deno.test("METRICS_ADDRESS takes the longest path that a socket can have", () => {
  const path = `${METRICS_FOLDER}/${"x".repeat(106 - METRICS_FOLDER.length)}`;
  assertEquals(METRICS_ADDRESS.maybeRead(`unix:${path}:/`)?.value, { at: { kind: "unix", path }, path: "/" });
});

Deno.test("TIER_METRICS takes an address with an index or a port in it, or nothing", () => {
  for (
    const text of [
      "",
      "http://127.0.0.1:%p/metrics",
      "http://[::1]:910%i/metrics",
      "http://127.0.0.1:9101/%i",
      "unix:/run/loadweir/metrics/web-%i.sock:/metrics",
    ]
  ) assertEquals(TIER_METRICS.maybeRead(text), { value: text }, text);
  for (
    const text of [
      "http://127.0.0.1:9101/metrics",
      "http://localhost:%p/metrics",
      "unix:/run/web-%i.sock:/metrics",
      "%i",
    ]
  ) assertEquals(TIER_METRICS.maybeRead(text), undefined, text);
});

Deno.test("tierAddressOf() puts the index and its port wherever they stand", () => {
  const tier = { tierMetrics: "http://127.0.0.1:%p/%i/%i?p=%p&q=%20", tierBasePort: 9_100 };
  assertEquals(tierAddressOf(tier, 1) as unknown, tcp("127.0.0.1", 9_101, "/1/1?p=9101&q=%20"));
  assertEquals(tierAddressOf(tier, 12) as unknown, tcp("127.0.0.1", 9_112, "/12/12?p=9112&q=%20"));
  assertEquals(tierAddressOf({ tierMetrics: `unix:${METRICS_FOLDER}/w%i:/`, tierBasePort: 0 }, 3), {
    at: { kind: "unix", path: `${METRICS_FOLDER}/w3` },
    path: "/",
  });
});

Deno.test("tierAddressOf() gives no address where there is none", () => {
  assertEquals(tierAddressOf({ tierMetrics: "", tierBasePort: 0 }, 1), undefined);
  assertEquals(tierAddressOf({ tierMetrics: "http://127.0.0.1:%p/", tierBasePort: 65_530 }, 6), undefined);
  assertEquals(tierAddressOf({ tierMetrics: "http://127.0.0.%i/", tierBasePort: 0 }, 2), undefined);
});
