/**
 * A load for worlds: asks an address of loopback at a fixed rate, whatever comes back, and prints as JSON what came.
 *
 *     load_generator rate 'http://127.0.0.1/?ms=8' 115 20   115 requests a second for 20 s
 *     load_generator slow 'http://127.0.0.1/' 300 20        holds 300 connections for 20 s, a byte of header each second
 *
 * A request counts from when it was due: a load that waited for answers would hide how long a full server lets it wait.
 */

/** What a load came to. Latencies in milliseconds, of requests that were answered, by nearest rank. */
export interface LoadResult {
  readonly sent: number;
  /** Requests for which a whole answer came, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How the other requests ended, by what was said; connections that were lost, in the mode of slow clients. */
  readonly errors: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Greatest number of requests or connections that were open at once. */
  readonly mostOpen: number;
}

/** More requests than this are never open; those that are due then are errors. */
const OPEN_LIMIT = 2_000;

/** No load is larger than this. */
const SENT_LIMIT = 200_000;

const ANSWER_LIMIT_MS = 30_000;

const DRIP_MS = 1_000;

const [mode = "", address = "", amountText, secondsText] = Deno.args;
const url = new URL(address);
const hostname = url.hostname;
const port = Number(url.port) || 80;
const amount = Number(amountText);
const seconds = Number(secondsText);
if (!(hostname === "127.0.0.1" && amount > 0 && seconds > 0 && amount * seconds <= SENT_LIMIT)) {
  throw new Error(`Cannot make this load: ${Deno.args.join(" ")}`);
}

const statuses: Record<string, number> = {};
const errors: Record<string, number> = {};
const latenciesMs: number[] = [];
let sent = 0;
let open = 0;
let mostOpen = 0;

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

async function wait(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks once. Gives the status of a whole answer. */
async function ask(): Promise<string> {
  using connection = await Deno.connect({ hostname, port });
  const timer = setTimeout(() => connection.close(), ANSWER_LIMIT_MS);
  try {
    const request = `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: web\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const text = await new Response(connection.readable).text();
    const [, status, length] = /^HTTP\/1\.. (\d{3}) [^]*?\r\nContent-Length: (\d+)\r\n/i.exec(text) ?? [];
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    if (status === undefined || body.length !== Number(length)) throw new Error("cut short");
    return status;
  } finally {
    clearTimeout(timer);
  }
}

async function request(dueMs: number): Promise<void> {
  try {
    count(statuses, await ask());
    latenciesMs.push(performance.now() - dueMs);
  } catch (error) {
    count(errors, error instanceof Error ? error.message : String(error));
  }
}

/** Opens a connection and never gets to the end of its request. */
async function drip(endMs: number): Promise<void> {
  try {
    using connection = await Deno.connect({ hostname, port });
    await connection.write(new TextEncoder().encode(`GET ${url.pathname} HTTP/1.1\r\nHost: web\r\nX-Slow: `));
    while (performance.now() < endMs) {
      await wait(Math.min(DRIP_MS, endMs - performance.now()));
      await connection.write(new TextEncoder().encode("a"));
    }
  } catch (error) {
    count(errors, error instanceof Error ? error.message : String(error));
  }
}

async function tracked(work: Promise<void>): Promise<void> {
  sent += 1;
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  await work;
  open -= 1;
}

async function main(): Promise<void> {
  const startMs = performance.now();
  const all: Promise<void>[] = [];
  if (mode === "slow") {
    for (let at = 0; at < amount; at++) all.push(tracked(drip(startMs + seconds * 1000)));
  } else {
    for (let at = 0; at < amount * seconds; at++) {
      const dueMs = startMs + at * 1000 / amount;
      await wait(dueMs - performance.now());
      if (open < OPEN_LIMIT) all.push(tracked(request(dueMs)));
      else count(errors, "too many open");
    }
  }
  await Promise.all(all);
}

await main();
latenciesMs.sort((a, b) => a - b);
const quantile = (ratio: number): number =>
  Math.round(10 * (latenciesMs[Math.ceil(ratio * latenciesMs.length) - 1] ?? 0)) / 10;
const result: LoadResult = {
  sent,
  statuses,
  errors,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  maxMs: quantile(1),
  mostOpen,
};
await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(result)}\n`));
