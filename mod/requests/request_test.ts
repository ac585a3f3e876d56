import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import {
  isRequestId,
  maybeEndMs,
  maybeRefusal,
  parseOutcome,
  parseRequest,
  renderOutcome,
  renderRequest,
  type Request,
  requestId,
} from "./request.ts";

const REQUEST: Request = {
  verb: "hold",
  reason: "moving the “database”\nnow",
  expiresBootMs: 900_000,
  byUid: 0,
  atBootMs: 812_000,
  atWallMs: 1_796_155_865_000,
};

const OUTCOME = { result: "done", text: "the web is paused", atWallMs: 1_796_155_866_000 } as const;

Deno.test("parseRequest() and parseOutcome() read what was rendered", () => {
  for (const request of [REQUEST, { ...REQUEST, verb: "release", expiresBootMs: undefined } as const]) {
    assertEquals(parseRequest(renderRequest(request), "x"), request);
  }
  assertEquals(parseOutcome(renderOutcome(OUTCOME), "x"), OUTCOME);
});

Deno.test("parseRequest() and parseOutcome() read or refuse every damaged text", () => {
  assertReadsOrRefuses(renderRequest(REQUEST), (text) => void parseRequest(text, "x"));
  assertReadsOrRefuses(renderOutcome(OUTCOME), (text) => void parseOutcome(text, "x"));
});

for (
  const [name, change] of Object.entries({
    "another verb": { verb: "reboot" },
    "no reason": { reason: undefined },
    "a time that is a text": { atBootMs: "812000" },
    "a user that is no number": { byUid: "root" },
    "a member that is not known": { force: true },
    "an expiry that is null": { expiresBootMs: null },
  })
) {
  Deno.test(`parseRequest() refuses ${name}`, () => {
    assertThrows(() => parseRequest(JSON.stringify({ ...REQUEST, ...change }), "x"), ParseError);
  });
}

for (
  const { name, change, ageMs, refusal } of [
    { name: "nothing against a new one", change: {}, ageMs: 0, refusal: undefined },
    { name: "nothing against one of 60 s", change: {}, ageMs: 60_000, refusal: undefined },
    { name: "the age of an old one", change: {}, ageMs: 60_001, refusal: "asked 60 s ago" },
    {
      name: "nothing against a new one that is ahead",
      change: { atBootMs: 9_000_000, expiresBootMs: 9_100_000 },
      ageMs: 60_000,
      refusal: undefined,
    },
    {
      name: "the age of one that is of an earlier boot",
      change: { atBootMs: 9_000_000, atWallMs: REQUEST.atWallMs - 7_000_000 },
      ageMs: 0,
      refusal: "asked 7000 s ago",
    },
    {
      name: "that nobody knows the age of one that is ahead by both clocks",
      change: { atBootMs: 9_000_000, expiresBootMs: 9_100_000, atWallMs: REQUEST.atWallMs + 60_001 },
      ageMs: 0,
      refusal: "asked 60 s from now",
    },
    {
      name: "nothing against a release that is",
      change: {
        verb: "release",
        expiresBootMs: undefined,
        atBootMs: 9_000_000,
        atWallMs: REQUEST.atWallMs + 60_001,
      },
      ageMs: 0,
      refusal: undefined,
    },
    {
      name: "a past expiry of one that is ahead",
      change: { atBootMs: 9_000_000, expiresBootMs: 9_000_500 },
      ageMs: 500,
      refusal: "it has expired",
    },
    {
      name: "an expiry before it was asked",
      change: { atBootMs: 900_000, expiresBootMs: 899_999 },
      ageMs: 0,
      refusal: "it has expired",
    },
    {
      name: "nothing against seven days",
      change: { expiresBootMs: 812_000 + 604_800_000 },
      ageMs: 0,
      refusal: undefined,
    },
    {
      name: "a longer time than can be asked for",
      change: { expiresBootMs: 812_000 + 604_801_000 },
      ageMs: 0,
      refusal: "it is asked for 604801 s, expected at most 604800 s",
    },
    { name: "a past expiry", change: { expiresBootMs: 812_500 }, ageMs: 500, refusal: "it has expired" },
    {
      name: "nothing against a resume that expires",
      change: { verb: "resume" },
      ageMs: 0,
      refusal: undefined,
    },
    { name: "an expiry of a release", change: { verb: "release" }, ageMs: 0, refusal: "only a hold" },
  ] as const
) {
  Deno.test(`maybeRefusal() says ${name}`, () => {
    const now = { bootMs: REQUEST.atBootMs + ageMs, wallMs: REQUEST.atWallMs + ageMs };
    const refused = maybeRefusal({ ...REQUEST, ...change }, now);
    assertEquals(refused?.slice(0, refusal?.length), refusal);
  });
}

Deno.test("maybeEndMs() is as far from now as was asked for, whatever the asker's clock says", () => {
  for (const atBootMs of [0, 812_000, 9_000_000_000]) {
    const request = { ...REQUEST, atBootMs, expiresBootMs: atBootMs + 30_000 };
    assertEquals(maybeEndMs(request, 812_000), 842_000);
  }
  assertEquals(maybeEndMs({ ...REQUEST, expiresBootMs: undefined }, 812_000), undefined);
});

Deno.test("requestId() makes names that sort as the requests were made", () => {
  const ids = [requestId(999, 4120, 0), requestId(1_000, 7, 0), requestId(812_000, 4120, 1)];
  assertEquals(ids.toSorted(), ids);
  assertEquals(ids.every(isRequestId), true);
});

Deno.test("isRequestId() refuses names that lead elsewhere", () => {
  for (const name of ["", ".", "..", "a/b", "../x", ".hidden", "a.b", "-x", "a\0", "x".repeat(65)]) {
    assertEquals(isRequestId(name), false, name);
  }
});
