/**
 * What makes an agent an armed one: the ledger, the keepers that carry actions out, the markers, what people ask for, and
 * a way to let go of everything.
 */

import type { Config } from "../../mod/config/config.ts";
import { holdOfNow } from "../../mod/hold/hold_of_now.ts";
import { ladderKey, ladderOfNow } from "../../mod/hold/ladder_of_now.ts";
import type { Ledger } from "../../mod/hold/ledger.ts";
import { MARKER_FOLDERS } from "../../mod/hold/marker_files.ts";
import type { Decision } from "../../mod/ladder/decision.ts";
import type { ByHand, HeldWeb } from "../../mod/ladder/sample.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import type { LadderState } from "../../mod/ladder/state.ts";
import { victimText } from "../../mod/processes/victim.ts";
import type { ProbeByHand } from "../../mod/probe/input.ts";
import { leftAloneLines } from "../../mod/report/web_tier.ts";
import { failed, mapReading, ok, type Reading } from "../../mod/reading.ts";
import type { AgentPorts } from "../agent.ts";
import { runCommand } from "../command.ts";
import { isOurs, readCrawlerBlock, setCrawlerBlock } from "../crawler_block.ts";
import { createHostFiles } from "../check/host_files.ts";
import { deadlineOf } from "../deadline.ts";
import { topConsumers } from "../incident/top_consumers.ts";
import { killRunaways } from "../kill_runaways.ts";
import { LEDGER_PATH, writeLedger } from "../ledger_file.ts";
import { applyGuard, applyMarkers } from "../markers.ts";
import type { ProcessReader } from "../process_reader.ts";
import { openStopList, STOP_LIST_PATH } from "../stop_list_file.ts";
import { isHostGoingDown } from "../web/host_end.ts";
import { rememberAnswers } from "../web/remembered_answers.ts";
import {
  findRunningServices,
  findStartedServices,
  findStoppedServices,
  startServices,
  stopServices,
} from "../web/web_tier.ts";
import { openActionTeller } from "./action_teller.ts";
import { createArmedExecutor } from "./armed_executor.ts";
import { openBackgroundLook } from "./background_look.ts";
import { openBlockKeeper } from "./block_keeper.ts";
import { openBlockSwitch } from "./block_switch.ts";
import { openByHand } from "./by_hand.ts";
import { openLedgerBook } from "./ledger_book.ts";
import { openPausePreparation } from "./pause_preparation.ts";
import { openReleaseTimer } from "./release_timer.ts";
import { openStopFinisher } from "./stop_finisher.ts";
import { takeUp, type TakeUpHost } from "./take_up.ts";
import { openWatchdogStart } from "./watchdog_start.ts";
import { openWebKeeper } from "./web_keeper.ts";

/** Time between two reloads of nginx: long enough for the old workers of the first to finish what they serve. */
const RELOAD_COOL_DOWN_MS = 30_000;

/** How long a pass waits for a look at a pause: it takes some ten milliseconds where nothing hangs. */
const LOOK_DEADLINE_MS = 500;

/** How long an end waits for systemd to forget the timer of a pause that is over. */
const TIMER_DEADLINE_MS = 5_000;

/** How long an end waits for what was left stopped on its way to an end: a signal takes milliseconds. */
const FINISH_DEADLINE_MS = 5_000;

/** What an armed agent works with. */
export interface ArmedHost extends TakeUpHost {
  readonly processes: ProcessReader;
  /** The settings of now, and what the ladder makes of them: they may be read again while the agent runs. */
  readonly config: () => Config;
  readonly rules: () => LadderRules;
  /** Told once of what is not as it should be, until that changes; undefined when it is well again. */
  readonly tellChange: (subject: string, line: string | undefined) => void;
  /** Whether anybody would be told that this host is out. */
  readonly canDrain: () => boolean;
  /** Told that a person wants something else of the balancer. */
  readonly onDrain: () => void;
}

/**
 * What a release came to: nothing is held any more, something still is, or the host is being taken down, where nothing can
 * be started and its next boot starts what it starts.
 */
export type Released = "free" | "held" | "host-goes-down";

