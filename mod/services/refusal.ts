/**
 * A test of a configuration that failed because of who made it.
 *
 *     nginx: [emerg] open() "/mnt/logs/access.log" failed (30: Read-only file system)
 *     [29-Nov-2026 22:20:01] ERROR: failed to open error_log (/mnt/fpm.log): Read-only file system (30)
 *
 * A unit confines the agent, and with it the tests that it makes. What it must not do here the service itself may well
 * do: such a test says nothing about the configuration.
 */

const REFUSALS = /\bRead-only file system\b|\bOperation not permitted\b/;

/** Whether a test says that it was refused something. Never throws. */
export function isRefusal(stderr: string): boolean {
  return REFUSALS.test(stderr);
}
