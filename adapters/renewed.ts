/** Something that is made from settings, and made anew when they change. */

/** Gives what there is now. */
export interface Renewed<T> {
  readonly current: () => T;
  /** Ends what there is now, if there is anything. */
  readonly end: () => void;
}

/**
 * Makes a thing when it is first asked for, and again when its plan has changed: then the one before is ended first.
 *
 * @param planOf The plan of now, as plain data
 */
export function renewed<P, T>(planOf: () => P, make: (plan: P) => T, end: (old: T) => void): Renewed<T> {
  let made: { readonly key: string; readonly thing: T } | undefined;
  return {
    current(): T {
      const plan = planOf();
      const key = JSON.stringify(plan);
      if (made === undefined || made.key !== key) {
        if (made !== undefined) end(made.thing);
        made = { key, thing: make(plan) };
      }
      return made.thing;
    },
    end(): void {
      if (made !== undefined) end(made.thing);
      made = undefined;
    },
  };
}