/** What is added to the loop, and how it ends. */
export interface ArmedAgent {
  readonly ports: Required<Pick<AgentPorts, "execute" | "isAsked" | "observe" | "remember">>;
  /** Where the ladder begins: with what the agent before left. */
  readonly start: LadderState;
  readonly ledger: () => Ledger;
  /** What a person wants of the balancer. */
  readonly drainByHand: () => ProbeByHand | undefined;
  /** Asks that the web is kept up until then, by this agent and those that follow. */
  readonly keepUp: (untilBootMs: number, reason: string) => void;
  /** Gives everything back and waits for it. */
  readonly release: (deadlineMs: number) => Promise<Released>;
  /** Waits for what is being done. Tells whether nothing is left to do. */
  readonly settle: (deadlineMs: number) => Promise<boolean>;
}

/** Arms an agent that holds the instance lock. Never rejects: what cannot be read is told, and the safer way is taken. */
export async function armAgent(host: ArmedHost): Promise<ArmedAgent> {
  const { clock, source, processes, config, profile, tell, tellChange } = host;
  const tierPorts = { run: runCommand, processes, source, clock };
  const markerFolder = MARKER_FOLDERS[profile];
  const teller = openActionTeller(tell, () => topConsumers(tierPorts));
  const { boot, restored } = await takeUp(host, () => findStoppedServices(tierPorts));
  const timer = openReleaseTimer({
    ...host,
    run: runCommand,
    host: createHostFiles(),
    programPath: Deno.execPath(),
  });
  const book = openLedgerBook(restored.ledger, clock, (ledger): Promise<Reading<void>> => {
    const written = writtenAs(writeLedger(LEDGER_PATH, ledger));
    // From the start of a pause, and not from the next pass: by then the agent may be gone.
    if (written.kind === "ok") timer.follow(ledger);
    return Promise.resolve(written);
  });

  const { monotonicMs: nowBootMs } = clock;
  const stopList = await openStopList(STOP_LIST_PATH, { bootId: boot.id, nowBootMs, tellChange }, true);
  const finisher = openStopFinisher({ run: runCommand, clock, source, list: stopList, tell, tellChange });
  finisher.follow();

  const hand = openByHand(book, {
    ...host,
    onUp(): void {
      // Between two tries to start it waits a minute.
      if (book.ledger().hold?.phase === "starting") web.giveBack();
    },
  });
  // Of an agent that was killed while it stopped services: as long as it is there, others start nothing.
  applyGuard(false, markerFolder);

  const answers = rememberAnswers(runCommand, clock);
  const prepare = openPausePreparation(
    clock,
    () => findRunningServices({ ...tierPorts, run: answers.runPatiently }),
  );
  const watchdogs = openWatchdogStart({
    clock,
    findStarted: () => findStartedServices(tierPorts),
    start: (services) => startServices(services, tierPorts),
  });
  const web = openWebKeeper({
    clock,
    book,
    tell: teller.web,
    guard: (on) => void applyGuard(on, markerFolder),
    tier: {
      findRunning: async () =>
        mapReading(await findRunningServices({ ...tierPorts, run: answers.run }), (running) => ({
          services: running.services,
          leftAlone: leftAloneLines(running),
        })),
      findStarted: () => findStartedServices(tierPorts),
      stop: (services) => stopServices(services, tierPorts),
      start: (services) =>
        config().resumeBy === "watchdog" ? watchdogs.start(services) : startServices(services, tierPorts),
    },
  });
  const blockSwitch = openBlockSwitch({
    clock,
    book,
    set: (wanted) => setCrawlerBlock(wanted, profile, { run: runCommand, processes, clock, source }),
    read: () => readCrawlerBlock(profile),
    isMarked: () => isOurs(profile),
  });
  const block = openBlockKeeper({
    clock,
    coolDownMs: RELOAD_COOL_DOWN_MS,
    set: blockSwitch.set,
    tell(change): void {
      tellChange("crawler block", change.isOthers ? change.text : undefined);
      if (!change.isOthers) teller.block(change);
    },
  });

  const executor = createArmedExecutor({
    clock,
    web: {
      giveBack: web.giveBack,
      pause(cause): void {
        web.pause(cause.reason === "by-hand" ? { ...cause, expiresBootMs: hand.endMs() } : cause);
        watchdogs.interrupt();
      },
    },
    block,
    kill,
    mark: (present) => tellChange("markers", applyMarkers(present, markerFolder).problems[0]),
  });

  async function kill(): Promise<void> {
    const { runawayNames: names, backupEngines, backupOrchestrators, backupMarkerPath: markerPath } =
      config();
    const backups = { patterns: { engines: backupEngines, orchestrators: backupOrchestrators }, markerPath };
    const settings = { names, backups };
    const outcome = await finisher.meanwhile(() => killRunaways(settings, { ...tierPorts, stops: stopList }));
    if (outcome.kind === "refused") {
      return teller.done("kill-runaways", [{ text: outcome.reason, failed: true }]);
    }
    // That none was running is no news.
    if (outcome.ended.length === 0 && outcome.survivors === 0) return;
    const ended = outcome.ended.map(({ victim, ending }) => ({
      text: `${victimText(victim)}: ${ending}`,
    }));
    const left = outcome.survivors > 0 ? [{ text: `${outcome.survivors} still run`, failed: true }] : [];
    teller.done("kill-runaways", [...ended, ...left]);
  }

  /** One more try for what is stopped; whatever is left then, the next agent finds on the list. */
  async function finish(): Promise<void> {
    finisher.follow();
    await finisher.settle(FINISH_DEADLINE_MS);
  }

  const look = openBackgroundLook(web.look, LOOK_DEADLINE_MS);
  let remembered = "";
  return {
    start: restored.state,
    ledger: book.ledger,
    drainByHand: hand.drain,
    ports: {
      execute(decision: Decision): ReturnType<typeof executor.execute> {
        if (decision.actions.includes("pause-web")) look.forget();
        teller.decided(decision);
        prepare(decision);
        return executor.execute(decision);
      },
      async observe(): Promise<{ byHand: ByHand | undefined; heldWeb: HeldWeb | undefined }> {
        timer.follow(book.ledger());
        finisher.follow();
        const heldWeb = await look.take();
        // Whoever starts the web in a pause that was asked for wants something else now: it is not stopped once more.
        if (heldWeb === "running") hand.endHold();
        return { byHand: hand.follow(), heldWeb };
      },
      isAsked: hand.isAsked,
      async remember(state: LadderState): Promise<void> {
        const ladder = ladderOfNow(state);
        const now = ladderKey(state);
        const held = ({ hold }: Ledger): Ledger["hold"] => hold && holdOfNow(hold, state, hand.endMs());
        const isSame = now === remembered && held(book.ledger()) === book.ledger().hold;
        if (isSame && !book.isBehind()) return;
        const written = await book.change((ledger) => ({ ...ledger, ladder, hold: held(ledger) }));
        if (written.kind === "ok") remembered = now;
      },
    },
    keepUp: hand.keepUp,
    async settle(deadlineMs: number): Promise<boolean> {
      await executor.settle(deadlineMs);
      const settled = await Promise.all([web.settle(deadlineMs), block.settle(deadlineMs)]);
      await finish();
      return settled.every((isSettled) => isSettled);
    },
    async release(deadlineMs: number): Promise<Released> {
      // A pause that waits until runaways have ended must not begin after all is given back.
      executor.end();
      if (book.ledger().hold !== undefined && await isHostGoingDown(runCommand, createHostFiles())) {
        applyMarkers([], markerFolder);
        return "host-goes-down";
      }
      web.giveBack();
      watchdogs.leave();
      if (blockSwitch.isToGo()) block.want("off");
      applyMarkers([], markerFolder);
      // One that is cut short while it ends processes would leave them stopped.
      await Promise.all([web, block, executor].map((one) => one.settle(deadlineMs)));
      await finish();
      // Who is asked to stop holds nothing, but the next one still keeps up what a person wants kept up.
      await book.record((ledger) => ({
        ...ledger,
        ladder: undefined,
        byHand: ledger.byHand?.what === "hold" ? undefined : ledger.byHand,
      }));
      timer.follow(book.ledger());
      await deadlineOf(TIMER_DEADLINE_MS, timer.idle());
      return book.ledger().hold === undefined ? "free" : "held";
    },
  };
}

function writtenAs(outcome: ReturnType<typeof writeLedger>): Reading<void> {
  return outcome.kind === "failed" ? failed(outcome.error) : ok(undefined);
}
