/** What was done to the tier of late: what cooldowns count from, and what keeps it from going to and fro. */

/** One scaling that was done. */
export interface PastAction {
  readonly action: "ScaleOut" | "ScaleIn";
  /** Monotonic time at which it was done: of a start, when the instance was ready. */
  readonly atMs: number;
}

/** All that is remembered. */
export interface PastActions {
  /** Those of the last hour, oldest first, and the last one of each kind. */
  readonly actions: readonly PastAction[];
  /** When a start failed last; undefined where none has. */
  readonly failedMs: number | undefined;
  /**
   * What was done before then nobody knows, so that both cooldowns run from there, where nothing has been done since.
   * Not there where all is known.
   */
  readonly unknownBeforeMs?: number;
}

/** Nothing was done. */
export const NO_ACTIONS: PastActions = { actions: [], failedMs: undefined };

/** Actions that may be done in an hour, and changes of direction among them. */
export const FLAP_LIMIT = { actions: 6, turns: 3 } as const;

const HOUR_MS = 3_600_000;

/** The memory with one more action, without what is older than an hour and not the last of its kind. Never throws. */
export function withAction({ actions, ...others }: PastActions, done: PastAction): PastActions {
  const kept = actions.filter((one) =>
    done.atMs - one.atMs < HOUR_MS || one === lastOf(actions, one.action) && one.action !== done.action
  );
  return { ...others, actions: [...kept, done] };
}

/** When such an action was done last, or may have been; undefined where it never was. Never throws. */
export function lastActionMs(
  { actions, unknownBeforeMs }: PastActions,
  action: PastAction["action"],
): number | undefined {
  return lastOf(actions, action)?.atMs ?? unknownBeforeMs;
}

/** Whether one more action would be one too many of this hour, or one turn too many. Never throws. */
export function isFlapping({ actions }: PastActions, next: PastAction["action"], atMs: number): boolean {
  const recent = actions.filter((one) => atMs - one.atMs < HOUR_MS);
  const directions = [...recent.map(({ action }) => action), next];
  const turns = directions.filter((action, index) => index > 0 && action !== directions[index - 1]).length;
  return recent.length >= FLAP_LIMIT.actions || turns > FLAP_LIMIT.turns;
}

function lastOf(actions: readonly PastAction[], action: PastAction["action"]): PastAction | undefined {
  return actions.findLast((one) => one.action === action);
}
