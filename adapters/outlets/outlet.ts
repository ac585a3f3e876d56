/** What all outlets have in common. */

/** One place where the verdict is published. Nothing of it throws or rejects. */
export interface Outlet {
  /** Where it listens now; empty for one that does not. */
  readonly addresses: () => readonly Deno.NetAddr[];
  /** Hands the verdict on, where nobody comes to ask for it. */
  readonly publish: () => void;
  /**
   * Ends it, and takes back what it said of this host.
   *
   * @param isTakenOver Another one goes on with it: nothing is taken back
   */
  readonly close: (isTakenOver?: boolean) => Promise<void>;
}
