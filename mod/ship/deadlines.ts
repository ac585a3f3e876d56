/** How long a stop of the agent may take, as the agent and whoever stops it agree on it. */

/** Milliseconds in which an agent that is stopped gives everything back. */
export const RELEASE_DEADLINE_MS = 90_000;

/**
 * Seconds that whoever stops the agent waits before it kills: for the release, and for a reload of ufw's rules, which
 * takes up to 75 s more and leaves the host closed when it is ended half-way.
 */
export const STOP_TIMEOUT_S = 180;

/**
 * Seconds without a word from the agent after which systemd kills it. A host that is short of memory stands still for a
 * minute now and then, and what hangs holds the web for no longer than `[web] max_hold` anyway.
 */
export const WATCHDOG_S = 120;
