import { assert, assertEquals, assertMatch } from "@std/assert";
import { BINARIES } from "./binaries.ts";
import { testNeeding } from "./needs.ts";
import { SITE_NEEDS, SITES } from "./site_world.ts";
import { inWorldOk } from "./world.ts";

const [binary] = BINARIES;
const NEEDS = [...binary?.needs ?? [], ...SITE_NEEDS];

/** What one command printed and how it ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands one after the other in one world; `probe` is the verb of the binary. */
async function runAll(commands: readonly string[]): Promise<readonly Outcome[]> {
  const script = [
    SITES,
    `probe() { ${binary?.command} probe "$@"; }`,
    ...commands.map((command) =>
      `code=0; { ${command}; } >/tmp/out 2>/tmp/err </dev/null || code=$?
       printf '%s\\0' "$code"; cat /tmp/out; printf '\\0'; cat /tmp/err; printf '\\0'`
    ),
  ].join("\n");
  const parts = (await inWorldOk(script, { bind: false, deadlineMs: 60_000 })).split("\0");
  return commands.map((_, index) => {
    const [code, stdout = "", stderr = ""] = parts.slice(index * 3, index * 3 + 3);
    return { code: Number(code), stdout, stderr };
  });
}

/** Exit code and output, both streams. */
function all({ code, stdout, stderr }: Outcome): readonly [number, string, string] {
  return [code, stdout, stderr];
}

testNeeding(NEEDS, "probe has the seed's meaning and exit codes", async () => {
  const url = "http://www.mywebsite.com";
  const usage = "loadweir: usage: loadweir probe URL TEXT [ping|yell|exit]\n";
  const outcomes = await runAll([
    `probe ${url} "Welcome to my Site" yell`,
    `probe ${url} "Goodbye" yell`,
    `probe ${url} "Welcome to my Site" exit`,
    `probe ${url} "Goodbye" exit`,
    `probe ${url}:8100 "Welcome to my Site" yell`,
    `probe ${url}`,
    "probe",
    `probe ${url} x ring`,
    `probe ${url} x yell y`,
    `probe ${url} "Goodbye" ping`,
    `probe ${url} "Goodbye" ping`,
    `probe ${url} "Welcome to my Site" ping`,
    `probe ${url} "Welcome to my Site" ping`,
  ]);
  assertEquals(outcomes.map(all), [
    [0, `${url} is UP.\n`, ""],
    [1, `${url} is DOWN.\n`, ""],
    [0, "", ""],
    [1, "", ""],
    [1, `${url}:8100 is DOWN.\n`, ""],
    [1, "", usage],
    [1, "", usage],
    [1, "", usage],
    [1, "", usage],
    [0, "ICMP ping requests are now being blocked.\n", ""],
    [0, "", ""],
    [0, "ICMP ping requests are now allowed.\n", ""],
    [0, "", ""],
  ]);
});

testNeeding(NEEDS, "probe says what it saw, in words and as JSON", async () => {
  const [words, json, self, timeout] = await runAll([
    'probe http://www.mywebsite.com "Welcome to my Site"',
    'probe http://www.mywebsite.com/error "Welcome to my Site" --json',
    'probe https://self.example.org/ "page of self" --json',
    "probe http://x:8101/ Welcome --timeout 200ms --address ::1 || probe http://x:8101/ Welcome --timeout 200ms",
  ]);
  assertMatch(
    words?.stdout ?? "",
    /^up: 200 with "Welcome to my Site"; connect \d+ ms, first byte \d+ ms, total \d+ ms\n$/,
  );
  const { connectMs, firstByteMs, totalMs, ...rest } = JSON.parse(json?.stdout ?? "");
  assert(connectMs <= firstByteMs && firstByteMs <= totalMs);
  assertEquals([json?.code, rest], [1, {
    url: "http://www.mywebsite.com/error",
    address: "127.0.0.1",
    verdict: "down",
    evidence: "status 500, expected 200 to 299",
    status: 500,
    bodyBytes: rest.bodyBytes,
    certificate: null,
    findings: [],
  }]);
  const { verdict, certificate } = JSON.parse(self?.stdout ?? "");
  assertEquals([self?.code, verdict, certificate], [0, "up", {
    trusted: false,
    problem: "signed by itself",
  }]);
  assertMatch(
    timeout?.stdout ?? "",
    /^down: \[::1\]:8101: connection refused.*\ndown: .* within 200 ms, no reply/,
  );
});

