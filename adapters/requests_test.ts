import { assert, assertEquals, assertMatch } from "@std/assert";
import { renderRequest, type Request } from "../mod/requests/request.ts";
import { testNeeding } from "../test/needs.ts";
import { type Clock, systemClock } from "./clock.ts";
import { answerAbandoned, answerRequest, askAgent, takeRequests } from "./requests.ts";

const NOW = { bootMs: 812_500, wallMs: Date.now() };

function aRequest(rest: Partial<Request> = {}): Request {
  return {
    verb: "hold",
    reason: "moving the database",
    expiresBootMs: undefined,
    byUid: 0,
    atBootMs: 812_000,
    atWallMs: NOW.wallMs,
    ...rest,
  };
}

async function withFolder(test: (folder: string) => void | Promise<void>): Promise<void> {
  const base = await Deno.makeTempDir();
  try {
    await test(`${base}/requests`);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

function namesIn(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Puts a request there as an asker does that does not wait. */
function leave(folder: string, id: string, text: string): string {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(`${folder}/${id}.json`, text, { mode: 0o600 });
  return `${folder}/${id}.json`;
}

/** A clock on which an agent does something each time that the asker waits. */
function clockOf(agent: (waits: number) => void): Clock {
  let nowMs = 0;
  let waits = 0;
  return {
    monotonicMs: () => nowMs,
    wallMs: () => NOW.wallMs,
    sleep(ms: number): Promise<void> {
      nowMs += ms;
      agent(++waits);
      return Promise.resolve();
    },
  };
}

testNeeding(["root"], "askAgent() gets the answer of the agent, and leaves nothing behind", async () => {
  await withFolder(async (folder) => {
    const outcome = { result: "done", text: "the web is paused", atWallMs: 1 } as const;
    const clock = clockOf((waits) => {
      if (waits !== 3) return;
      const { requests, problems } = takeRequests(folder, NOW);
      assertEquals([requests.map(({ request }) => request), problems], [[aRequest()], []]);
      assertEquals(takeRequests(folder, NOW).requests, [], "taken once");
      assertEquals(namesIn(folder), requests.map(({ id }) => `${id}.taken`));
      for (const { id } of requests) assertEquals(answerRequest(folder, id, outcome), { kind: "ok" });
    });
    assertEquals(await askAgent(folder, aRequest(), { clock, deadlineMs: 10_000 }), {
      kind: "answered",
      outcome,
    });
    assertEquals(namesIn(folder), []);
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
  });
});

Deno.test("askAgent() withdraws what nobody took, so that it is not done later", async () => {
  await withFolder(async (folder) => {
    const clock = clockOf(() => {});
    assertEquals(await askAgent(folder, aRequest(), { clock, deadlineMs: 3_000 }), { kind: "withdrawn" });
    assertEquals([clock.monotonicMs(), namesIn(folder)], [3_000, []]);
    const signal = AbortSignal.abort();
    assertEquals(await askAgent(folder, aRequest(), { clock, deadlineMs: 3_000, signal }), {
      kind: "withdrawn",
    });
    assertEquals(takeRequests(folder, NOW), { requests: [], problems: [] });
  });
});

testNeeding(["root"], "askAgent() says when the agent took it and did not answer in time", async () => {
  await withFolder(async (folder) => {
    const clock = clockOf((waits) => waits === 1 && void takeRequests(folder, NOW));
    assertEquals(await askAgent(folder, aRequest(), { clock, deadlineMs: 3_000 }), { kind: "unanswered" });
  });
});

testNeeding(["root"], "askAgent() learns at once that it was refused", async () => {
  await withFolder(async (folder) => {
    const clock = clockOf(() => void takeRequests(folder, { ...NOW, bootMs: 900_000 }));
    const answer = await askAgent(folder, aRequest(), { clock, deadlineMs: 3_000 });
    assert(answer.kind === "answered");
    assertEquals(answer.outcome.result, "refused");
    assertMatch(answer.outcome.text, /^asked 88 s ago/);
  });
});

Deno.test("askAgent() fails where no request can be left", async () => {
  await withFolder(async (folder) => {
    Deno.writeTextFileSync(folder, "in the way");
    const answer = await askAgent(folder, aRequest(), { clock: systemClock, deadlineMs: 0 });
    assert(answer.kind === "failed");
    assertMatch(answer.error, /^Cannot /);
  });
});

testNeeding(["root"], "takeRequests() gives requests in the order in which they were made", async () => {
  await withFolder((folder) => {
    for (const atBootMs of [812_300, 812_100, 812_200]) {
      leave(folder, `r${812_500 - atBootMs}`, renderRequest(aRequest({ atBootMs })));
    }
    const { requests } = takeRequests(folder, NOW);
    assertEquals(requests.map(({ request }) => request.atBootMs), [812_100, 812_200, 812_300]);
  });
});

for (
  const { name, spoil, problem } of [
    {
      name: "a text that is no request",
      spoil: (path: string) => Deno.writeTextFileSync(path, "{"),
      problem: /is no JSON/,
    },
    {
      name: "a request that somebody else owns",
      spoil: (path: string) => Deno.chownSync(path, 65534, null),
      problem: /owned by uid 65534, expected root/,
    },
    {
      name: "a request that others may write",
      spoil: (path: string) => Deno.chmodSync(path, 0o622),
      problem: /mode is 622, so that others may write it/,
    },
    {
      name: "a link",
      spoil(path: string): void {
        Deno.renameSync(path, `${path}.real`);
        Deno.symlinkSync(`${path}.real`, path);
      },
      problem: /it is no regular file$/,
    },
    {
      name: "a file that is far too large",
      spoil: (path: string) => Deno.writeTextFileSync(path, " ".repeat(70_000)),
      problem: /it has 70000 bytes/,
    },
    {
      name: "an old request",
      spoil: (path: string) => Deno.writeTextFileSync(path, renderRequest(aRequest({ atBootMs: 752_499 }))),
      problem: /asked 60 s ago/,
    },
  ]
) {
  testNeeding(["root"], `takeRequests() refuses ${name}, answers it, and goes on`, async () => {
    await withFolder((folder) => {
      spoil(leave(folder, "a1", renderRequest(aRequest())));
      leave(folder, "b2", renderRequest(aRequest({ verb: "resume" })));
      const { requests, problems } = takeRequests(folder, NOW);
      assertEquals(requests.map(({ id, request }) => [id, request.verb]), [["b2", "resume"]]);
      assertEquals(problems.length, 1);
      assertMatch(problems[0] ?? "", /^Request a1 is refused: /);
      assertMatch(problems[0] ?? "", problem);
      const names = namesIn(folder).filter((name) => !name.endsWith(".real"));
      assertEquals(names, ["a1.outcome.json", "a1.refused", "b2.taken"]);
      const { result, text } = JSON.parse(Deno.readTextFileSync(`${folder}/a1.outcome.json`));
      assertEquals(result, "refused");
      assertMatch(text, problem);
    });
  });
}

Deno.test("takeRequests() takes nothing that is not a request by its name", async () => {
  await withFolder((folder) => {
    Deno.mkdirSync(folder);
    const names = [".json", "a.b.json", "a1.json.4711.new", "a1.outcome.json", "note.txt"];
    for (const name of names) Deno.writeTextFileSync(`${folder}/${name}`, renderRequest(aRequest()));
    assertEquals(takeRequests(folder, NOW), { requests: [], problems: [] });
    assertEquals(namesIn(folder), names.toSorted());
  });
});

Deno.test("takeRequests() finds nothing where nobody ever asked, and says what it cannot list", async () => {
  await withFolder((folder) => {
    assertEquals(takeRequests(folder, NOW), { requests: [], problems: [] });
    Deno.writeTextFileSync(folder, "in the way");
    assertMatch(takeRequests(folder, NOW).problems.join(), /^Cannot list /);
  });
});

testNeeding(
  ["root"],
  "answerAbandoned() answers what an ended agent took, and clears old files away",
  async () => {
    await withFolder((folder) => {
      leave(folder, "a1", renderRequest(aRequest()));
      takeRequests(folder, NOW);
      // However old: whoever asked gets an answer when it is taken.
      const waiting = leave(folder, "b2", renderRequest(aRequest()));
      Deno.utimeSync(waiting, NOW.wallMs / 1000 - 3_600, NOW.wallMs / 1000 - 3_600);
      for (const name of ["c3.refused", "d4.outcome.json", "e5.json.12.new", "f6.refused"]) {
        Deno.writeTextFileSync(`${folder}/${name}`, "");
        const ageS = name === "f6.refused" ? 60 : 3_600;
        Deno.utimeSync(`${folder}/${name}`, NOW.wallMs / 1000 - ageS, NOW.wallMs / 1000 - ageS);
      }
      assertEquals(answerAbandoned(folder, NOW), ["a1"]);
      assertEquals(namesIn(folder), ["a1.outcome.json", "b2.json", "f6.refused"]);
      assertEquals(JSON.parse(Deno.readTextFileSync(`${folder}/a1.outcome.json`)).result, "failed");
      assertEquals(answerAbandoned(folder, NOW), []);
    });
  },
);
