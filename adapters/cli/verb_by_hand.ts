/**
 * `loadweir hold`, `resume`, `release`, `drain` and `undrain`: what a person asks for. A running agent is asked to do it; without one it is
 * done here, under the lock that the agent would have.
 */

import { durationType } from "../../mod/config/values.ts";
import { durationText } from "../../mod/report/duration.ts";
import { isAtWork } from "../../mod/report/late_pass.ts";
import { type Request, REQUEST_MAX_FOR_MS, type RequestVerb } from "../../mod/requests/request.ts";
import { armAgent } from "../armed/armed_agent.ts";
import { readBootId } from "../boot.ts";
import { runCommand } from "../command.ts";
import { expiryOf, openIcmp } from "../drain/icmp.ts";
import { endHungAgent } from "../hung_agent.ts";
import { LOCK_PATH } from "../instance_lock.ts";
import { isRoot } from "../is_root.ts";
import { takeLockOrAsk } from "../lock_or_answer.ts";
import { readState, STATE_PATH } from "../state_file.ts";
import { type Answer, askAgent, REQUESTS_PATH } from "../requests.ts";
import { LockError, takeLock } from "./agent_lock.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { type Host, openHost } from "./host.ts";
import { complain, print } from "./output.ts";

const FOR = durationType(1_000, REQUEST_MAX_FOR_MS);

/** How long a pause or its opposite lasts unless it is said. */
const DEFAULT_FOR_MS = 1_800_000;

/** The agent looks for requests every two seconds; some for a host that is slow. */
const ANSWER_DEADLINE_MS = 15_000;

/** Longer than starting everything takes when nothing hangs. */
const RELEASE_DEADLINE_MS = 120_000;

/** Pauses the web for a time. */
export function hold(args: Arguments): Promise<ExitCode> {
  return ask(args, "hold");
}

/** Gives the web back, and keeps it up for a time. */
export function resume(args: Arguments): Promise<ExitCode> {
  return ask(args, "resume");
}

/** Lets go of everything that is held. */
export function release(args: Arguments): Promise<ExitCode> {
  return ask(args, "release");
}

/** Takes this host out of the balancer for a time. */
export function drain(args: Arguments): Promise<ExitCode> {
  return ask(args, "drain");
}

/** Keeps this host in for a time, whatever the checks say. */
export function undrain(args: Arguments): Promise<ExitCode> {
  return ask(args, "undrain");
}

async function ask(args: Arguments, verb: RequestVerb): Promise<ExitCode> {
  if (!isRoot()) throw new UsageError(`${verb} needs root: sudo loadweir ${verb}`);
  const [reason = ""] = args.operands;
  const forMs = verb === "release" ? undefined : timeOf(args, "for", FOR) ?? DEFAULT_FOR_MS;
  const host = await openHost(args);
  try {
    using _lock = await takeLock(verb, host);
    return await withoutAgent(host, verb, reason, forMs);
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    if (verb === "release" && args.has("left") && await isAgentAtWork(host)) {
      print("an agent runs, and keeps what it holds\n");
      return EXIT.ok;
    }
    if (verb === "release") return await releaseBesideAgent(host, reason);
    return tellAnswer(await askRunning(host, verb, reason, forMs), forMs);
  } finally {
    host.processes.close();
  }
}

/** Whether the agent that holds the lock looks at this host; one that hangs does not. */
async function isAgentAtWork({ clock, source, processes, settings: { rules } }: Host): Promise<boolean> {
  const bootMs = clock.monotonicMs();
  const left = readState(STATE_PATH, { bootMs, bootId: readBootId(source, bootMs, clock.wallMs()) });
  if (left.kind !== "ok" || !await processes.isAlive(left.value.state.pid)) return false;
  return isAtWork(left.value.ageMs ?? Infinity, rules);
}

function askRunning(
  { clock }: Host,
  verb: RequestVerb,
  reason: string,
  forMs: number | undefined,
): Promise<Answer> {
  const atBootMs = clock.monotonicMs();
  const request: Request = {
    verb,
    reason,
    expiresBootMs: forMs === undefined ? undefined : atBootMs + forMs,
    byUid: Deno.uid() ?? 0,
    atBootMs,
    atWallMs: clock.wallMs(),
  };
  return askAgent(REQUESTS_PATH, request, { clock, deadlineMs: ANSWER_DEADLINE_MS });
}

