import { assert, assertEquals, assertMatch } from "@std/assert";
import { testNeeding } from "./needs.ts";
import { type Probed, probeSites, type ProbeTask, SITE_NEEDS } from "./site_world.ts";

const TEXT = "Welcome to my Site";
const SITE = "http://www.mywebsite.com";

/** A task for the seed's text, by URL or more. */
function task(url: string, rest: Partial<ProbeTask> = {}): ProbeTask {
  return { url, text: TEXT, ...rest };
}

/** The last look in words. */
function verdictOf({ looks }: Probed): string {
  const result = looks.at(-1)?.result;
  return `${result?.state}: ${result?.evidence}`;
}

/** What must come of each task. */
async function assertVerdicts(rows: readonly (readonly [ProbeTask, string])[]): Promise<readonly Probed[]> {
  const { probed } = await probeSites(rows.map(([asked]) => asked));
  assertEquals(
    // How many bytes drip in until a deadline depends on the machine.
    probed.map((each, index) =>
      `${rows[index]?.[0].url} ${verdictOf(each).replace(/(?<=status 200 and )1?\d(?= bytes so far)/, "10")}`
    ),
    rows.map(([{ url }, verdict]) => `${url} ${verdict}`),
  );
  assertEquals(probed.map(({ leaked }) => leaked), rows.map(() => 0));
  return probed;
}

testNeeding(
  SITE_NEEDS,
  "a site is judged by status and text of what nginx answers under its name",
  async () => {
    const missing = `bad: 200 without "${TEXT}" in`;
    await assertVerdicts([
      [task(SITE), `ok: 200 with "${TEXT}"`],
      [task(SITE, { address: "::1" }), `ok: 200 with "${TEXT}"`],
      [task("http://another.example/"), `${missing} its 12 bytes`],
      [task(`${SITE}/umlaut`, { text: "Grüße" }), 'ok: 200 with "Grüße"'],
      [task(`${SITE}/error`), "bad: status 500, expected 200 to 299"],
      [task(`${SITE}/nothing`), "bad: status 404, expected 200 to 299"],
      [
        task(`${SITE}/moved`),
        'bad: status 301 to "https://www.mywebsite.com/", redirects are not followed, expected 200 to 299',
      ],
      [task(`${SITE}/other`), `${missing} its 9 bytes`],
      [task(`${SITE}/early.html`), `ok: 200 with "${TEXT}"`],
      [task(`${SITE}/late.html`), `${missing} the first 262144 bytes`],
      [task(`${SITE}/packed.html`), `ok: 200 with "${TEXT}"`],
      [task(`${SITE}/bomb.html`), `${missing} the first 262144 bytes`],
      [task("http://x:8106/"), `ok: 200 with "${TEXT}"`],
      [task("http://x:8107/"), `ok: 200 with "${TEXT}"`],
      [task("http://x:8110/"), `ok: 200 with "${TEXT}"`],
      [task("http://x:8112/"), `${missing} the first 262144 bytes`],
    ]);
  },
);

testNeeding(
  SITE_NEEDS,
  "a site that does not answer is bad at its deadline, and says how far it came",
  async () => {
    const probed = await assertVerdicts([
      [task("http://x:8100/"), "bad: 127.0.0.1:8100: connection refused, nobody listens there"],
      [
        task("http://x:8101/"),
        "bad: 127.0.0.1:8101: connected, and not answered within 1000 ms, no reply so far",
      ],
      [
        task("http://x:8102/"),
        "bad: 127.0.0.1:8102: connected, and not answered within 1000 ms, no reply so far",
      ],
      [
        task("http://x:8103/"),
        "bad: 127.0.0.1:8103: connected, and not answered within 1000 ms, status 200 and 10 bytes so far",
      ],
      [task("http://x:8104/"), "bad: 127.0.0.1:8104: connection reset"],
      [task("http://x:8105/"), "bad: 127.0.0.1:8105: connection reset"],
      [
        task("http://x:8108/"),
        'bad: 127.0.0.1:8108: the reply begins with "220 mail.example.org ESMTP\\r\\n", expected HTTP',
      ],
      [
        task("http://x:8109/"),
        "bad: 127.0.0.1:8109: the connection was closed within its body, after 4 bytes of it",
      ],
      [task("https://x:8101/"), "bad: 127.0.0.1:8101: connected, and no TLS within 1000 ms"],
      [task("https://x:8104/"), "bad: 127.0.0.1:8104: connection reset"],
      [
        task("https://x:8108/"),
        "bad: 127.0.0.1:8108: no TLS: received corrupt message of type InvalidContentType",
      ],
    ]);
    assert(probed.every(({ tookMs }) => tookMs < 1_250), probed.map(({ tookMs }) => tookMs).join());
  },
);

