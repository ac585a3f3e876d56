/**
 * A web server that can be kept busy: `node server.js BASE INDEX` listens on port BASE + INDEX of loopback.
 *
 *     /?ms=8      takes 8 ms of CPU time, then answers
 *     /slow?s=3   answers after 3 s, and keeps its connection until then
 *     /metrics    its figures, as prom-client exports them
 *
 * At SIGTERM it listens no more, finishes what it serves, and ends. From SIGUSR2 on it tells no figures, and serves all else.
 */

"use strict";

const { Buffer } = require("node:buffer");
const http = require("node:http");
const process = require("node:process");
const { setImmediate } = require("node:timers");
const client = require("prom-client");

const [base, index] = process.argv.slice(2).map(Number);

client.collectDefaultMetrics({ eventLoopMonitoringPrecision: 10 });

const latency = new client.Histogram({
  name: "http_request_duration_seconds",
  help: "Time from a request to its answer",
  // Each a quarter larger than the one before, from 1 ms to 12 s.
  buckets: client.exponentialBuckets(0.001, 1.25, 43),
});
const inFlight = new client.Gauge({
  name: "http_requests_in_flight",
  help: "Requests that are being served",
});

/** Takes CPU time of this process, which is less than time where others want the CPU too. */
function burn(ms) {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= ms * 1000) return;
  }
}

let isEnding = false;

function answer(response, text, type = "text/plain") {
  response.setHeader("Content-Type", type);
  // Tells whoever reads it whether it came whole.
  response.setHeader("Content-Length", Buffer.byteLength(text));
  if (isEnding) response.setHeader("Connection", "close");
  response.end(text);
}

const waiting = [];
let connections = 0;
let connectionsBefore = 0;

/**
 * Works on one request after the other, and takes in all that come before each: those that wait are in here, where they
 * count as in flight, and whoever asks for figures does not wait behind them.
 */
function later(work) {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(workOnFirst);
}

function workOnFirst() {
  // The loop takes one connection a turn.
  const isAlone = connections === connectionsBefore;
  connectionsBefore = connections;
  if (isAlone) {
    waiting[0]();
    waiting.shift();
  }
  if (waiting.length > 0) setImmediate(workOnFirst);
}

let isMute = false;

const server = http.createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://web");
  if (pathname === "/metrics") {
    if (isMute) {
      response.destroy();
      return;
    }
    client.register.metrics().then((text) => answer(response, text, client.register.contentType));
    return;
  }
  const end = latency.startTimer();
  inFlight.inc();
  response.on("close", () => {
    inFlight.dec();
    end();
  });
  const said = `instance ${index}\n`;
  if (pathname === "/slow") {
    setTimeout(
      () => answer(response, said),
      Number(searchParams.get("s") ?? 1) * 1000,
    );
    return;
  }
  later(() => {
    burn(Number(searchParams.get("ms") ?? 0));
    answer(response, said);
  });
});

server.on("connection", () => {
  connections += 1;
});
server.listen(base + index, "127.0.0.1");

process.on("SIGUSR2", () => {
  isMute = true;
});

process.on("SIGTERM", () => {
  isEnding = true;
  server.close(() => process.exit(0));
});
