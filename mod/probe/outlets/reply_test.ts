import { assertEquals } from "@std/assert";
import { aVerdict } from "../../testing/probe.ts";
import type { Published } from "./published.ts";
import { FAILED_REPLY, healthPages, type HttpPages, renderReply } from "./reply.ts";

const PUBLISHED: Published = { verdict: aVerdict(), ageMs: 900, tickMs: 5_000, crawlerBlock: false };

const PAGES: HttpPages = healthPages(() => PUBLISHED);

Deno.test("renderReply() gives the page with its length, unstored, and closes", () => {
  const body = '{"status":"pass","ageMs":900}\n';
  assertEquals(
    renderReply({ kind: "request", method: "GET", path: "/livez" }, PAGES),
    "HTTP/1.1 200 OK\r\nContent-Type: application/health+json\r\nContent-Length: 30\r\n" +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
});

Deno.test("renderReply() gives HEAD the same head and no body", () => {
  const get = renderReply({ kind: "request", method: "GET", path: "/healthz" }, PAGES);
  const head = renderReply({ kind: "request", method: "HEAD", path: "/healthz" }, PAGES);
  assertEquals(head, get.slice(0, get.indexOf("\r\n\r\n") + 4));
});

Deno.test("renderReply() answers 503 for a host that is out, and never redirects", () => {
  const out = { ...PUBLISHED, verdict: aVerdict({ phase: "drained", reason: "web-paused" }) };
  const reply = renderReply({ kind: "request", method: "GET", path: "/healthz" }, healthPages(() => out));
  assertEquals([reply.startsWith("HTTP/1.1 503 Service Unavailable\r\n"), reply.includes("Location")], [
    true,
    false,
  ]);
});

Deno.test("renderReply() answers what it does not know by a status alone", () => {
  const replies = [
    renderReply({ kind: "request", method: "GET", path: "/" }, PAGES),
    renderReply({ kind: "refused", status: 405 }, PAGES),
    renderReply({ kind: "refused", status: 400 }, PAGES),
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
    () => ({ status: 200, type: "text/plain", body: "a 1\n" }),
  ]]);
  const reply = renderReply({ kind: "request", method: "GET", path: "/metrics" }, pages);
  assertEquals([reply.includes("Content-Type: text/plain\r\n"), reply.endsWith("\r\n\r\na 1\n")], [
    true,
    true,
  ]);
});

Deno.test("FAILED_REPLY is a whole reply", () => {
  assertEquals(FAILED_REPLY.split("\r\n")[0], "HTTP/1.1 500 Internal Server Error");
});
