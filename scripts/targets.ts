/** The machines that a binary is made for, and the runtime that each is made with. */

/** The Deno version that everything here is pinned to; `scripts/deno` runs the same one. */
export const DENO_VERSION = "2.7.11";

/** One machine that a binary is made for. */
export interface Target {
  /** As `uname -m` and the names of the binaries spell it. */
  readonly arch: "x86_64" | "aarch64";
  /** As `deno compile --target` and `Deno.build.target` spell it. */
  readonly triple: string;
  /** `e_machine` of its ELF files. */
  readonly elfMachine: number;
  /** SHA-256 of the runtime `denort` of this Deno version, in hex. */
  readonly runtimeSha256: string;
  /**
   * An npm package that ships a program which this Deno version compiled: the runtime with a program
   * appended. It serves where npm is open and Deno's own download is not.
   */
  readonly npmPackage: string;
  /** The program in that package. */
  readonly npmFile: string;
}

/**
 * Every target, in the order in which they are compiled. ELF machine numbers are EM_X86_64 and EM_AARCH64 of
 * elf.h.
 */
export const TARGETS: readonly Target[] = [
  {
    arch: "x86_64",
    triple: "x86_64-unknown-linux-gnu",
    elfMachine: 62,
    runtimeSha256: "f12d5d3886d5ea138304fb8d67d7396cfbedf53656676132152cb89f3fa4d8e6",
    npmPackage: "@stdy/cli-linux-x64@0.22.2",
    npmFile: "package/bin/steady",
  },
  {
    arch: "aarch64",
    triple: "aarch64-unknown-linux-gnu",
    elfMachine: 183,
    runtimeSha256: "9c888d915647ff971a497acd39ee45ea63da5f19d12d4363124942c257c055ef",
    npmPackage: "@stdy/cli-linux-arm64@0.22.2",
    npmFile: "package/bin/steady",
  },
];
