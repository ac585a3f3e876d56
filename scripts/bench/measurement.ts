/**
 * How it is measured: each on the compiled binary and beside what a user would run instead. Every measurement is a bash script
 * that runs in a world of its own and prints numbers; CPU times are user and system together.
 */

import { inWorldOk } from "../../test/world.ts";
import { PROJECT } from "../project_files.ts";

/** One line of the result. */
export interface Measurement {
  readonly what: string;
  readonly unit: string;
  readonly loadweir: number;
  /** What it must not exceed, or must reach where `more` is better; undefined is no goal. */
  readonly goal?: { readonly limit: number; readonly better: "less" | "more" };
  /** What a user would run instead, and what that costs. */
  readonly instead?: { readonly what: string; readonly value: number };
}

/**
 * What every script begins with. The load is played by a file over `loadavg`, so that the machine's own load starts no
 * re-check. `cpu` gives the CPU seconds of a command, user and system together, its children included.
 */
const PRELUDE = String.raw`
play() { printf '%s %s %s 1/100 4242\n' "$1" "$1" "$1" >/tmp/loadavg; }
play 0.10
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
bin=$PROJECT/dist/loadweir-x86_64
cpu() { { TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'; }
peak() { /usr/bin/time -f %M "$@" 2>&1 >/dev/null | tail -n 1; }
per() { awk -v long="$1" -v short="$2" -v n="$3" 'BEGIN { printf "%.6f\n", (long - short) / n }'; }
`;

/** Runs a script and gives the numbers that it prints, one a line. Throws when it fails. */
export async function numbersOf(script: string, deadlineMs: number): Promise<readonly number[]> {
  const output = await inWorldOk(`PROJECT='${PROJECT}'\n${PRELUDE}${script}`, { bind: true, deadlineMs });
  return output.trim().split("\n").map(Number);
}

/** A goal that is met from this on. */
export function atLeast(limit: number): { readonly limit: number; readonly better: "more" } {
  return { limit, better: "more" };
}

/** A goal that is met up to this. */
export function atMost(limit: number): { readonly limit: number; readonly better: "less" } {
  return { limit, better: "less" };
}
