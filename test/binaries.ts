/** The compiled binaries, as tests of the whole start them in a world. */

import { join } from "node:path";
import { PROJECT } from "../scripts/project_files.ts";
import { type Target, TARGETS } from "../scripts/targets.ts";
import type { Need } from "./needs.ts";

/** A binary of `scripts/deno task compile`. */
export interface Binary {
  readonly arch: Target["arch"];
  /** Shell words that start it in a world, the emulator before it where it is for another machine. */
  readonly command: string;
  /** What a test that starts it needs. */
  readonly needs: readonly Need[];
}

/** The binaries for all machines. Starting one under the emulator takes 4 s, so ask it much at once. */
export const BINARIES: readonly Binary[] = TARGETS.map(({ arch }) => {
  const path = join(PROJECT, "dist", `loadweir-${arch}`);
  return { arch, command: commandFor(arch, path), needs: [...needsFor(arch), path as Need] };
});

/** Shell words that start a program made for a machine. */
export function commandFor(arch: Target["arch"], path: string): string {
  return arch === "aarch64" ? `qemu-aarch64 -L /usr/aarch64-linux-gnu ${path}` : path;
}

/** What starting a program made for a machine needs, in a world. */
export function needsFor(arch: Target["arch"]): readonly Need[] {
  const world: readonly Need[] = ["root", "namespaces", "/usr/sbin/ip", "/usr/bin/ps", "/usr/bin/vmstat"];
  return arch === "aarch64" ? [...world, "qemu-aarch64"] : world;
}
