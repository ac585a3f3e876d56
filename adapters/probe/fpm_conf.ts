/**
 * The pools of a php-fpm, asked of its own program, which reads what its configuration includes as it does
 * itself.
 */

import { messageOf } from "../../mod/errors.ts";
import { type FpmPoolConf, parseFpmPools } from "../../mod/fpm_pools.ts";
import type { OwnService } from "../../mod/hold/own_services.ts";
import { permittedValues } from "../../mod/permissions.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import type { RunCommand } from "../command.ts";

/** What is known of the pools of a service. */
export interface FpmConf {
  readonly pools: Reading<readonly FpmPoolConf[]>;
  /** When that was asked; monotonic. */
  readonly askedMs: number;
}

/** Knows the pools of one service. */
export interface FpmConfReader {
  /**
   * The pools as they were asked for last; the first time it waits. Never rejects.
   *
   * @param isDoubted Something does not fit what is known: it is asked again, as soon as that may be
   */
  readonly read: (service: OwnService, isDoubted: boolean) => Promise<FpmConf>;
}

/** It loads all of its extensions each time, so it is not asked more often, whatever happens. */
const ASK_MIN_MS = 60_000;

/** A reload with another configuration leaves master and sockets as they are, and would not be noticed else. */
const ASK_AGAIN_MS = 600_000;

const ASK_DEADLINE_MS = 5_000;

/** Makes the reader of one service. */
export function createFpmConfReader(run: RunCommand, clock: Clock): FpmConfReader {
  let known: FpmConf | undefined;
  let askedFor: string | undefined;
  let lastAskMs = -Infinity;
  let asking: Promise<FpmConf> | undefined;

  async function ask({ ref }: OwnService): Promise<FpmConf> {
    const askedMs = clock.monotonicMs();
    lastAskMs = askedMs;
    const pools = await askPools(ref, run);
    // A configuration that is broken now says nothing of the pools that run: those are still as they were.
    if (pools.kind === "ok" || known?.pools.kind !== "ok") known = { pools, askedMs };
    return known;
  }

  return {
    async read(service: OwnService, isDoubted: boolean): Promise<FpmConf> {
      const sinceMs = clock.monotonicMs() - lastAskMs;
      const masters = service.masters.map(({ pid, startTicks }) => `${pid}:${startTicks}`).join(" ");
      const isDue = known === undefined || known.pools.kind !== "ok" || isDoubted || masters !== askedFor ||
        sinceMs >= ASK_AGAIN_MS;
      if (isDue && sinceMs >= ASK_MIN_MS && asking === undefined) {
        askedFor = masters;
        asking = ask(service).finally(() => asking = undefined);
      }
      return asking !== undefined && (known === undefined || isDoubted || masters === "")
        ? await asking
        : known ?? { pools: failed("its pools have not been asked for"), askedMs: -Infinity };
    },
  };
}

async function askPools(
  { program, confPath }: OwnService["ref"],
  run: RunCommand,
): Promise<Reading<readonly FpmPoolConf[]>> {
  if (program === undefined) return failed("Cannot ask php-fpm for its pools: its program is not known");
  if (!permittedValues("run").includes(program)) {
    return failed(`Cannot ask for pools: ${program} is not among the programs that this binary may run`);
  }
  const args = ["-tt", ...confPath === undefined ? [] : ["--fpm-config", confPath]];
  const text = `${program} ${args.join(" ")}`;
  const { code, stderr, timedOut } = await run(program, args, { deadlineMs: ASK_DEADLINE_MS });
  if (timedOut) return failed(`"${text}" gave no answer within ${ASK_DEADLINE_MS} ms`);
  if (code !== 0) return failed(`"${text}" exited ${code}: ${stderr.trim().split("\n").at(-1) ?? ""}`);
  try {
    return ok(parseFpmPools(stderr, text));
  } catch (error) {
    return failed(messageOf(error));
  }
}
