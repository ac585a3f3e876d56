/**
 * A listener that is kept open: where it cannot listen, it says so and tries again, and goes on whatever its
 * peers do.
 */

import { messageOf } from "../../mod/errors.ts";
import { endpointText } from "../../mod/ip_address.ts";
import { maybeAddressProblem } from "../../mod/probe/outlets/listen_address.ts";
import type { Clock } from "../clock.ts";
import { watchFault } from "./fault.ts";
import { openRoom, ROOM_LIMITS, type RoomLimits } from "./connection_room.ts";

/** From one try to listen to the next: it doubles up to the limit, as a service address may come any time. */
const FIRST_RETRY_MS = 1_000;
const RETRY_LIMIT_MS = 30_000;

/** Pause after a connection that could not be taken: without files left, the next fails as fast. */
const ACCEPT_PAUSE_MS = 200;

/** A fault that comes back sooner is still the same one. */
const CALM_MS = 60_000;

/** What is listened for. */
export interface ListenerPlan {
  /** What it is for, as people are told: `agent-check`. */
  readonly name: string;
  /** An IP address. */
  readonly address: string;
  readonly port: number;
  /** Answers one connection, which is closed afterwards. Never rejects. */
  readonly answer: (connection: Deno.TcpConn) => Promise<void>;
}

/** What a listener needs. */
export interface ListenerPorts {
  readonly clock: Clock;
  /** Tells a problem by its subject; undefined when it is over. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
  readonly limits?: RoomLimits;
}

/** A listener, or the attempt at one. */
export interface KeptListener {
  /** Where it listens now. */
  readonly maybeAddress: () => Deno.NetAddr | undefined;
  /** Stops listening and closes all connections. */
  readonly close: () => Promise<void>;
}

/** Begins to listen, and goes on until it is closed. Nothing of it throws or rejects. */
export function keepListening(plan: ListenerPlan, ports: ListenerPorts): KeptListener {
  const { clock, tellChange } = ports;
  const endpoint = endpointText(plan.address, plan.port);
  const subject = `${plan.name} on ${endpoint}`;
  const stop = new AbortController();
  const limits = ports.limits ?? ROOM_LIMITS;
  const room = openRoom(limits, clock);
  let listener: Deno.TcpListener | undefined;

  async function listenUntilStopped(): Promise<void> {
    const refusal = maybeRefusal(plan.address, plan.port);
    // Neither the address nor what is granted changes while the program runs.
    if (refusal !== undefined) return tellChange(subject, `${subject}: ${refusal}`);
    for (
      let delayMs = FIRST_RETRY_MS;
      !stop.signal.aborted;
      delayMs = Math.min(delayMs * 2, RETRY_LIMIT_MS)
    ) {
      try {
        listener = Deno.listen({ hostname: plan.address, port: plan.port });
        tellChange(subject, undefined);
        return await acceptUntilStopped(listener);
      } catch (error) {
        tellChange(subject, `${subject}: ${whyNotListening(error)}; trying again`);
      }
      await clock.sleep(delayMs, stop.signal);
    }
  }

  async function acceptUntilStopped(from: Deno.TcpListener): Promise<void> {
    const crowd = watchFault(`${subject}, room`, CALM_MS, ports);
    const intake = watchFault(`${subject}, connections`, CALM_MS, ports);
    while (!stop.signal.aborted) {
      if (await room.makeRoom()) {
        crowd.happened(
          `${subject}: ${limits.connectionLimit} connections that do not end, the oldest are closed for new ones`,
        );
      } else crowd.passed();
      try {
        room.take(await from.accept(), plan.answer);
        intake.passed();
      } catch (error) {
        if (stop.signal.aborted) return;
        if (isPeerGone(error)) continue;
        intake.happened(`${subject}: cannot take a connection: ${messageOf(error)}; trying again`);
        await clock.sleep(ACCEPT_PAUSE_MS, stop.signal);
      }
    }
  }

  const ended = listenUntilStopped();
  return {
    maybeAddress: () => stop.signal.aborted ? undefined : listener?.addr as Deno.NetAddr | undefined,
    async close(): Promise<void> {
      if (!stop.signal.aborted) {
        stop.abort();
        listener?.close();
        room.close();
      }
      await ended;
    },
  };
}

/** Why this program can never listen there. */
function maybeRefusal(address: string, port: number): string | undefined {
  const problem = maybeAddressProblem(address);
  if (problem !== undefined) return problem;
  const { state } = Deno.permissions.querySync({ name: "net", host: endpointText(address, port) });
  return state === "granted" ? undefined : "this program has no permission to listen there";
}

/** Whether a connection could not be taken because its peer was gone, of which the runtime asks the address. */
function isPeerGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotConnected || error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.ConnectionReset;
}

function whyNotListening(error: unknown): string {
  if (error instanceof Deno.errors.AddrInUse) return "another program listens there, look at ss -ltnp";
  if (error instanceof Deno.errors.AddrNotAvailable) return "this host does not have the address now";
  return `cannot listen: ${messageOf(error)}`;
}
