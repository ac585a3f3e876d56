/**
 * Has ufw load its rules, when that cannot close the host. A reload that meets one mistake, in whichever file, leaves the
 * host without the rules that accept loopback and established connections; so all of them are tested first.
 */

import { FAMILIES, type Family } from "../../mod/drain/family.ts";
import {
  isUfwEnabled,
  maybeDropsEcho,
  UFW_CHAINS,
  UFW_FILES,
  UFW_LOADED,
} from "../../mod/drain/ufw_rules.ts";
import type { RunCommand } from "../command.ts";
import { maybeText } from "../quiet_file.ts";
import { maybeProblem, runFirst } from "./mechanism.ts";

const UFW = "/usr/sbin/ufw";

const UFW_CONF = "/etc/ufw/ufw.conf";

const TEST_PROGRAMS: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ["/usr/sbin/iptables-restore", "/sbin/iptables-restore"],
  ipv6: ["/usr/sbin/ip6tables-restore", "/sbin/ip6tables-restore"],
};

const LIST_PROGRAMS: Readonly<Record<Family, readonly string[]>> = {
  ipv4: ["/usr/sbin/iptables", "/sbin/iptables"],
  ipv6: ["/usr/sbin/ip6tables", "/sbin/ip6tables"],
};

const TEST_DEADLINE_MS = 5_000;

/**
 * It takes 2 s on a quiet host, as hundreds of programs, and minutes on one that has no memory left. One that is killed half-way
 * leaves the host half closed, so that only one that hangs for good is.
 */
const RELOAD_DEADLINE_MS = 600_000;

/** Why editing ufw's rules would come to nothing here; undefined when it would not. Never rejects. */
export function whyNoUfw(): string | undefined {
  const conf = maybeText(UFW_CONF);
  if (conf === undefined) return `Cannot use ufw: there is no ${UFW_CONF} to be read`;
  return isUfwEnabled(conf)
    ? undefined
    : "Cannot use ufw: it is off, choose another mechanism or run: ufw enable";
}

/**
 * What is wrong with the rules that a reload would load. Never rejects.
 *
 * @param texts What files are going to hold, by path; the others are taken as they are
 */
export async function maybeRulesProblem(
  run: RunCommand,
  texts: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  for (const [path, family] of UFW_LOADED) {
    const text = texts.get(path) ?? maybeText(path);
    if (text === undefined) continue;
    const args = ["--noflush", "--test"];
    const options = { deadlineMs: TEST_DEADLINE_MS, stdin: text };
    const { problem } = await runFirst(run, TEST_PROGRAMS[family], args, options);
    if (problem !== undefined) return `Cannot reload ufw: ${path} does not pass its test: ${problem}`;
  }
  return undefined;
}

/** Reloads ufw and looks whether the kernel has what the files say. Gives what went wrong; never rejects. */
export async function maybeReloadProblem(run: RunCommand): Promise<string | undefined> {
  const command = [UFW, "reload"];
  const result = await run(UFW, ["reload"], { deadlineMs: RELOAD_DEADLINE_MS });
  const problem = maybeProblem(command, result);
  if (problem !== undefined) return problem;
  for (const family of FAMILIES) {
    const wanted = maybeDropsEcho(maybeText(UFW_FILES[family]) ?? "", family);
    const args = ["-w", "2", "-S", UFW_CHAINS[family]];
    const listed = await runFirst(run, LIST_PROGRAMS[family], args, { deadlineMs: TEST_DEADLINE_MS });
    // With IPV6=no there is no such chain, and ufw decides nothing for that family.
    if (family === "ipv6" && listed.result.code === 1) continue;
    if (listed.problem !== undefined) return listed.problem;
    if (maybeDropsEcho(listed.result.stdout, family) !== wanted) {
      return `"ufw reload" exited 0, and the rules in force are not those of ${UFW_FILES[family]}`;
    }
  }
  return undefined;
}