testNeeding(
  NEEDS,
  "probe refuses what it may not or cannot ask with 2 and the cure, and calls nothing down",
  async () => {
    const outcomes = await runAll([
      "probe http://x/ Welcome yell --address 127.0.0.2",
      "probe http://203.0.113.9/ Welcome yell",
      "probe http://x/ Welcome yell --address localhost",
      "probe www.mywebsite.com Welcome yell",
      'probe http://www.mywebsite.com "" yell',
      "probe http://www.mywebsite.com Welcome yell --every 1s",
      "probe http://www.mywebsite.com Welcome yell --watch",
      "probe http://www.mywebsite.com Welcome --timeout 4",
    ]);
    assertEquals(outcomes.map(({ code, stdout }) => [code, stdout]), outcomes.map(() => [2, ""]));
    const only = "only to 127\\.0\\.0\\.1 and \\[::1\\]: probe the site at one of them";
    for (
      const [index, expected] of [
        `may not connect to 127\\.0\\.0\\.2:80, ${only}\n$`,
        `may not connect to 203\\.0\\.113\\.9:80, ${only}; with --address 127\\.0\\.0\\.1 this host is asked`,
        '--address is "localhost", expected an address such as 127\\.0\\.0\\.1 or ::1',
        'URL is "www\\.mywebsite\\.com": it does not begin with http:// or https://',
        "TEXT is empty",
        "--every is for --watch",
        "--watch takes no yell",
        '--timeout is "4", expected a time',
      ].entries()
    ) assertMatch(outcomes[index]?.stderr ?? "", new RegExp(expected));
  },
);

testNeeding(
  NEEDS,
  "a look that cannot be made for want of files is neither up nor down: exit 75",
  async () => {
    // The runtime's own files are open by then; a few more, and none is left for a socket.
    const limited = (count: number): string =>
      `(ulimit -n ${count}; probe http://www.mywebsite.com Welcome exit)`;
    const outcomes = await runAll(Array.from({ length: 30 }, (_, index) => limited(10 + index)));
    const codes = outcomes.map(({ code }) => code);
    assert(codes.includes(75) && codes.at(-1) === 0 && !codes.includes(1), codes.join());
    assertMatch(outcomes[codes.indexOf(75)]?.stderr ?? "", /nothing can be said of .*Too many open files/);
  },
);

testNeeding(
  [...NEEDS, "/usr/bin/tmux"],
  "probe --watch shows a site that goes and comes, until Ctrl-C",
  async () => {
    const [piped, json, terminal] = await runAll([
      `${binary?.command} probe --watch --every 100ms http://www.mywebsite.com Welcome >/tmp/watch & pid=$!
     until grep -q ' up ' /tmp/watch; do sleep 0.05; done
     mv /etc/nginx/sites-enabled/sites /root/; nginx -s reload
     until grep -q ' down ' /tmp/watch; do sleep 0.05; done
     mv /root/sites /etc/nginx/sites-enabled/; nginx -s reload
     until tail -n 1 /tmp/watch | grep -q ' up '; do sleep 0.05; done
     kill -INT $pid; wait $pid; cat /tmp/watch`,
      "probe --watch --every 50ms --json http://www.mywebsite.com Welcome | head -n 2",
      `tmux -L probe new-session -d -x 160 -y 20 'trap : INT; ${binary?.command} probe --watch --every 50ms http://www.mywebsite.com Welcome; echo ended $?; sleep 9'
     until tmux -L probe capture-pane -e -p | grep -q 'mup '; do sleep 0.05; done
     tmux -L probe capture-pane -e -p | head -n 1; tmux -L probe send-keys C-c
     until tmux -L probe capture-pane -p | grep 'ended 0$'; do sleep 0.05; done`,
    ]);
    assertEquals(piped?.code, 0, piped?.stderr);
    const words = piped?.stdout.trim().split("\n").map((line) => line.split(" ")[1]) ?? [];
    assertEquals(words.filter((word, index) => word !== words[index - 1]), ["up", "down", "up"]);
    assertMatch(
      piped?.stdout ?? "",
      /^\d{4}-\d\d-\d\dT[\d:.]+Z up {6}200 with "Welcome"; connect \d+ ms, first byte/,
    );
    const lines = json?.stdout.trim().split("\n").map((line) => JSON.parse(line)) ?? [];
    assertEquals([json?.code, lines.length, lines[0].verdict], [0, 2, "up"]);
    // deno-lint-ignore no-control-regex
    assertMatch(terminal?.stdout ?? "", /Z \x1b\[32mup[^]*ended 0\n/);
  },
);
