import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { authorityOf, readSiteUrl, type SiteUrl } from "./site.ts";
import { renderSiteRequest } from "./site_request.ts";

/** A URL that must be good. */
function read(url: string): SiteUrl {
  const reading = readSiteUrl(url);
  if (reading.kind !== "ok") throw new Error(`${url}: ${reading.problem}`);
  return reading.value;
}

/** What a URL says: Host, path, the server's address and port. */
function short(url: string): string {
  const site = read(url);
  return `${site.isHttps ? "s " : ""}${authorityOf(site)} ${site.path} ${site.address} ${site.port}`;
}

const GOOD: Readonly<Record<string, string>> = {
  "http://www.mywebsite.com": "www.mywebsite.com / 127.0.0.1 80",
  "HTTPS://WWW.Example.org./": "s www.example.org / 127.0.0.1 443",
  "http://a_b.example:8080/x?y=z#top": "a_b.example:8080 /x?y=z 127.0.0.1 8080",
  "https://example.org:443?q": "s example.org /?q 127.0.0.1 443",
  "https://example.org:/": "s example.org / 127.0.0.1 443",
  "https://bücher.example/": "s xn--bcher-kva.example / 127.0.0.1 443",
  "http://BÜCHER。example/": "xn--bcher-kva.example / 127.0.0.1 80",
  "http://x/größe/%20?a|b": "x /gr%C3%B6%C3%9Fe/%20?a%7Cb 127.0.0.1 80",
  "http://[::1]:8080/": "[::1]:8080 / ::1 8080",
  "http://[2001:DB8::7]/": "[2001:db8::7] / 2001:db8::7 80",
  "http://[::ffff:127.0.0.1]/": "[::ffff:127.0.0.1] / ::ffff:127.0.0.1 80",
  "http://203.0.113.9/": "203.0.113.9 / 203.0.113.9 80",
};

const BAD: Readonly<Record<string, RegExp>> = {
  "": /does not begin with http:\/\/ or https:\/\//,
  "www.example.org": /expected one such as "http:\/\/www\.example\.org"/,
  "ftp://example.org/": /scheme is "ftp", expected http or https/,
  "file:///etc/passwd": /scheme is "file"/,
  "http:///x": /host is ""/,
  "http://user:secret@example.org/": /holds a user/,
  "http://example..org/": /host is "example\.\.org"/,
  "http://-x.example/": /host is/,
  "http://1.2.3/": /host is "1\.2\.3"/,
  "http://127.0.0.01/": /host is "127\.0\.0\.01"/,
  "http://[::1/": /host is/,
  "http://[fe80::1%eth0]/": /host is/,
  "http://[1:2:3:4:5:6:7]/": /host is/,
  "http://[1::2::3]/": /host is/,
  "http://[1:2:3:4:5:6:7::8]/": /host is/,
  "http://x:0/": /port is "0", expected a number from 1 to 65535/,
  "http://x:65536/": /port is "65536"/,
  "http://x:http/": /port is "http"/,
  "http://x/a b": /blanks or control characters/,
  "http://x/\r\nHost:y": /blanks or control characters/,
};

for (const [url, expected] of Object.entries(GOOD)) {
  Deno.test(`readSiteUrl() reads ${url}`, () => assertEquals(short(url), expected));
}

for (const [url, problem] of Object.entries(BAD)) {
  Deno.test(`readSiteUrl() refuses ${JSON.stringify(url)}`, () => {
    const reading = readSiteUrl(url);
    assertMatch(reading.kind === "ok" ? "ok" : reading.problem, problem);
  });
}

Deno.test("readSiteUrl() says of a URL what the platform says of it", () => {
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true, validSchemes: ["http", "https"] }), (url) => {
    const { hostname, href, origin, port, protocol } = new URL(url);
    // The platform takes dots out of paths; a server is asked for what is written.
    fc.pre(!/\/\.{1,2}(?:\/|\?|$)|%2e/i.test(url));
    const site = read(url);
    // Both escape some characters that the other leaves, which mean the same.
    assertEquals([site.host, new URL(origin + site.path).href], [hostname, href.replace(/#.*/, "")]);
    assertEquals(site.port, Number(port) || (protocol === "https:" ? 443 : 80));
  }));
});

Deno.test("readSiteUrl() refuses anything else with a reason, and never lets a second line into a request", () => {
  const urls = fc.tuple(
    fc.constantFrom("http://x/", "http://", "https://[", ""),
    fc.string({ unit: "binary" }),
  );
  fc.assert(fc.property(urls.map((parts) => parts.join("")), (url) => {
    const reading = readSiteUrl(url);
    if (reading.kind === "refused") return assert(reading.problem.includes("expected") || url.length > 4_096);
    assertMatch(
      renderSiteRequest(reading.value, "0.0.0"),
      /^GET \/[!-~]* HTTP\/1\.1\r\nHost: [a-z0-9_.:\[\]-]+\r\n(?:[A-Z][A-Za-z-]+: [ -~]+\r\n)+\r\n$/,
    );
  }));
});

Deno.test("renderSiteRequest() asks for the site by its own name and closes", () => {
  assertEquals(
    renderSiteRequest(read("https://www.example.org:8443/status?full"), "0.1.0").split("\r\n"),
    [
      "GET /status?full HTTP/1.1",
      "Host: www.example.org:8443",
      "User-Agent: loadweir-probe/0.1.0",
      "Accept: */*",
      "Accept-Encoding: identity",
      "Cache-Control: no-cache",
      "Connection: close",
      "",
      "",
    ],
  );
});
