/** What became of a wish that pings be answered or not. */

/** A way to stop answering pings. */
export type MechanismName = "nft" | "sysctl" | "ufw";

/** What is configured: one way, the best that works here, or none. */
export type PingMode = MechanismName | "auto" | "off";

/** All that can be configured. */
export const PING_MODES: readonly PingMode[] = ["auto", "nft", "sysctl", "ufw", "off"];

/** What one mechanism came to. */
export type MechanismOutcome =
  | {
    readonly kind: "ok";
    /** Whether this call changed anything of the host. */
    readonly changed: boolean;
    /** What was seen, in words that follow the mechanism's name; empty for nothing to say. */
    readonly note: string;
    /** Whether somebody else has silenced the host, by the same means. */
    readonly foundSilent: boolean;
  }
  /** What failed, on what, why and what to do about it, as one line. */
  | { readonly kind: "failed"; readonly error: string };

/** What a wish came to. */
export interface PingOutcome {
  /** Whether the host is as it was wanted, as far as that is ours to decide. */
  readonly kind: "ok" | "failed";
  /**
   * What pings meet now: answers, silence of ours, or that of somebody else, which is never ended. After a failure
   * unknown.
   */
  readonly pings: "answered" | "silent" | "found-silent" | "unknown";
  /** What is in use, or would be; undefined where nothing is. */
  readonly mechanism: MechanismName | undefined;
  /** Whether this call changed anything of the host. */
  readonly changed: boolean;
  /** One line for people. */
  readonly text: string;
}

/** An outcome of a mechanism that found all as it should be, or made it so. */
export function mechanismOk(changed: boolean, note = "", foundSilent = false): MechanismOutcome {
  return { kind: "ok", changed, note, foundSilent };
}

/** What was wanted, and what came of it. */
export interface PingFacts {
  readonly wanted: "answered" | "silent";
  /** What is in use, or would be. */
  readonly mechanism: MechanismName | undefined;
  /** What counts of the mechanisms that were asked. */
  readonly outcome: MechanismOutcome;
  /** Whether another mechanism changed something on the way. */
  readonly otherChanged: boolean;
  /** What else is worth telling; empty ones are left out. */
  readonly notes: readonly string[];
}

/** Puts together what a wish came to. Never throws. */
export function pingOutcome({ wanted, mechanism, outcome, otherChanged, notes }: PingFacts): PingOutcome {
  const by = mechanism === undefined || wanted === "answered" ? "" : `, by ${mechanism}`;
  const told = (head: string, own: string): string =>
    [head, own, ...notes].filter((note) => note !== "").join("; ");
  if (outcome.kind === "failed") {
    const head = wanted === "silent"
      ? `Cannot stop answering pings${by}`
      : "Cannot let pings be answered again";
    return {
      kind: "failed",
      pings: "unknown",
      mechanism,
      changed: otherChanged,
      text: told(`${head}: ${outcome.error}`, ""),
    };
  }
  const changed = outcome.changed || otherChanged;
  if (outcome.foundSilent) {
    const text = told("pings are not answered, and that is not ours to end", outcome.note);
    return { kind: "ok", pings: "found-silent", mechanism, changed, text };
  }
  const head = wanted === "silent" ? `pings are not answered${by}` : "pings are answered";
  return { kind: "ok", pings: wanted, mechanism, changed, text: told(head, outcome.note) };
}