function tellAnswer(answer: Answer, forMs: number | undefined): ExitCode {
  switch (answer.kind) {
    case "answered": {
      const { result, text } = answer.outcome;
      const until = forMs === undefined ? "" : `; it ends by itself in ${durationText(forMs)}`;
      print(`${text}${result === "done" ? until : ""}\n`);
      return result === "done" ? EXIT.ok : EXIT.failed;
    }
    case "withdrawn":
      complain(
        `loadweir: the agent did not take the request within ${
          ANSWER_DEADLINE_MS / 1000
        } s; nothing was done`,
      );
      return EXIT.failed;
    case "unanswered":
      complain(
        "loadweir: the agent took the request and has not answered; `loadweir status` shows what it does",
      );
      return EXIT.failed;
    case "failed":
      complain(`loadweir: ${answer.error}`);
      return EXIT.failed;
  }
}

/** An agent that does not even take a request holds the web for ever: it is ended, and what it holds is given back. */
async function releaseBesideAgent(host: Host, reason: string): Promise<ExitCode> {
  const result = await takeLockOrAsk(LOCK_PATH, "release", {
    clock: host.clock,
    async ask(): Promise<Answer | undefined> {
      const answer = await askRunning(host, "release", reason, undefined);
      return answer.kind === "withdrawn" ? undefined : answer;
    },
    askedForMs: ANSWER_DEADLINE_MS,
    end: (pid) => endHungAgent(LOCK_PATH, pid, { ...host, run: runCommand }),
    tell: (line) => complain(`loadweir: ${line}`),
  });
  switch (result.kind) {
    case "answered":
      return tellAnswer(result.answer, undefined);
    case "refused":
      complain(`loadweir: ${result.why}; nothing was done`);
      return EXIT.failed;
    case "taken": {
      using _lock = result.lock;
      return await withoutAgent(host, "release", reason, undefined);
    }
  }
}

/** No agent runs: whoever pauses must stay to give back, so only giving back can be done here. */
async function withoutAgent(
  host: Host,
  verb: RequestVerb,
  reason: string,
  forMs: number | undefined,
): Promise<ExitCode> {
  if (verb === "hold") {
    throw new UsageError(
      "no agent runs, and a pause needs one to give the web back: start `loadweir run` first",
    );
  }
  if (verb === "drain" || verb === "undrain") {
    throw new UsageError("no agent runs that a balancer could ask: start `loadweir run` first");
  }
  const { config, rules, profile } = host.settings;
  const agent = await armAgent({
    clock: host.clock,
    source: host.source,
    processes: host.processes,
    config: () => config,
    rules: () => rules,
    profile,
    takeOver: "give-back",
    canDrain: () => false,
    onDrain(): void {},
    tellChange: (_subject, line) => line === undefined ? undefined : complain(`loadweir: ${line}`),
    tell: ({ text, details }) => complain(`loadweir: ${[text, ...details].join("; ")}`),
  });
  if (forMs !== undefined) agent.keepUp(host.clock.monotonicMs() + forMs, reason);
  const { hold: held } = agent.ledger();
  const released = await agent.release(RELEASE_DEADLINE_MS);
  const isFree = released === "free";
  const names = held?.services.map(({ name }) => name).join(", ");
  print(
    released === "host-goes-down"
      ? "the host goes down: its boot starts the web\n"
      : !isFree
      ? "not everything could be given back; try again, or start `loadweir run`\n"
      : held === undefined
      ? "nothing is held\n"
      : `given back: ${names === "" ? "nothing had been running" : names}\n`,
  );
  if (verb === "release" && !await givePingsBack(host)) return EXIT.failed;
  if (forMs !== undefined) print(`an agent that starts within ${durationText(forMs)} keeps the web up\n`);
  return isFree ? EXIT.ok : EXIT.failed;
}

/** Ends the silence that an agent has left which was killed while the host was out. Tells whether none is left. */
async function givePingsBack({ clock, source, settings }: Host): Promise<boolean> {
  const boot = readBootId(source, clock.monotonicMs(), clock.wallMs());
  // Whatever way it was: none is begun here.
  const icmp = openIcmp({
    mode: "off",
    owner: "agent",
    expiresS: expiryOf(settings.config.probeTickMs),
    boot,
  }, {
    run: runCommand,
    clock,
    source,
  });
  const { kind, changed, text } = await icmp.release();
  if (kind === "failed") complain(`loadweir: ${text}`);
  else if (changed) print("pings are answered again\n");
  return kind === "ok";
}
