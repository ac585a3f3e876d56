import { assertEquals } from "@std/assert";
import { renderProblems } from "./report.ts";
import { resolveConfig } from "./resolve.ts";

/** What a file says of its sites, and what is wrong with it. */
function read(text: string): { sites: unknown; problems: readonly string[] } {
  const { sites, problems } = resolveConfig({ ini: { source: "x.ini", text } });
  return { sites, problems: renderProblems(problems) };
}

Deno.test("SITES are read from a section each, with defaults for what it does not say", () => {
  const { sites, problems } = read(
    "[probe www.example.org]\nurl = https://www.example.org/\ntext = hello\n" +
      "[probe the shop]\nurl = http://[2001:db8::1]:8080/a?b=c\ntext = 'a ; b'\naction = warn\n" +
      "address = ::1\ndeadline = 1500ms\n",
  );
  assertEquals(problems, []);
  assertEquals(sites, [
    {
      name: "www.example.org",
      url: "https://www.example.org/",
      text: "hello",
      action: "drain",
      address: "127.0.0.1",
      deadlineMs: 4_000,
    },
    {
      name: "the shop",
      url: "http://[2001:db8::1]:8080/a?b=c",
      text: "a ; b",
      action: "warn",
      address: "::1",
      deadlineMs: 1_500,
    },
  ]);
});

const BROKEN: readonly (readonly [string, readonly string[]])[] = [
  ["[probe a]\nurl = http://a.example/\n", [
    "x.ini",
    "  line 1   [probe a] has no good text, so that the site is not probed   ignored",
  ]],
  ["[probe a]\nurl = ftp://a.example/\ntext = x\n", [
    "x.ini",
    "  line 1   [probe a] has no good url, so that the site is not probed   ignored",
    '  line 2   [probe a] url is "ftp://a.example/", expected an URL as https://www.example.org/health, without a user   ignored',
  ]],
  ["[probe a]\nurl = http://a.example/\ntext = x\nadress = 127.0.0.1\naction = kill\n", [
    "x.ini",
    "  line 4   [probe a] adress: unknown key, did you mean address?                        ignored",
    '  line 5   [probe a] action is "kill", expected off, warn or drain                     using drain',
  ]],
  ["[probe a]\nurl = http://a.example/\ntext = x\n[probe  a]\nurl = http://b.example/\ntext = y\n", [
    "x.ini",
    '  line 4   [probe  a] has the name of an earlier site, "a", so that it is not probed; give it another one   ignored',
  ]],
  ["[prob a]\nurl = http://a.example/\n", [
    "x.ini",
    "  line 1   [prob a]: unknown section, did you mean [probe]?   ignored",
  ]],
];

for (const [text, expected] of BROKEN) {
  Deno.test(`SITES are told what is wrong with ${JSON.stringify(text)}`, () => {
    const { problems } = read(text);
    assertEquals(
      problems.map((line) => line.replace(/ {2,}/g, " ")),
      expected.map((line) => line.replace(/ {2,}/g, " ")),
    );
  });
}

Deno.test("slowSiteAdvice() tells of a site that is given longer than a tick", () => {
  const { sites, problems } = read(
    "[probe]\ntick = 2s\n[probe a]\nurl = http://a.example/\ntext = x\n[probe b]\nurl = http://b.example/\n" +
      "text = x\ndeadline = 1s\n",
  );
  assertEquals((sites as readonly unknown[]).length, 2);
  assertEquals(problems.map((line) => line.trim().replace(/ {2,}/g, " ")), [
    "default",
    "[probe a] deadline = 4s is not below nine tenths of [probe] tick = 2s, so that a site that hangs takes the host out later kept",
  ]);
});

Deno.test("slowSiteAdvice() counts what a look leaves of a tick", () => {
  const site = "[probe a]\nurl = http://a.example/\ntext = x\n";
  assertEquals(read(`[probe]\ntick = 4400ms\n${site}`).problems.length, 2);
  assertEquals(read(`[probe]\ntick = 4500ms\n${site}`).problems.length, 0);
});

Deno.test("SITES take no URL with a user, a blank or a fragment", () => {
  for (
    const url of [
      "http://u:p@a.example/",
      "http://a.example/ x",
      "http://a.example/#top",
      "http:///",
      "a.example",
    ]
  ) {
    assertEquals(read(`[probe a]\nurl = ${url}\ntext = x\n`).sites, [], url);
  }
});
