/** Whether the host has settled, so that a mail about it means something. */

import { BOA_CALM_FILES, type CalmFile, type HostCalm } from "../../mod/incident/policy.ts";

/**
 * Looks at what holds mails back.
 *
 * @param uptimeMs Since the boot; undefined where it is not known
 * @param files The files to look at: on other hosts than BOA's there are none
 * @returns A file that may not be looked at holds nothing back. Never rejects
 */
export async function readHostCalm(
  uptimeMs: number | undefined,
  files: readonly CalmFile[] = BOA_CALM_FILES,
): Promise<HostCalm> {
  const reasons = await Promise.all(files.map(reasonOf));
  return { uptimeMs, busyWith: reasons.filter((reason) => reason !== undefined) };
}

async function reasonOf({ path, expected, ifThere, reason }: CalmFile): Promise<string | undefined> {
  if (ifThere !== undefined && await isThere(ifThere) !== true) return undefined;
  return await isThere(path) === !expected ? reason : undefined;
}

/** Undefined where that cannot be told. */
async function isThere(path: string): Promise<boolean | undefined> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? false : undefined;
  }
}
