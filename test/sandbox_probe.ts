/**
 * Tries all that the sandbox must allow or refuse and prints one JSON line for each: `["run ps","allowed"]`.
 */

import { ALLOWED, ALLOWED_BY_THE_BIND_MOUNT, FAILS, REFUSED } from "./sandbox_attempts.ts";

const attempts = { ...ALLOWED, ...ALLOWED_BY_THE_BIND_MOUNT, ...REFUSED, ...FAILS };
for (const [name, attempt] of Object.entries(attempts)) {
  const line = JSON.stringify([name, await outcomeOf(attempt)]);
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** `allowed`, `refused` when it was the sandbox, else the name and message of the error. */
async function outcomeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return "allowed";
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return "refused";
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
