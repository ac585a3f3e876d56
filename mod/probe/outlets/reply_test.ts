import { assertEquals } from "@std/assert";
import { aVerdict } from "../../testing/probe.ts";
import type { Published } from "./published.ts";
import { FAILED_REPLY, healthPages, type HttpPages, type HttpPeer, renderReply } from "./reply.ts";

const PUBLISHED: Published = { verdict: aVerdict(), ageMs: 900, tickMs: 5_000, crawlerBlock: false };

const PAGES: HttpPages = healthPages(() => PUBLISHED);

const PEER: HttpPeer = { isLoopback: false, usesOwnName: false };

Deno.test("renderReply() gives the page with its length, unstored, and closes", () => {
  const body = '{"status":"pass","ageMs":900}\n';
  assertEquals(
    renderReply({ kind: "request", method: "GET", path: "/livez" }, PAGES, PEER),
    "HTTP/1.1 200 OK\r\nContent-Type: application/health+json\r\nContent-Length: 30\r\n" +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
});

Deno.test("renderReply() gives HEAD the same head and no body", () => {
  const get = renderReply({ kind: "request", method: "GET", path: "/healthz" }, PAGES, PEER);
  const head = renderReply({ kind: "request", method: "HEAD", path: "/healthz" }, PAGES, PEER);
  assertEquals(head, get.slice(0, get.indexOf("\r\n\r\n") + 4));
});

Deno.test("renderReply() answers 503 for a host that is out, and never redirects", () => {
  const out = { ...PUBLISHED, verdict: aVerdict({ phase: "drained", reason: "web-paused" }) };
  const reply = renderReply(
    { kind: "request", method: "GET", path: "/healthz" },
    healthPages(() => out),
    PEER,
  );
  assertEquals([reply.startsWith("HTTP/1.1 503 Service Unavailable\r\n"), reply.includes("Location")], [
    true,
    false,
  ]);
});

Deno.test("renderReply() answers what it does not know by a status alone", () => {
  const replies = [
    renderReply({ kind: "request", method: "GET", path: "/" }, PAGES, PEER),
    renderReply({ kind: "refused", status: 405 }, PAGES, PEER),
    renderReply({ kind: "refused", status: 400 }, PAGES, PEER),
  ];
  assertEquals(replies.map((reply) => reply.split("\r\n")[0]), [
    "HTTP/1.1 404 Not Found",
    "HTTP/1.1 405 Method Not Allowed",
    "HTTP/1.1 400 Bad Request",
  ]);
  assertEquals(
    replies.every((reply) => reply.endsWith("\r\n\r\n") && reply.includes("Content-Length: 0")),
    true,
  );
});

Deno.test("renderReply() gives pages that others bring", () => {
  const pages: HttpPages = new Map([[
    "/metrics",
    { reply: () => ({ status: 200, type: "text/plain", body: "a 1\n" }), readsHost: false },
  ]]);
  const reply = renderReply({ kind: "request", method: "GET", path: "/metrics" }, pages, PEER);
  assertEquals([reply.includes("Content-Type: text/plain\r\n"), reply.endsWith("\r\n\r\na 1\n")], [
    true,
    true,
  ]);
});

Deno.test("renderReply() lets a page be for some peers, is none for the others, and takes lines of the head", () => {
  const pages: HttpPages = new Map([[
    "/",
    {
      reply: ({ isLoopback }) =>
        isLoopback ? { status: 200, type: "text/html", body: "a", head: ["X-A: b"] } : undefined,
      readsHost: false,
    },
  ]]);
  const ask = (isLoopback: boolean): string =>
    renderReply({ kind: "request", method: "GET", path: "/" }, pages, { ...PEER, isLoopback });
  assertEquals(ask(true).includes("\r\nX-A: b\r\n"), true);
  assertEquals(ask(false), renderReply({ kind: "request", method: "GET", path: "/other" }, pages, PEER));
  assertEquals(ask(false).startsWith("HTTP/1.1 404 "), true);
});

Deno.test("FAILED_REPLY is a whole reply", () => {
  assertEquals(FAILED_REPLY.split("\r\n")[0], "HTTP/1.1 500 Internal Server Error");
});
