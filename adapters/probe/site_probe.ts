/** Asks a site once, as a visitor would, and says what came of it. */

import { findBytes } from "../../mod/http/find_bytes.ts";
import type { SiteTarget } from "../../mod/probe/site.ts";
import {
  judgeSite,
  type SiteCertificate,
  type SiteEnd,
  type SiteLook,
  type SiteSighting,
  type SiteStage,
} from "../../mod/probe/site_look.ts";
import { createSiteReader, SITE_BODY_LIMIT_BYTES, type SiteReply } from "../../mod/probe/site_reader.ts";
import { renderSiteRequest } from "../../mod/probe/site_request.ts";
import type { Clock } from "../clock.ts";
import { deadlineOf } from "../deadline.ts";
import { type ByteStream, writeAll } from "./byte_stream.ts";
import { endOfError } from "./connection_error.ts";
import { maybeRefusedConnection } from "./net_grant.ts";
import { connectToSite } from "./site_connection.ts";
import { maybeUnpacked } from "./unpack.ts";

/** What a probe takes. */
export interface SiteProbePorts {
  readonly clock: Clock;
  /** Version of loadweir, for the user agent. */
  readonly version: string;
  /** Certificates of authorities, in PEM, that are trusted besides the known ones. */
  readonly authorities?: readonly string[];
}

/** The probe of one site. */
export interface SiteProbe {
  readonly target: SiteTarget;
  /**
   * Asks once, over a connection of its own, which is closed when this ends. While another look of this probe has
   * not ended, it is unknown and nothing is asked.
   *
   * @param signal Gives the look up, which is then unknown
   * @returns At the deadline of the target at the latest. Never rejects
   */
  readonly look: (signal?: AbortSignal) => Promise<SiteLook>;
}

/** How much is read at once. */
const PIECE_BYTES = 16_384;

/** How long after its deadline a look may take to close what it has opened, before it is left to itself. */
const CLOSING_MS = 250;

/** Makes the probe of a site. */
export function createSiteProbe(target: SiteTarget, ports: SiteProbePorts): SiteProbe {
  let isBusy = false;
  // One for all looks, of which there is one at a time: the runtime collects buffers late.
  const buffer = new Uint8Array(PIECE_BYTES);
  return {
    target,
    async look(signal?: AbortSignal): Promise<SiteLook> {
      const untold = (why: string): SiteLook =>
        judgeSite(target, {
          end: { kind: "untold", why },
          times: { connectMs: undefined, firstByteMs: undefined, totalMs: 0 },
          certificate: { kind: "not-seen" },
        });
      if (isBusy) return untold("the look before has not ended");
      const refusal = maybeRefusedConnection(target.address, target.port);
      if (refusal !== undefined) return untold(refusal);
      isBusy = true;
      const sighting = sight(target, ports, buffer, signal).finally(() => isBusy = false);
      const inTime = await deadlineOf(target.deadlineMs + CLOSING_MS, sighting);
      return inTime === undefined ? untold("the look has not ended") : judgeSite(target, inTime);
    },
  };
}

/** Looks, and closes everything. Never rejects. */
async function sight(
  target: SiteTarget,
  { clock, version, authorities = [] }: SiteProbePorts,
  buffer: Uint8Array<ArrayBuffer>,
  signal: AbortSignal | undefined,
): Promise<SiteSighting> {
  const startedMs = clock.monotonicMs();
  const sinceMs = (): number => clock.monotonicMs() - startedMs;
  const over = new AbortController();
  let isLate = false;
  void clock.sleep(target.deadlineMs, over.signal).then(() => {
    isLate = !over.signal.aborted;
    over.abort();
  });
  const giveUp = (): void => over.abort();
  signal?.addEventListener("abort", giveUp, { once: true });
  if (signal?.aborted) giveUp();

  let stage: SiteStage = "connect";
  let certificate: SiteCertificate = { kind: "not-seen" };
  let connectMs: number | undefined;
  let firstByteMs: number | undefined;
  const reader = createSiteReader(new TextEncoder().encode(target.expectedText));

  async function ask(stream: ByteStream): Promise<SiteEnd> {
    stage = "reply";
    await writeAll(stream, new TextEncoder().encode(renderSiteRequest(target, version)));
    for (;;) {
      const count = await readOrEnd(stream, buffer);
      firstByteMs ??= count === null ? undefined : sinceMs();
      const state = count === null ? reader.end() : reader.push(buffer.subarray(0, count));
      if (state.kind === "broken") return { kind: "fault", stage, why: state.problem };
      if (state.kind === "replied") {
        return { kind: "replied", reply: await unpacked(state.reply, target.expectedText) };
      }
    }
  }

  async function endOf(): Promise<SiteEnd> {
    try {
      const stream = await connectToSite(target, {
        signal: over.signal,
        authorities,
        reached(reached: SiteStage): void {
          stage = reached;
          if (reached !== "connect") connectMs ??= sinceMs();
        },
        saw(seen: SiteCertificate): void {
          certificate = seen;
        },
      });
      connectMs ??= sinceMs();
      try {
        return await ask(stream);
      } finally {
        stream.close();
      }
    } catch (error) {
      if (isLate) return { kind: "late", stage, progress: reader.progress() };
      if (over.signal.aborted) return { kind: "untold", why: "the look was given up" };
      return endOfError(error, stage);
    }
  }

  const end = await endOf();
  over.abort();
  signal?.removeEventListener("abort", giveUp);
  return { end, times: { connectMs, firstByteMs, totalMs: sinceMs() }, certificate };
}

/** Reads; an end without TLS's own word for it is an end, which half of the servers leave out. */
async function readOrEnd(stream: ByteStream, buffer: Uint8Array): Promise<number | null> {
  try {
    return await stream.read(buffer);
  } catch (error) {
    if (error instanceof Deno.errors.UnexpectedEof) return null;
    throw error;
  }
}

/** The reply with its body unpacked where that can be done. */
async function unpacked(reply: SiteReply, expectedText: string): Promise<SiteReply> {
  if (reply.body.kind !== "packed") return reply;
  const inside = await maybeUnpacked(reply.body.encoding, reply.body.packed, SITE_BODY_LIMIT_BYTES);
  if (inside === undefined) return reply;
  const isFound = findBytes(inside.bytes, new TextEncoder().encode(expectedText)) >= 0;
  return { ...reply, body: isFound ? { kind: "found" } : { kind: "missing", isAll: inside.isAll } };
}