testNeeding(
  SITE_NEEDS,
  "sites on one address are told apart by SNI, and certificates from content",
  async () => {
    const authority = "/srv/tls/ca.pem";
    const probed = await assertVerdicts([
      [task("https://good.example.org/", { text: "page of good", authority }), 'ok: 200 with "page of good"'],
      [task("https://good.example.org/", { text: "page of good" }), 'ok: 200 with "page of good"'],
      [task("https://self.example.org/", { text: "page of self", authority }), 'ok: 200 with "page of self"'],
      [
        task("https://expired.example.org/", { text: "page of expired", authority }),
        'ok: 200 with "page of expired"',
      ],
      [
        task("https://unnamed.example.org/", { text: "page of good", authority }),
        'ok: 200 with "page of good"',
      ],
      [task("https://127.0.0.1/", { text: "page of good", authority }), 'ok: 200 with "page of good"'],
      [task("https://self.example.org/", { authority }), `bad: 200 without "${TEXT}" in its 12 bytes`],
      [
        task("https://self.example.org/endless", { authority }),
        `bad: 200 without "${TEXT}" in the first 262144 bytes`,
      ],
      [
        task("https://self.example.org/hang", { authority }),
        "bad: 127.0.0.1:443: connected, and not answered within 1000 ms, no reply so far",
      ],
      [
        task("https://good.example.org/hang", { authority }),
        "bad: 127.0.0.1:443: connected, and not answered within 1000 ms, no reply so far",
      ],
      [
        task("https://self.example.org/half", { authority }),
        "bad: 127.0.0.1:443: the connection was closed within its body, after 4 bytes of it",
      ],
    ]);
    const certificates = probed.map(({ looks }) => {
      const [finding] = looks[0]?.findings ?? [];
      return looks[0]?.sighting.certificate.kind === "trusted" ? "trusted" : finding?.text ?? "";
    });
    for (
      const [index, expected] of [
        /^trusted$/,
        /^its issuer is not known here/,
        /^signed by itself$/,
        /expired/,
        /not valid for name/,
        /not valid for name/,
        /^signed by itself$/,
      ].entries()
    ) assertMatch(certificates[index] ?? "", expected);
  },
);

testNeeding(SITE_NEEDS, "a look says how long it took, and that a reply was slow", async () => {
  const { probed: [quick, slow] } = await probeSites([
    task(SITE),
    task(`${SITE}/slow`, { deadlineMs: 4_000 }),
  ]);
  const [look] = slow?.looks ?? [];
  assertEquals([quick?.looks[0]?.findings, look?.result.state], [[], "ok"]);
  assertMatch(look?.findings[0]?.text ?? "", /^it took 1[2-9]\d\d ms, over 1000 ms$/);
  const { connectMs = NaN, firstByteMs = NaN, totalMs = NaN } = look?.sighting.times ?? {};
  assert(
    connectMs < 500 && firstByteMs >= 1_200 && totalMs >= firstByteMs,
    `${connectMs} ${firstByteMs} ${totalMs}`,
  );
});

testNeeding(SITE_NEEDS, "the site's own name goes into Host and SNI, and no proxy is asked", async () => {
  const { probed, printed } = await probeSites([
    task(SITE),
    task("https://bücher.example/a?b", { text: "page of good" }),
  ], "cat /var/log/nginx/asked");
  assertEquals(probed.map(({ looks }) => looks[0]?.result.state), ["ok", "ok"]);
  const [plain, ...tls] = printed.trim().split("\n");
  assertEquals(plain, "www.mywebsite.com|loadweir-probe/0.0.0|-|GET / HTTP/1.1|identity");
  // The first connection ended with its certificate, before anything was asked.
  assertEquals(tls, [
    "xn--bcher-kva.example|loadweir-probe/0.0.0|xn--bcher-kva.example|GET /a?b HTTP/1.1|identity",
  ]);
});

testNeeding(
  SITE_NEEDS,
  "200 looks at sites that hang leave no file open, and none overlaps another",
  async () => {
    const hang = { times: 200, deadlineMs: 40 };
    const { probed } = await probeSites([
      task("http://x:8101/", hang),
      task("https://x:8101/", hang),
      task("http://x:8103/", { ...hang, deadlineMs: 60 }),
      task("https://self.example.org/hang", { ...hang, times: 30, deadlineMs: 200 }),
      task("http://x:8101/", { twice: true }),
    ]);
    assertEquals(probed.map(({ leaked }) => leaked), [0, 0, 0, 0, 0]);
    assertEquals(probed.map((each) => verdictOf(each).slice(0, 4)), ["bad:", "bad:", "bad:", "bad:", "bad:"]);
    assertEquals(probed[4]?.looks[0]?.result, {
      state: "unknown",
      evidence: "the look before has not ended",
    });
  },
);

testNeeding(SITE_NEEDS, "what the sandbox refuses is unknown, though somebody listens there", async () => {
  const { probed: [first] } = await probeSites([task(SITE, { address: "127.0.0.2" })]);
  assertEquals(first?.looks[0]?.result, {
    state: "unknown",
    evidence: "this binary may not connect to 127.0.0.2:80, only to 127.0.0.1 and [::1]: " +
      "probe the site at one of them",
  });
});
